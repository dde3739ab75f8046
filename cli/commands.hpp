// The verbs' entries, a file each. They return the exit status; what a user did wrong comes as
// usage_error.
#pragma once

#include "cli/options.hpp"

namespace leaselab::cli {

int run_check(const options& given);
int run_run(const options& given);
int run_replay(const options& given);
int run_shrink(const options& given);
int run_explain(const options& given);
int run_diff(const options& given);
int run_score(const options& given);
int run_judge(const options& given);
int run_sweep(const options& given);
int run_conform(const options& given);
int run_live(const options& given);
int run_bench(const options& given);
int run_list(const options& given);
int run_doctor(const options& given);

}  // namespace leaselab::cli
