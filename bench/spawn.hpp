// A program that runs once and whose output is wanted.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace leaselab::bench {

// Its standard output; empty where it could not be run, did not end with status 0, was still at it
// after `limit`, or stopping() came true. No shell; it dies with us.
std::string output_of(std::vector<std::string> words, std::chrono::seconds limit);

}  // namespace leaselab::bench
