// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan facts: a file of facts to be filled in, for the kernels of the files.
#include "app/commands/facts.hpp"

#include <memory>

#include "app/cli/command.hpp"
#include "app/cli/memory.hpp"
#include "app/cli/option_groups.hpp"
#include "app/cli/report_files.hpp"
#include "app/reports/errors_document.hpp"
#include "app/reports/facts/facts_formats.hpp"

namespace warpspan::app {

namespace {

constexpr const char* footer =
    "Write the facts into a file, fill in what is missing, and give it to the other commands with --facts.\n"
    "\nExamples:\n"
    "  warpspan facts samples/spmv.ptx --block 128 --output spmv.facts.toml\n"
    "  warpspan facts samples/matmul_tiled.nvcc-sm_80-lineinfo.ptx --block 16,16 --format json\n";

struct FactsOptions {
  KernelRequest request;
  int64_t memory = 0;  // bytes for everything
  std::string format;
  std::string output;  // file; empty: standard output
};

// The same kernel in several files has one table; facts cannot tell kernels of one name with other code apart.
bool is_there_already(FactsReport& report, const std::string& file, const ir::KernelCode& code) {
  for (const KernelFactsReport& known : report.kernels) {
    if (known.code.name != code.name) continue;
    if (known.code.sha256 != code.sha256) {
      report.errors.push_back(
          support::usage_error("kernel '" + code.name + "' of " + file + " has other code than that of " + known.file,
                               "write the facts of each file by themselves"));
    }
    return true;
  }
  return false;
}

Outcome write_facts(const FactsOptions& options) {
  limit_memory(options.memory);
  FactsReport report = facts_of(options.request);
  LongText text = render(facts_formats, report, options.format, style_of(options.output));
  return {std::move(text), std::move(report.errors), options.output};
}

Run declare(OptionSet& set) {
  const auto options = std::make_shared<FactsOptions>();
  add_kernels(set, options->request);
  add_memory(set, options->memory);
  add_format(set, forms_of(facts_formats), "facts", options->format);
  add_output(set, forms_of(facts_formats), "facts", options->format, options->output);
  return [options] { return write_facts(*options); };
}

}  // namespace

FactsReport facts_of(const KernelRequest& request) {
  FactsReport report;
  auto [files, launch] = read_files(request, LoopsAre::perhaps_unbounded);
  report.given = std::move(launch);
  for (const KernelFile& file : files) {
    for (const ir::KernelCode& code : file.codes) {
      if (!code.refused && !is_there_already(report, file.name, code)) report.kernels.push_back({file.name, code});
    }
  }
  const support::Diagnostics errors = all_errors(files);
  report.errors.insert(report.errors.begin(), errors.begin(), errors.end());
  return report;
}

Command facts_command() {
  return {"facts", "Write a file of facts to fill in: loop bounds, arguments", footer, declare,
          report_of_errors<FactsReport>};
}

}  // namespace warpspan::app
