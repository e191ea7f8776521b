// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan listing: the code of kernels, instruction by instruction, with what each costs.
#include <memory>

#include "app/cli/command.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/memory.hpp"
#include "app/cli/option_groups.hpp"
#include "app/cli/report_files.hpp"
#include "app/files/ptxas_log.hpp"
#include "app/reports/errors_document.hpp"
#include "app/reports/listing/listing_formats.hpp"
#include "app/requests/code_listing.hpp"

namespace warpspan::app {

namespace {

constexpr const char* footer =
    "A kernel that has no bound is listed without costs, and with what is missing.\n"
    "\nExamples:\n"
    "  warpspan listing samples/saxpy.ptx --block 256 --grid 4 --arg 3=100000\n"
    "  warpspan listing tests/frontend/object/data/search.fatbin --block 128\n"
    "  warpspan listing kernel.cubin --kernel 'ker*' --block 256 --format json --output listing.json\n";

struct ListingOptions {
  BoundRequest request;
  std::vector<std::string> logs;
  int64_t memory = 0;  // bytes for everything
  std::string format, output;
};

Outcome listing(const ListingOptions& options) {
  limit_memory(options.memory);
  const Interrupt interrupt;
  BoundRequest request = options.request;
  request.limits.memory = options.memory / search_share;
  request.limits.cancel = &interrupt.flag();
  RunRecord run;
  ListingReport report;
  request.compiled = read_ptxas_logs(options.logs, run, report.errors);
  if (report.errors.empty()) report = list_instructions(request);
  LongText text = render(listing_formats, report, options.format, style_of(options.output));
  return {std::move(text), std::move(report.errors), options.output};
}

Run declare(OptionSet& set) {
  const auto options = std::make_shared<ListingOptions>();
  add_bounds(set, options->request);
  add_logs(set, options->logs);
  add_format(set, forms_of(listing_formats), "listing", options->format);
  add_memory(set, options->memory);
  add_output(set, forms_of(listing_formats), "listing", options->format, options->output);
  return [options] { return listing(*options); };
}

}  // namespace

Command listing_command() {
  return {"listing", "Show the code of kernels with what each instruction costs", footer, declare,
          report_of_errors<ListingReport>};
}

}  // namespace warpspan::app
