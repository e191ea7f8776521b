#include "timing/machine/read_figures.hpp"

#include <algorithm>

#include "support/nearest.hpp"

namespace warpspan::timing {

using support::TableReader;

namespace {

void check_citations(TableReader& table, const Provenance& provenance, const std::vector<Reference>& references) {
  const std::vector<std::string> cited = citations(provenance.source);
  for (const std::string& key : cited) {
    const auto known = [&key](const Reference& reference) { return reference.key == key; };
    if (std::any_of(references.begin(), references.end(), known)) continue;
    table.error(table.at("source"), "source '" + key + "' is not declared", "add it to [sources]");
  }
  if (cited.empty() && provenance.evidence != Evidence::assumed) {
    table.error(table.at("source"),
                "figures that are " + std::string(to_string(provenance.evidence)) + " must cite a source",
                "write its key of [sources] in brackets, such as \"[KEY] table 2\"");
  }
}

}  // namespace

std::vector<std::string> citations(std::string_view text) {
  std::vector<std::string> keys;
  for (size_t open = text.find('['); open != std::string_view::npos; open = text.find('[', open + 1)) {
    const size_t close = text.find(']', open);
    if (close != std::string_view::npos) keys.emplace_back(text.substr(open + 1, close - open - 1));
  }
  return keys;
}

Span read_span(TableReader& table, std::string_view key, TableReader::Range range) {
  const std::vector<int64_t> figures = table.ascending(key, range, {"least", "most"});
  return {figures[0], figures[1]};
}

Latency read_latency(TableReader& table, std::string_view key, TableReader::Range range) {
  const std::vector<int64_t> figures = table.ascending(key, range, {"best", "average", "worst"});
  return {figures[0], figures[1], figures[2]};
}

Provenance read_provenance(TableReader& table, const std::vector<Reference>& references) {
  const std::vector<std::string> words = {"official", "measured", "simulator", "assumed"};
  Provenance provenance;
  const support::Text standing = table.text("standing");
  for (int i = 0; i < kinds_of_evidence; ++i) {
    if (standing.text == to_string(static_cast<Evidence>(i))) provenance.evidence = static_cast<Evidence>(i);
  }
  if (!standing.text.empty() && standing.text != to_string(provenance.evidence)) {
    table.error(standing.at, "unknown standing '" + standing.text + "'", "write " + support::alternatives(words));
  }
  provenance.source = table.text("source").text;
  if (!provenance.source.empty()) check_citations(table, provenance, references);
  return provenance;
}

}  // namespace warpspan::timing
