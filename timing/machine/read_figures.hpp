// What timing reads from the tables of machine files besides texts and integers.
#pragma once

#include "support/toml.hpp"
#include "timing/machine/model.hpp"

namespace warpspan::timing {

// An integer, or an array of two that do not fall: [least, most].
Span read_span(support::TableReader& table, std::string_view key, support::TableReader::Range range);

// An integer, or an array of three that do not fall.
Latency read_latency(support::TableReader& table, std::string_view key, support::TableReader::Range range);

// The keys 'standing' and 'source'. A figure that is more than assumed must cite a source, and only these.
Provenance read_provenance(support::TableReader& table, const std::vector<Reference>& references);

// The keys that a text cites: "[THES] table 7, [GSIM]" cites THES and GSIM.
std::vector<std::string> citations(std::string_view text);

}  // namespace warpspan::timing
