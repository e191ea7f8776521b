#include "app/reports/facts/facts_report.hpp"

#include <algorithm>
#include <map>
#include <set>

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

// Of the copy for one call, where there are several.
std::string place_by_call(const ir::Loop& loop) {
  return own_place(loop) + (loop.called_from.empty() ? "" : " from " + loop.called_from.front());
}

// Loops by place, in the order of the first of each.
std::vector<LoopGroup> grouped(const std::vector<const ir::Loop*>& loops,
                               const std::map<const ir::Loop*, std::string>& places) {
  std::vector<LoopGroup> groups;
  for (const ir::Loop* loop : loops) {
    const std::string& place = places.at(loop);
    auto known = std::find_if(groups.begin(), groups.end(), [&](const LoopGroup& g) { return g.place == place; });
    if (known == groups.end()) {
      groups.push_back({place, {}});
      known = std::prev(groups.end());
    }
    known->loops.push_back(loop);
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

// What a file of facts says of the loop that a user bounded: of a source line it counts turns (ir::Loop::given).
int64_t given_for(const ir::Loop& loop, const std::string& place) {
  return place == own_place(loop) || place == place_by_call(loop) ? loop.trip_count.value_or(0)
                                                                  : loop.given.value_or(0);
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
  std::vector<const ir::Loop*> all;
  std::map<const ir::Loop*, std::string> places;
  std::map<const ir::Loop*, std::string> own_places, places_by_call;
  for (const ir::Loop& loop : loops) {
    all.push_back(&loop);
    own_places[&loop] = own_place(loop);
    places_by_call[&loop] = place_by_call(loop);
    const bool is_writable = loop.source_line != 0 && support::printable(loop.source_file) == loop.source_file;
    places[&loop] =
        !is_writable ? own_place(loop) : name_of_file(loop.source_file, paths) + ":" + std::to_string(loop.source_line);
  }
  std::vector<LoopGroup> groups;
  for (LoopGroup& group : grouped(all, places)) {
    if (was_given_one(group)) {
      groups.push_back(std::move(group));
    } else {
      for (LoopGroup& part : grouped(group.loops, own_places)) {
        if (was_given_one(part)) {
          groups.push_back(std::move(part));
        } else {
          for (LoopGroup& copy : grouped(part.loops, places_by_call)) groups.push_back(std::move(copy));
        }
      }
    }
  }
  std::for_each(groups.begin(), groups.end(), complete);
  return groups;
}

}  // namespace warpspan::app
