// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/facts/kernel_facts.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "app/facts/code_changes.hpp"
#include "app/facts/fact_kind.hpp"
#include "support/nearest.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;

Diagnostic at_origin(const ir::Origin& origin, std::string message, std::string help) {
  Diagnostic diagnostic;
  diagnostic.location = origin.location;
  diagnostic.source_line = origin.line;
  diagnostic.message = std::move(message);
  diagnostic.help = std::move(help);
  return diagnostic;
}

Diagnostic warning(const ir::Origin& origin, std::string message, std::string help = {}) {
  Diagnostic diagnostic = at_origin(origin, std::move(message), std::move(help));
  diagnostic.severity = support::Severity::warning;
  diagnostic.cause = support::Cause::usage;
  return diagnostic;
}

// Nothing if the facts were written for this code. The fingerprint says nothing of source lines: where facts use them,
// other loops may stand there by now.
std::optional<Diagnostic> other_code(const KernelFacts& facts, const ir::KernelCode& code) {
  const std::vector<ir::LoopBound>& bounds = facts.launch.loop_bounds;
  const bool uses_lines = std::any_of(bounds.begin(), bounds.end(), ir::is_of_source);
  const bool is_same = facts.code->sha256 == code.sha256;
  if (is_same && !uses_lines) return std::nullopt;
  const std::vector<std::string> changes = code_changes(*facts.code, code);
  if (is_same && changes.empty()) return std::nullopt;
  std::string message =
      (is_same ? "the lines of kernel '" + code.name + "' are not those that these facts were written for: "
               : "kernel '" + code.name + "' is not the code that these facts were written for: ");
  for (size_t i = 0; i < changes.size(); ++i) message += (i == 0 ? "" : "; ") + changes[i];
  if (changes.empty()) message += "its loops and parameters are the same, its instructions are not";
  return at_origin(facts.code->origin, std::move(message),
                   is_same
                       ? "mend the places of the loops, and 'loops' above them, or let 'warpspan facts' write new facts"
                       : "look at the facts again, then write sha256 = \"" + code.sha256 +
                             "\", or let 'warpspan facts' write new ones");
}

}  // namespace

void add_facts(const Facts& facts, ir::Launch& launch) {
  for (const KernelFacts& own : facts) ir::append_facts(launch, own.launch);
}

bool has_fingerprint(const Facts& facts) {
  return std::any_of(facts.begin(), facts.end(), [](const KernelFacts& own) { return own.code.has_value(); });
}

support::Diagnostics refusal(const Facts& facts, const ir::KernelCode& code) {
  support::Diagnostics errors;
  for (const KernelFacts& own : facts) {
    if (!own.code || !support::names_symbol(own.kernel, code.name)) continue;
    if (auto error = other_code(own, code)) errors.push_back(std::move(*error));
  }
  return errors;
}

void check_tables(const Facts& facts, const ReadFiles& files) {
  std::vector<std::string> names;
  for (const ReadFile* file : files) names.insert(names.end(), file->names.begin(), file->names.end());
  if (!are_all_read(files)) return;
  for (const KernelFacts& own : facts) {
    const auto is_named = [&own](const std::string& name) { return support::names_symbol(own.kernel, name); };
    if (std::any_of(names.begin(), names.end(), is_named)) continue;
    const std::string meant = support::nearest_symbol(own.kernel, names);
    files.front()->errors.add({warning(own.origin, "these facts are for no kernel: none is called '" + own.kernel + "'",
                                       meant.empty() ? "" : "did you mean '" + meant + "'?")});
  }
}

void check_facts(const ir::Launch& launch, const ReadFiles& files) {
  using Subject = FactKind::Subject;
  for (const Subject subject : {Subject::launch, Subject::memory, Subject::values, Subject::calls, Subject::loops}) {
    for (const FactKind& kind : fact_kinds()) {
      if (kind.subject == subject && kind.check != nullptr) kind.check(launch, files);
    }
  }
}

}  // namespace warpspan::app
