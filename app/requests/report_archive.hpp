// SPDX-License-Identifier: GPL-3.0-or-later
// What reports are made of, as archives: the types that are no plain structures.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "app/fleet/archive.hpp"
#include "app/kept/kept.hpp"
#include "app/reports/analyze/analyze_report.hpp"
#include "ir/instruction_string.hpp"
#include "support/source_file.hpp"
#include "timing/assumptions/assumption.hpp"

namespace warpspan::app {

template <>
struct Archive<timing::AssumptionSet> {
  static void put(ArchiveWriter& to, const timing::AssumptionSet& set) {
    for (size_t i = 0; i < timing::assumptions; ++i) to.put(set.has(static_cast<timing::Assumption>(i)));
  }
  static timing::AssumptionSet get(ArchiveReader& from) {
    timing::AssumptionSet set;
    for (size_t i = 0; i < timing::assumptions; ++i) {
      if (from.get<bool>()) set.add(static_cast<timing::Assumption>(i));
    }
    return set;
  }
};

template <>
struct Archive<timing::Grant> {
  static void put(ArchiveWriter& to, const timing::Grant& grant) {
    to.put(grant.on({}));
    to.put(grant.is_usual());
  }
  static timing::Grant get(ArchiveReader& from) {
    timing::Grant grant(from.get<timing::AssumptionSet>());
    if (from.get<bool>()) grant.assume_usual();
    return grant;
  }
};

// The terms, which are appended one by one again: those of a string merge no further.
template <>
struct Archive<ir::InstructionString> {
  static void put(ArchiveWriter& to, const ir::InstructionString& string);
  static ir::InstructionString get(ArchiveReader& from);
};

// Reports are told without it.
template <>
struct Archive<ir::Flow> {
  static void put(ArchiveWriter& to, const ir::Flow& flow);
  static ir::Flow get(ArchiveReader&) { return {}; }
};

template <typename T>
std::shared_ptr<Shelf<T>> new_shelf() {
  return std::make_shared<Shelf<T>>(archived<T>, unarchived<T>);
}

// Where it is is nobody's concern. It is read when somebody looks at it: most of them are only put away.
template <typename T>
struct Archive<Kept<T>> {
  static void put(ArchiveWriter& to, const Kept<T>& kept) {
    to.put(static_cast<bool>(kept));
    if (kept) to.put(kept.bytes(archived<T>));
  }
  static Kept<T> get(ArchiveReader& from) {
    if (!from.get<bool>()) return {};
    const auto shelf = new_shelf<T>();
    const auto place = shelf->put_bytes(from.get_bytes(from.get_number()));
    return Kept<T>(shelf, place);
  }
};

template <typename T>
struct Archive<KeptList<T>> {
  static void put(ArchiveWriter& to, const KeptList<T>& list) { to.put(list.all()); }
  static KeptList<T> get(ArchiveReader& from) {
    KeptList<T> list;
    for (Kept<T>& one : from.get<std::vector<Kept<T>>>()) list.push_back(std::move(one));
    return list;
  }
};

// The text that pages show.
template <>
struct Archive<support::SourceFile> {
  static void put(ArchiveWriter& to, const support::SourceFile& file) { to.put(std::tie(file.name(), file.bytes())); }
  static support::SourceFile get(ArchiveReader& from) {
    auto [name, bytes] = from.get<std::tuple<std::string, std::string>>();
    return {std::move(name), std::move(bytes)};
  }
};

// Names of tables in the program.
template <>
struct Archive<const char*> {
  static void put(ArchiveWriter& to, const char* text) { to.put(std::string(text == nullptr ? "" : text)); }
  static const char* get(ArchiveReader& from) {
    static std::set<std::string> kept;
    return kept.insert(from.get<std::string>()).first->c_str();
  }
};

}  // namespace warpspan::app
