#include "app/requests/kernel_files.hpp"

#include <algorithm>
#include <memory>

#include "app/requests/buffer_uses.hpp"
#include "app/requests/facts_file.hpp"
#include "app/requests/function_uses.hpp"
#include "app/requests/input_files.hpp"
#include "app/requests/kernel_facts.hpp"
#include "app/requests/loop_bound_uses.hpp"
#include "frontend/machine_code.hpp"
#include "support/nearest.hpp"
#include "support/source_file.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

constexpr size_t most_listed = 8;  // kernels in an error

// The file as far as it is known before it is read.
KernelFile file_at(const std::string& path) {
  const std::string name = path == "-" ? "<stdin>" : path;
  return {name, {}, {}, {}, {}, {}, {}, {}, FileErrors(name)};
}

void read_file(const std::string& path, const KernelRequest& request, const ir::Launch& launch,
               const frontend::Inquiry& inquiry, KernelFile& file) {
  auto input = read_input(path, request.compilation);
  if (!input) return fail(file, {}, input.errors());
  file.run.add_input(file.name, input->bytes());
  file.source = std::make_shared<const support::SourceFile>(std::move(input->ptx));
  file.machine_code = std::move(input->machine_code);
  file.places = std::move(input->places);
  frontend::Reading reading =
      input->cubin ? frontend::read_machine_code({file.name, *input->cubin}, request.kernels, launch, inquiry)
                   : frontend::read_kernels(file.source, request.kernels, launch, inquiry);
  if (reading.listing) file.source = reading.listing;
  file.names = std::move(reading.names);
  file.codes = std::move(reading.codes);
  file.kernels = std::move(reading.kernels);
  file.uses = std::move(reading.uses);
  if (file.names.empty()) fail(file, {}, reading.errors);
  file.errors.add(reading.errors);
  for (const frontend::FailedKernel& kernel : reading.failed) fail(file, kernel.name, kernel.errors);
}

struct ExpandedFiles {
  std::vector<KernelFile> files;   // at least one
  std::vector<std::string> paths;  // empty: there is nothing to read
};

// A file for each path that the words mean, and one with an error for a word that means none.
ExpandedFiles expand(const std::vector<std::string>& words) {
  ExpandedFiles all;
  std::set<std::string> known;
  for (const std::string& word : words) {
    const auto paths = input_files({word});
    if (!paths) {
      all.files.push_back(file_at(word));
      all.paths.emplace_back();
      fail(all.files.back(), {}, paths.errors());
      continue;
    }
    for (const std::string& path : *paths) {
      if (!known.insert(path).second) continue;
      all.files.push_back(file_at(path));
      all.paths.push_back(path);
    }
  }
  return all;
}

support::Result<Facts> facts_of(const KernelRequest& request, RunRecord& run) {
  if (request.facts.empty()) return Facts{};
  const auto source = support::read_source(request.facts);
  if (!source) return source.errors();
  run.add_input(source->name(), source->bytes());
  return parse_facts(source->name(), source->text());
}

support::Diagnostic names_none(const std::string& pattern, const std::vector<std::string>& names) {
  const std::string meant = support::nearest_symbol(pattern, names);
  std::vector<std::string> known;
  for (const std::string& name : names) known.push_back(support::short_name(name));
  known.erase(std::unique(known.begin(), known.end()), known.end());
  if (known.size() > most_listed) known.resize(most_listed);
  std::string help = meant.empty() ? "" : "did you mean '" + meant + "'? ";
  help += (known.size() == most_listed ? "it begins with " : "it has ") + support::enumeration(known);
  return support::usage_error("the file has no kernel '" + pattern + "'", help);
}

// What a user asks for and nobody has would otherwise be left out without a word.
void check_patterns(const std::vector<std::string>& patterns, std::vector<KernelFile>& files) {
  for (const std::string& pattern : patterns) {
    const auto named = [&pattern](const std::string& name) { return support::names_symbol(pattern, name); };
    const auto has = [&named](const KernelFile& file) {
      return std::any_of(file.names.begin(), file.names.end(), named);
    };
    if (std::any_of(files.begin(), files.end(), has)) continue;
    for (KernelFile& file : files) {
      if (!file.names.empty()) file.errors.add({names_none(pattern, file.names)});
    }
  }
}

}  // namespace

void FileErrors::add(const support::Diagnostics& more) {
  for (support::Diagnostic error : more) {
    if (error.location.file.empty()) error.location.file = file_;
    if (known_.insert(key_of(error)).second) errors_.push_back(std::move(error));
  }
}

void fail(KernelFile& file, const std::string& kernel, const support::Diagnostics& errors) {
  file.errors.add(errors);
  file.failed.push_back({file.name, kernel, errors});
}

KernelFiles read_files(const KernelRequest& request, LoopsAre loops) {
  auto [files, paths] = expand(request.files);
  ir::Launch launch = request.launch;
  const auto facts = facts_of(request, files.front().run);
  if (!facts) {
    fail(files.front(), {}, facts.errors());
    return {std::move(files), std::move(launch)};
  }
  add_facts(*facts, launch);
  frontend::Inquiry inquiry;
  inquiry.unbounded_loops = loops == LoopsAre::perhaps_unbounded;
  inquiry.declared_only = loops == LoopsAre::not_analyzed;
  inquiry.fingerprints = inquiry.unbounded_loops || has_fingerprint(*facts);
  inquiry.unknown_opcodes = request.unknown_opcodes;
  inquiry.refuse = [&facts = *facts](const ir::KernelCode& code) { return refusal(facts, code); };
  for (size_t i = 0; i < files.size(); ++i) {
    if (!paths[i].empty()) read_file(paths[i], request, launch, inquiry, files[i]);
  }
  check_patterns(request.kernels, files);
  judge_facts(*facts, files);
  judge_buffers(launch.buffers, files);
  judge_arguments(launch.arguments, files);
  judge_call_costs(launch.call_costs, files);
  judge_recursions(launch.recursions, files);
  judge_loop_bounds(launch.loop_bounds, files);
  return {std::move(files), std::move(launch)};
}

support::Diagnostics all_errors(const std::vector<KernelFile>& files) {
  support::Diagnostics errors;
  for (const KernelFile& file : files) {
    errors.insert(errors.end(), file.errors.all().begin(), file.errors.all().end());
  }
  return errors;
}

}  // namespace warpspan::app
