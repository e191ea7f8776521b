// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan string: the instruction string of every kernel of the files.
#include <memory>

#include "app/cli/command.hpp"
#include "app/cli/memory.hpp"
#include "app/cli/option_groups.hpp"
#include "app/facts/assumptions.hpp"
#include "app/reports/errors_document.hpp"
#include "app/reports/string_formats.hpp"
#include "app/requests/kernels/kernel_files.hpp"
#include "ir/execution.hpp"
#include "support/isolated.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;

constexpr const char* footer =
    "In C(L2C)^64L a number after a symbol repeats it and (...)^n repeats a group. L is a load or store, C work of "
    "the\n"
    "cores, S work of the special function units.\n"
    "\nExamples:\n"
    "  warpspan string samples/saxpy.ptx --block 256 --grid 4 --arg 3=100000\n"
    "  warpspan string a.ptx b.ptx --block 16,16 --format json\n";

Diagnostic fault(const ir::Kernel& kernel, const std::string& what) {
  Diagnostic error;
  error.location = kernel.location;
  error.message = "kernel " + support::quoted_symbol(kernel.name) + " " + what;
  return error;
}

support::Result<KernelString> string_of(const std::string& file, const frontend::AnalyzedKernel& analyzed) {
  const ir::Kernel& kernel = analyzed.kernel;
  const auto worst = ir::worst_string(kernel, analyzed.flow, {1, 1, 1});
  if (!worst) return fault(kernel, "never ends, or its branches are nested too deep");
  if (!worst->string) return fault(kernel, "has an instruction string too long to be written down");
  KernelString result{file, kernel.name,     ir::to_string(*worst->string),
                      {},   worst->only_one, user_assumptions(analyzed)};
  for (size_t k = 0; k < result.instructions.size(); ++k) {
    const auto count = worst->counts[k].value();
    if (!count) return fault(kernel, "executes more than 2^63 instructions");
    result.instructions[k] = *count;
  }
  return result;
}

struct StringOptions {
  KernelRequest request;
  int64_t memory = 0;  // bytes for everything
  std::string format;
};

StringReport strings_of(const KernelRequest& request) {
  StringReport report;
  std::vector<KernelFile> files = read_files(request).files;
  report.several_files = files.size() > 1;
  for (KernelFile& file : files) {
    for (const frontend::AnalyzedKernel& analyzed : file.kernels) {
      const std::string task = "in the string of kernel " + support::quoted_symbol(analyzed.kernel.name);
      auto string = support::isolated(analyzed.kernel.location, task, [&] { return string_of(file.name, analyzed); });
      if (string) {
        report.kernels.push_back(std::move(*string));
      } else {
        file.errors.add(string.errors());
      }
    }
  }
  report.errors = all_errors(files);
  return report;
}

Outcome strings(const StringOptions& options) {
  limit_memory(options.memory);
  StringReport report = strings_of(options.request);
  LongText text = render(string_formats, report, options.format, style_of({}));
  return {std::move(text), std::move(report.errors), {}};
}

Run declare(OptionSet& set) {
  const auto options = std::make_shared<StringOptions>();
  add_kernels(set, options->request);
  add_memory(set, options->memory);
  add_format(set, forms_of(string_formats), "output", options->format);
  return [options] { return strings(*options); };
}

}  // namespace

Command string_command() {
  return {"string", "Print the instruction string of each kernel", footer, declare, report_of_errors<StringReport>};
}

}  // namespace warpspan::app
