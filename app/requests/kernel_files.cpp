#include "app/requests/kernel_files.hpp"

#include <algorithm>
#include <memory>

#include "app/requests/facts_file.hpp"
#include "app/requests/kernel_facts.hpp"
#include "app/requests/loop_bound_uses.hpp"
#include "support/isolated.hpp"
#include "support/nearest.hpp"
#include "support/source_file.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

constexpr size_t most_listed = 8;  // kernels in an error

// The file as far as it is known before it is read.
KernelFile file_at(const std::string& path) {
  const std::string name = path == "-" ? "<stdin>" : path;
  return {name, {}, {}, {}, {}, {}, FileErrors(name)};
}

void read_file(const std::string& path, const std::vector<std::string>& kernels, const ir::Launch& launch,
               const frontend::Inquiry& inquiry, KernelFile& file) {
  auto source = support::isolated({}, "while the file was read", [&] { return support::read_source(path); });
  if (!source) return file.errors.add(source.errors());
  file.source = std::make_shared<const support::SourceFile>(std::move(*source));
  frontend::Reading reading = frontend::read_kernels(file.source, kernels, launch, inquiry);
  file.names = std::move(reading.names);
  file.codes = std::move(reading.codes);
  file.kernels = std::move(reading.kernels);
  file.uses = std::move(reading.uses);
  file.errors.add(reading.errors);
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
    if (known_.emplace(error.location.file, error.location.line, error.location.column, error.message).second) {
      errors_.push_back(std::move(error));
    }
  }
}

std::vector<KernelFile> read_files(const KernelRequest& request, LoopsAre loops) {
  std::vector<KernelFile> files;
  for (const std::string& path : request.files) files.push_back(file_at(path));
  const auto facts = request.facts.empty() ? support::Result<Facts>(Facts{}) : read_facts(request.facts);
  if (!facts) {
    files.front().errors.add(facts.errors());
    return files;
  }
  ir::Launch launch = request.launch;
  add_facts(*facts, launch);
  frontend::Inquiry inquiry;
  inquiry.unbounded_loops = loops == LoopsAre::perhaps_unbounded;
  inquiry.fingerprints = inquiry.unbounded_loops || has_fingerprint(*facts);
  inquiry.refuse = [&facts](const ir::KernelCode& code) { return refusal(*facts, code); };
  for (size_t i = 0; i < files.size(); ++i) read_file(request.files[i], request.kernels, launch, inquiry, files[i]);
  check_patterns(request.kernels, files);
  judge_facts(*facts, files);
  judge_loop_bounds(launch.loop_bounds, files);
  return files;
}

support::Diagnostics all_errors(const std::vector<KernelFile>& files) {
  support::Diagnostics errors;
  for (const KernelFile& file : files) {
    errors.insert(errors.end(), file.errors.all().begin(), file.errors.all().end());
  }
  return errors;
}

}  // namespace warpspan::app
