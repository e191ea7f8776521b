// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/facts/loop_groups.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <span>

#include "support/printable.hpp"

namespace warpspan::app {

namespace {

bool is_proven(const ir::Loop& loop) { return loop.trip_count && loop.source != ir::TripCountSource::user; }

// A file by the last part of its path, unless two of the kernel's files end in it.
std::string name_of_file(const std::string& path, const std::set<std::string>& paths) {
  const auto last = [](const std::string& p) { return p.substr(p.rfind('/') + 1); };
  const auto ends_alike = [&](const std::string& other) { return last(other) == last(path); };
  return std::count_if(paths.begin(), paths.end(), ends_alike) > 1 ? path : last(path);
}

std::string own_place(const ir::Loop& loop) {
  return loop.label.empty() ? "line:" + std::to_string(loop.line) : loop.label;
}

std::string place_in_ptx(const ir::Loop& loop) { return loop.ptx_label.empty() ? own_place(loop) : loop.ptx_label; }

// Names the copy for one call, where there are several.
std::string place_by_call(const ir::Loop& loop) {
  return own_place(loop) + (loop.called_from.empty() ? "" : " from " + loop.called_from.front());
}

using PlaceOf = std::function<std::string(const ir::Loop&)>;

// Loops by place, in the order of the first of each.
std::vector<LoopGroup> grouped(const std::vector<const ir::Loop*>& loops, const PlaceOf& place_of) {
  std::vector<LoopGroup> groups;
  std::map<std::string, size_t> known;
  for (const ir::Loop* loop : loops) {
    const auto [group, is_new] = known.emplace(place_of(*loop), groups.size());
    if (is_new) groups.push_back({group->first, {}});
    groups[group->second].loops.push_back(loop);
  }
  return groups;
}

// Whether one number was given for all that have none proven, or none for any.
bool was_given_one(const LoopGroup& group) {
  std::set<int64_t> given;
  for (const ir::Loop* loop : group.loops) {
    if (!is_proven(*loop)) given.insert(loop->given.value_or(0));
  }
  return given.size() < 2;
}

// What a file of facts says of the loop that a user bounded: of a source line it counts iterations (ir::Loop::given).
int64_t given_for(const ir::Loop& loop, const std::string& place) {
  return place == own_place(loop) || place == place_by_call(loop) ? loop.trip_count.value_or(0)
                                                                  : loop.given.value_or(0);
}

// Groups by the first of the places; those in which loops were given different numbers, by the places behind it.
void add_groups(const std::vector<const ir::Loop*>& loops, std::span<const PlaceOf> places,
                std::vector<LoopGroup>& groups) {
  for (LoopGroup& group : grouped(loops, places.front())) {
    if (places.size() == 1 || was_given_one(group)) {
      groups.push_back(std::move(group));
    } else {
      add_groups(group.loops, places.subspan(1), groups);
    }
  }
}

void complete(LoopGroup& group) {
  group.has_bounds = true;
  group.may_follow = true;
  for (const ir::Loop* loop : group.loops) {
    if (is_proven(*loop)) continue;
    group.has_bounds = false;
    group.given = std::max(group.given, given_for(*loop, group.place));
    group.may_follow = group.may_follow && !loop->remedies.empty();
  }
}

}  // namespace

std::vector<LoopGroup> loop_groups(const std::vector<ir::Loop>& loops) {
  std::set<std::string> paths;
  for (const ir::Loop& loop : loops) paths.insert(loop.source_file);
  const auto source_place = [&paths](const ir::Loop& loop) {
    const bool is_writable = loop.source_line != 0 && support::printable(loop.source_file) == loop.source_file;
    return is_writable ? name_of_file(loop.source_file, paths) + ":" + std::to_string(loop.source_line)
                       : place_in_ptx(loop);
  };
  const std::array<PlaceOf, 4> places = {source_place, place_in_ptx, own_place, place_by_call};
  std::vector<const ir::Loop*> all;
  for (const ir::Loop& loop : loops) all.push_back(&loop);
  std::vector<LoopGroup> groups;
  add_groups(all, places, groups);
  std::for_each(groups.begin(), groups.end(), complete);
  return groups;
}

}  // namespace warpspan::app
