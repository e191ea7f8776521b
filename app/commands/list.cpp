// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan list: which code for GPUs is in files, and what its kernels need.
#include <memory>

#include "app/cli/command.hpp"
#include "app/cli/memory.hpp"
#include "app/cli/option_groups.hpp"
#include "app/cli/report_files.hpp"
#include "app/reports/errors_document.hpp"
#include "app/reports/list/list_formats.hpp"
#include "app/requests/kernels/list_code.hpp"

namespace warpspan::app {

namespace {

constexpr const char* footer =
    "FILE may be PTX, a cubin, a fatbin, or an object, library or program of the host that holds some. No NVIDIA tool "
    "is\n"
    "needed. '-' stands for what the file does not state.\n"
    "\nExamples:\n"
    "  warpspan list tests/frontend/object/data/saxpy.o\n"
    "  warpspan list tests/frontend/object/data/saxpy.a --arch sm_80 --format json\n";

struct ListOptions {
  ListRequest request;
  int64_t memory = 0;  // bytes for everything
  std::string format, output;
};

Outcome list(const ListOptions& options) {
  limit_memory(options.memory);
  ListReport report = list_code(options.request);
  LongText text = render(list_formats, report, options.format, style_of(options.output));
  return {std::move(text), std::move(report.errors), options.output};
}

Run declare(OptionSet& set) {
  const auto options = std::make_shared<ListOptions>();
  ListRequest& request = options->request;
  set.positional("FILE", "Files with code for GPUs, '-' for standard input, folders for their PTX files",
                 [&set, &request](const std::vector<std::string>& words) {
                   request.files = words;
                   if (words.empty()) set.usage("no file is given", "give the file to look into");
                 });
  set.each("--arch", "TARGET", "Only code for this target, such as sm_80; repeatable", parse_text,
           [&request](const std::string& target, const std::string&) { request.targets.push_back(target); });
  add_kernel_names(set, request.kernels);
  add_memory(set, options->memory);
  add_format(set, forms_of(list_formats), "list", options->format);
  add_output(set, forms_of(list_formats), "list", options->format, options->output);
  return [options] { return list(*options); };
}

}  // namespace

Command list_command() {
  return {"list", "List the kernels in PTX, cubins, fatbins, objects and libraries", footer, declare,
          report_of_errors<ListReport>};
}

}  // namespace warpspan::app
