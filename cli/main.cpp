#include "cli/program.hpp"

int main(int count, char** words) { return leaselab::cli::program({words + 1, words + count}); }
