#include "bench/provider_bench.hpp"

int main(int count, char** arguments) { return leaselab::bench::provider_bench(count, arguments); }
