// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/facts/loop_checks.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "app/facts/fact_values.hpp"
#include "support/nearest.hpp"
#include "support/shell_quote.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;

constexpr size_t most_listed = 8;  // places in an error

// A use, and the file that it is in.
struct Use {
  ReadFile* file;
  const ir::LoopBoundUse* use;
};

// "a, b and c", or the first of them.
std::string listed(std::vector<std::string> words) {
  const size_t count = words.size();
  if (count <= most_listed) return support::enumeration(words);
  words.resize(most_listed);
  std::string text;
  for (const std::string& word : words) text += word + ", ";
  return text + "and " + std::to_string(count - most_listed) + " more";
}

bool may_be_for(const ir::LoopBound& bound, const std::string& kernel) {
  return bound.kernel.empty() || support::names_symbol(bound.kernel, kernel);
}

// How the origin of the bound is written with another place.
std::string written(const ir::LoopBound& bound, const ir::LoopBound& place) {
  if (bound.origin.is_file()) return "at = \"" + ir::place_of(place) + "\"";
  return bound.origin.giver + " " + support::shell_quoted(ir::place_of(place) + "=" + amount_of(bound));
}

Diagnostic about(const ir::LoopBound& bound, const std::string& message, std::string help) {
  Diagnostic error = support::usage_error({}, std::move(help));
  const bool is_file = bound.origin.is_file();
  error.message = (is_file ? "'" + ir::place_of(bound) + "'" : written(bound, bound)) + " " + message;
  if (is_file) {
    error.location = bound.origin.location;
    error.source_line = bound.origin.line;
  }
  return error;
}

// --- Bounds that name nothing.

// Whether all kernels are known that the bound may be for.
bool can_check(const ir::LoopBound& bound, const ReadFiles& files) {
  const auto is_unknown = [&bound](const ir::KernelCode& code) {
    return may_be_for(bound, code.name) && (code.refused || !code.loops);
  };
  const auto is_complete = [&](const ReadFile* file) {
    return !file->names.empty() && std::none_of(file->codes.begin(), file->codes.end(), is_unknown);
  };
  return std::all_of(files.begin(), files.end(), is_complete);
}

// The loops that it could have named, as it names them.
std::vector<std::string> candidates(const ir::LoopBound& bound, const ReadFiles& files) {
  std::vector<std::string> names;
  const auto add = [&](const ir::Loop& loop) {
    std::string name = loop.label;
    if (bound.line != 0) name = bound.file.empty() ? "line:" + std::to_string(loop.line) : ir::source_place(loop);
    if (name.empty() || (bound.from_line != 0 && loop.called_from.empty())) return;
    if (bound.from_line != 0) name += " from " + loop.called_from.front();
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  };
  for (const ir::KernelCode* code : kernels_for(bound, files)) {
    std::for_each(code->loops->begin(), code->loops->end(), add);
  }
  return names;
}

void check_unused(const ir::LoopBound& bound, const ReadFiles& files) {
  const bool is_for_some = !kernels_for(bound, files).empty();
  if (bound.origin.is_file() && !is_for_some) return;  // its table names no kernel: the table has a warning
  if (!can_check(bound, files)) return;
  std::vector<std::string> places = is_for_some ? candidates(bound, files) : std::vector<std::string>{};
  std::string help = is_for_some ? "there are no loops" : "write it as --kernel has it, or '*'";
  if (is_for_some && bound.line != 0 && !bound.file.empty()) help = "the file has no line tables (nvcc -lineinfo)";
  if (is_for_some && bound.from_line != 0) help = "no loop is in a copy of a function for one call: leave 'from' out";
  if (!places.empty()) {
    const std::vector<std::string_view> views(places.begin(), places.end());
    const std::string meant(support::nearest(bound.label, views));
    help = (bound.line != 0 || bound.from_line != 0 || meant.empty() ? "" : "did you mean '" + meant + "'? ");
    help += "the loops are at " + listed(std::move(places));
  }
  report_unused(about(bound, is_for_some ? "names no loop" : "names no kernel", std::move(help)), bound.origin, files);
}

// --- Bounds that name too much.

// The places of a label or line: of all files, or of the file that has most, if the bound names its kernel.
std::vector<Use> places_of(const ir::LoopBound& bound, const std::vector<Use>& uses) {
  std::set<std::tuple<const ReadFile*, int64_t, int64_t>> known;
  std::vector<Use> places;
  for (const Use& use : uses) {
    const support::Location& header = use.use->header;
    if (known.emplace(use.file, header.line, header.column).second) places.push_back(use);
  }
  if (bound.kernel.empty()) return places;
  if (bound.kernel.find('*') != std::string::npos) return {};
  std::vector<Use> most;
  for (const Use& first : places) {
    std::vector<Use> own;
    std::copy_if(places.begin(), places.end(), std::back_inserter(own),
                 [&first](const Use& use) { return use.file == first.file; });
    if (own.size() > most.size()) most = own;
  }
  return most;
}

// How the bound names one of the places alone: by its kernel, if that is another one in each. Files that have the same
// kernel are what can be chosen.
std::vector<std::string> choices_of(const ir::LoopBound& bound, const std::vector<Use>& places) {
  std::set<std::string> kernels, files;
  for (const Use& place : places) {
    kernels.insert(place.use->kernel);
    files.insert(place.file->name);
  }
  if (kernels.size() == 1 && files.size() == places.size()) {
    std::vector<std::string> choices;
    for (const Use& place : places) choices.push_back("the file " + support::shell_quoted(place.file->name));
    return choices;
  }
  const bool by_kernel = kernels.size() == places.size() && !bound.origin.is_file();
  std::vector<std::string> choices;
  for (const Use& place : places) {
    ir::LoopBound one = bound;
    one.kernel = by_kernel ? place.use->kernel : "";
    if (!by_kernel) {
      one.label.clear();
      one.line = place.use->header.line;
    }
    choices.push_back(written(bound, one) + " (" + place.file->name + ":" + std::to_string(place.use->header.line) +
                      ")");
  }
  return choices;
}

// Nothing if the bound names one thing.
std::optional<Diagnostic> ambiguity(const ir::LoopBound& bound, const std::vector<Use>& uses) {
  if (bound.file.empty()) {
    const std::vector<Use> places = places_of(bound, uses);
    if (places.size() < 2) return std::nullopt;
    ir::LoopBound all = bound;
    all.kernel = "*";
    std::string help = "give one of " + listed(choices_of(bound, places));
    if (!bound.origin.is_file()) help += ", or " + written(bound, all) + " for all";
    return about(bound, "names loops at " + std::to_string(places.size()) + " places", std::move(help));
  }
  std::set<std::string> paths;
  for (const Use& use : uses) paths.insert(use.use->source_file);
  if (paths.size() < 2) return std::nullopt;
  return about(bound, "names loops of " + std::to_string(paths.size()) + " source files",
               "write more of the path of the one that is meant: " + listed({paths.begin(), paths.end()}));
}

void leave_out(const Use& use, const Diagnostic& why) {
  const auto is_named = [&use](const frontend::AnalyzedKernel& kernel) {
    return kernel.kernel.name == use.use->kernel;
  };
  if (std::erase_if(use.file->kernels, is_named) > 0)
    use.file->failed.push_back({use.file->name, use.use->kernel, {why}});
}

}  // namespace

void check_loop_bounds(const ir::Launch& launch, const ReadFiles& files) {
  const std::vector<ir::LoopBound>& bounds = launch.loop_bounds;
  std::vector<std::vector<Use>> uses(bounds.size());
  for (ReadFile* file : files) {
    for (const ir::LoopBoundUse& use : file->uses) uses[use.bound].push_back({file, &use});
  }
  for (size_t b = 0; b < bounds.size(); ++b) {
    if (uses[b].empty()) {
      check_unused(bounds[b], files);
    } else if (const auto error = ambiguity(bounds[b], uses[b])) {
      uses[b].front().file->errors.add({*error});
      for (const Use& use : uses[b]) leave_out(use, *error);
    }
  }
}

}  // namespace warpspan::app
