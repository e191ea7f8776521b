// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/report_archive.hpp"

#include <stdexcept>

namespace warpspan::app {

void Archive<ir::InstructionString>::put(ArchiveWriter& to, const ir::InstructionString& string) {
  to.put_number(string.terms().size());
  for (const ir::StringTerm& term : string.terms()) {
    to.put(term.unit);
    to.put(term.repeat);
    to.put(term.group != nullptr);
    if (term.group != nullptr) put(to, *term.group);
  }
}

ir::InstructionString Archive<ir::InstructionString>::get(ArchiveReader& from) {
  ir::InstructionString string;
  for (uint64_t i = from.get_count(); i > 0; --i) {
    const auto unit = from.get<ir::UnitClass>();
    const auto repeat = from.get<int64_t>();
    if (from.get<bool>()) {
      string.append_repeated(get(from), repeat);
    } else {
      string.append(unit, repeat);
    }
  }
  return string;
}

void Archive<ir::Flow>::put(ArchiveWriter&, const ir::Flow& flow) {
  if (!flow.blocks.empty()) throw std::logic_error("a report with its control flow");
}

}  // namespace warpspan::app
