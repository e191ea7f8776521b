#include "app/commands/string.hpp"

#include "app/cli/read_files.hpp"
#include "app/reports/json.hpp"
#include "ir/execution.hpp"
#include "support/isolated.hpp"
#include "support/printable.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;
using support::Diagnostics;

struct KernelString {
  std::string file, name, string;
  std::array<int64_t, ir::unit_classes> instructions{};
  bool only_one = true;
};

Diagnostic fault(const ir::Kernel& kernel, const std::string& what) {
  Diagnostic error;
  error.location = kernel.location;
  error.message = "kernel '" + kernel.name + "' " + what;
  return error;
}

support::Result<KernelString> string_of(const std::string& file, const frontend::AnalysedKernel& analysed) {
  const ir::Kernel& kernel = analysed.kernel;
  const auto worst = ir::worst_string(kernel, analysed.flow, {1, 1, 1});
  if (!worst) return fault(kernel, "never ends, or its branches are nested too deep");
  if (!worst->string) return fault(kernel, "has an instruction string too long to be written down");
  KernelString result{file, kernel.name, ir::to_string(*worst->string), {}, worst->only_one};
  for (size_t k = 0; k < result.instructions.size(); ++k) {
    const auto count = worst->counts[k].value();
    if (!count) return fault(kernel, "executes more than 2^63 instructions");
    result.instructions[k] = *count;
  }
  return result;
}

std::string to_text(const std::vector<KernelString>& kernels, bool several_files) {
  std::string text;
  for (const KernelString& kernel : kernels) {
    text += (several_files ? support::printable(kernel.file) + ":" : "") + kernel.name + ": " + kernel.string + "\n";
  }
  return text;
}

std::string to_json(const std::vector<KernelString>& kernels, const Diagnostics& errors) {
  Json list = Json::array();
  for (const KernelString& kernel : kernels) {
    list.push_back({{"file", kernel.file},
                    {"name", kernel.name},
                    {"string", kernel.string},
                    {"instructions", by_unit(kernel.instructions)},
                    {"only_one_string", kernel.only_one}});
  }
  return dump({{"schema", "warpspan.string/1"}, {"kernels", list}, {"errors", errors_to_json(errors)}});
}

}  // namespace

Outcome strings(const StringOptions& options) {
  std::vector<KernelString> kernels;
  const auto use = [&](const std::string& file, const frontend::AnalysedKernel& analysed, size_t) -> Diagnostics {
    const std::string task = "in the string of kernel '" + analysed.kernel.name + "'";
    auto string = support::isolated(analysed.kernel.location, task, [&] { return string_of(file, analysed); });
    if (!string) return string.errors();
    kernels.push_back(std::move(*string));
    return {};
  };
  Diagnostics errors = for_each_kernel(options.input, use);
  std::string report =
      options.format == Format::json ? to_json(kernels, errors) : to_text(kernels, options.input.files.size() > 1);
  return {std::move(report), std::move(errors), {}};
}

}  // namespace warpspan::app
