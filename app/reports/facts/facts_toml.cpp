// SPDX-License-Identifier: GPL-3.0-or-later
// A file of facts to be filled in: app/facts/facts_file.hpp has its keys. What is known stands in comments.
#include <fmt/format.h>

#include <algorithm>

#include "app/facts/fact_kind.hpp"
#include "app/facts/fact_text.hpp"
#include "app/reports/facts/facts_formats.hpp"

namespace warpspan::app {

namespace {

constexpr const char* head =
    "# Facts for 'warpspan analyze FILE --facts', to be filled in: each 0, and of what stands behind '#' what you "
    "know.\n"
    "# docs/facts.md tells what each line means.\n"
    "schema = \"warpspan.facts/1\"\n";

template <typename Parts>
std::string remembered(const Parts& parts) {
  std::string list;
  for (const auto& part : parts) list += (list.empty() ? "" : ", ") + toml_text(ir::remembered(part));
  return "[" + list + "]";
}

bool is_called(const ir::Loop& loop) { return !loop.called_from.empty(); }

// What a bound may lack without them comes first.
std::string facts_text(const ir::KernelCode& code, const ir::Launch& given) {
  const auto is_needed = [](const FactKind& kind) {
    return kind.subject == FactKind::Subject::loops || kind.subject == FactKind::Subject::calls;
  };
  std::string needed, helpful;
  for (const FactKind& kind : fact_kinds()) {
    if (kind.write_table != nullptr) (is_needed(kind) ? needed : helpful) += kind.write_table(code, given);
  }
  return needed + helpful;
}

std::string kernel_text(const KernelFactsReport& kernel, const ir::Launch& given) {
  const ir::KernelCode& code = kernel.code;
  std::string out = "\n[[kernel]]\n";
  out +=
      toml_comment(support::demangled(code.name) + ", " + kernel.file + " line " + std::to_string(code.location.line));
  out += "name = " + toml_text(code.name) + "\n";
  out += "# The code that the facts are for: if it is another one they are refused, with what has changed.\n";
  out += "sha256 = " + toml_text(code.sha256) + "\n";
  out += fmt::format("instructions = {}\n", code.instructions);
  out += "parameters = " + remembered(code.parameters) + "\n";
  if (code.loops) out += "loops = " + remembered(*code.loops) + "\n";
  if (code.loops && std::any_of(code.loops->begin(), code.loops->end(), is_called)) {
    std::vector<std::string> calls;
    for (const std::string& call : code.calls) calls.push_back(toml_text(call));
    out += fmt::format("call_lines = [{}]\n", fmt::join(calls, ", "));
  }
  return out + facts_text(code, given);
}

}  // namespace

std::string to_toml(const FactsReport& report, const TextStyle&) {
  if (report.kernels.empty()) return {};
  std::string out = head;
  for (const KernelFactsReport& kernel : report.kernels) out += kernel_text(kernel, report.given);
  return out;
}

}  // namespace warpspan::app
