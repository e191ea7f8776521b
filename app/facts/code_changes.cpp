// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/facts/code_changes.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>

namespace warpspan::app {

namespace {

using Names = std::vector<std::string>;

// "$L__BB0_2 k.cu:12": the label, and the place in the source, which may be missing.
std::string_view label_of(std::string_view loop) { return loop.substr(0, loop.find(' ')); }
std::string_view source_of(std::string_view loop) {
  const size_t blank = loop.find(' ');
  return blank == std::string_view::npos ? std::string_view() : loop.substr(blank + 1);
}

// Takes pairs that belong together out of both lists, in order, and calls use(old, new) for each.
void match(Names& before, Names& now, const std::function<bool(const std::string&, const std::string&)>& belong,
           const std::function<void(const std::string&, const std::string&)>& use) {
  for (auto old = before.begin(); old != before.end();) {
    const auto same = std::find_if(now.begin(), now.end(), [&](const std::string& name) { return belong(*old, name); });
    if (same == now.end()) {
      ++old;
      continue;
    }
    use(*old, *same);
    now.erase(same);
    old = before.erase(old);
  }
}

// Copies of a function have loops of one name: how many, depends on the facts.
void keep_first(Names& names) {
  std::set<std::string> known;
  std::erase_if(names, [&known](const std::string& name) { return !known.insert(name).second; });
}

// Loops differ by label and source line; of those that changed, first by the label alone, then by the line.
void add_loop_changes(Names before, Names now, Names& changes) {
  keep_first(before);
  keep_first(now);
  match(before, now, std::equal_to<std::string>(), [](const auto&, const auto&) {});
  match(
      before, now, [](const auto& a, const auto& b) { return label_of(a) == label_of(b); },
      [&](const std::string& a, const std::string& b) {
        const auto place = [](const std::string& loop) {
          return source_of(loop).empty() ? "no known line" : std::string(source_of(loop));
        };
        changes.push_back("the loop " + std::string(label_of(a)) + " moved from " + place(a) + " to " + place(b));
      });
  match(
      before, now, [](const auto& a, const auto& b) { return !source_of(a).empty() && source_of(a) == source_of(b); },
      [&](const std::string& a, const std::string& b) {
        changes.push_back("the loop " + std::string(label_of(a)) + " of " + std::string(source_of(a)) + " is called " +
                          std::string(label_of(b)) + " now");
      });
  for (const std::string& loop : before) changes.push_back("the loop " + loop + " is gone");
  for (const std::string& loop : now) changes.push_back("the loop " + loop + " is new");
}

void add_parameter_changes(Names before, Names now, Names& changes) {
  if (before == now) return;
  match(before, now, std::equal_to<std::string>(), [](const auto&, const auto&) {});
  for (const std::string& parameter : before) changes.push_back("the parameter " + parameter + " is gone");
  for (const std::string& parameter : now) changes.push_back("the parameter " + parameter + " is new");
  if (before.empty() && now.empty()) changes.emplace_back("its parameters have another order");
}

void add_call_changes(const Names& before, const Names& now, Names& changes) {
  const auto place = [](const std::string& call) { return call.empty() ? std::string("no known line") : call; };
  if (before.size() != now.size()) {
    changes.push_back("it has " + std::to_string(now.size()) + " calls, not " + std::to_string(before.size()));
    return;
  }
  for (size_t i = 0; i < now.size(); ++i) {
    if (before[i] != now[i]) changes.push_back("the call at " + place(before[i]) + " moved to " + place(now[i]));
  }
}

template <typename Parts>
Names all_remembered(const Parts& parts) {
  Names names;
  for (const auto& part : parts) names.push_back(ir::remembered(part));
  return names;
}

}  // namespace

std::vector<std::string> code_changes(const ExpectedCode& expected, const ir::KernelCode& code) {
  Names changes;
  if (expected.instructions && *expected.instructions != code.instructions) {
    changes.push_back("it has " + std::to_string(code.instructions) + " instructions, not " +
                      std::to_string(*expected.instructions));
  }
  if (expected.parameters) add_parameter_changes(*expected.parameters, all_remembered(code.parameters), changes);
  if (expected.loops && code.loops) add_loop_changes(*expected.loops, all_remembered(*code.loops), changes);
  if (expected.call_lines) add_call_changes(*expected.call_lines, code.calls, changes);
  return changes;
}

}  // namespace warpspan::app
