// The reading step that analyze and string share.
#pragma once

#include <functional>
#include <string>

#include "app/cli/options.hpp"
#include "frontend/frontend.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::app {

// Calls `use` for each kernel of the files, in order, with the name of its file and how many kernels are left, this one
// included and one counted for each file not yet read. Collects the errors of reading and those that `use` returns.
// Errors without a place get the file's name; of equal errors only the first stays.
using UseKernel =
    std::function<support::Diagnostics(const std::string& file, frontend::AnalysedKernel& kernel, size_t left)>;
support::Diagnostics for_each_kernel(const Input& input, const UseKernel& use);

}  // namespace warpspan::app
