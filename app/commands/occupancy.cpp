// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan occupancy: how many blocks a multiprocessor holds, what limits them, and what would let in more.
#include "app/requests/occupancy.hpp"

#include <memory>

#include "app/cli/command.hpp"
#include "app/cli/memory.hpp"
#include "app/cli/option_groups.hpp"
#include "app/cli/report_files.hpp"
#include "app/files/ptxas_log.hpp"
#include "app/reports/errors_document.hpp"
#include "app/reports/occupancy/occupancy_formats.hpp"

namespace warpspan::app {

namespace {

constexpr const char* footer =
    "Without FILE the numbers stand for any kernel; then --machine has to be given.\n"
    "\nExamples:\n"
    "  warpspan occupancy --block 256 --registers 40 --shared 4096 --machine orin\n"
    "  warpspan occupancy --registers 40 --machine A100 --sweep\n"
    "  warpspan occupancy samples/transpose.ptx --block 32,8 --registers 24\n"
    "  nvcc -ptx -arch=sm_80 saxpy.cu && nvcc -cubin -arch=sm_80 -Xptxas -v saxpy.cu 2> ptxas.log\n"
    "  warpspan occupancy saxpy.ptx --block 256 --ptxas-log ptxas.log --format json\n";

struct OccupancyOptions {
  OccupancyRequest request;
  std::vector<std::string> logs;
  int64_t memory = 0;  // bytes for everything
  std::string format, output;
};

Outcome occupancy(const OccupancyOptions& options) {
  limit_memory(options.memory);
  OccupancyRequest request = options.request;
  RunRecord run;
  OccupancyReport report;
  request.compiled = read_ptxas_logs(options.logs, run, report.errors);
  if (report.errors.empty()) report = occupancies(request);
  LongText text = render(occupancy_formats, report, options.format, style_of(options.output));
  return {std::move(text), std::move(report.errors), options.output};
}

Run declare(OptionSet& set) {
  const auto options = std::make_shared<OccupancyOptions>();
  OccupancyRequest& request = options->request;
  add_files(set, request.kernels, false);
  add_kernel_names(set, request.kernels.kernels);
  add_block(set, request.kernels.launch);
  add_machine_name(set, request.machine);
  add_block_needs(set, request.kernels.launch);
  add_logs(set, options->logs);
  set.flag("--sweep", "Blocks of every size, too", request.block_sizes);
  add_format(set, forms_of(occupancy_formats), "report", options->format);
  add_memory(set, options->memory);
  add_output(set, forms_of(occupancy_formats), "report", options->format, options->output);
  set.check([&set, to = options.get()] {
    if (!to->request.kernels.files.empty()) return;
    if (!set.is_given("--machine")) {
      set.usage("neither a file nor a machine is given", "give --machine NAME, or a file for its .target");
    }
    for (const char* option : {"--ptxas-log", "--kernel", "--flags"}) {
      if (set.is_given(option)) set.usage(std::string(option) + " goes with a file", "give the kernel's PTX file, too");
    }
  });
  return [options] { return occupancy(*options); };
}

}  // namespace

Command occupancy_command() {
  return {"occupancy", "Tell how many blocks a multiprocessor holds, and what limits them", footer, declare,
          report_of_errors<OccupancyReport>};
}

}  // namespace warpspan::app
