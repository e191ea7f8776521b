// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/compare/compare_changes.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "app/reports/names.hpp"
#include "app/reports/readable.hpp"

namespace warpspan::app {

namespace {

int64_t size_of(int64_t change) { return change < 0 ? -change : change; }

// --- Values with names.

// Those that changed, the largest change first. A name that a side lacks has 0 cycles there.
std::vector<ValueChange> changed(const std::vector<NamedCycles>& before, const std::vector<NamedCycles>& after) {
  std::map<std::string, std::pair<int64_t, int64_t>> values;
  for (const NamedCycles& value : before) values[value.name].first += value.cycles;
  for (const NamedCycles& value : after) values[value.name].second += value.cycles;
  std::vector<ValueChange> changes;
  for (const auto& [name, cycles] : values) {
    if (cycles.first != cycles.second) changes.push_back({name, cycles.first, cycles.second});
  }
  std::stable_sort(changes.begin(), changes.end(), [](const ValueChange& a, const ValueChange& b) {
    return size_of(*a.after - *a.before) > size_of(*b.after - *b.before);
  });
  return changes;
}

std::vector<ValueChange> transactions_between(const KernelFigures& before, const KernelFigures& after) {
  std::vector<ValueChange> changes;
  if (!before.transactions || !after.transactions) return changes;
  std::map<ir::MemorySpace, std::pair<std::optional<int64_t>, std::optional<int64_t>>> spaces;
  for (const SpaceTransactions& entry : *before.transactions) spaces[entry.space].first = entry.count;
  for (const SpaceTransactions& entry : *after.transactions) spaces[entry.space].second = entry.count;
  for (const auto& [space, counts] : spaces) {
    changes.push_back({std::string(to_string(space)), counts.first, counts.second});
  }
  return changes;
}

std::vector<std::string> without(const std::vector<std::string>& all, const std::vector<std::string>& others) {
  std::vector<std::string> own;
  for (const std::string& one : all) {
    if (std::find(others.begin(), others.end(), one) == others.end()) own.push_back(one);
  }
  return own;
}

// --- Lines.

// How the files of both sides are called, so that those of two folders are the same: by their last part. Where a side
// has several of it, a file that both have keeps its path, and others are called by what follows the folder that those
// of their side have in common. Where each side has one file that the other lacks, it is the same, renamed.
class FileNames {
 public:
  using Files = std::set<std::string>;

  FileNames(const Files& before, const Files& after)
      : before_(names_of(before, after)), after_(names_of(after, before)) {
    own_after_ = after_;
    const std::vector<std::string*> gone = lacking(before_, after_), come = lacking(after_, before_);
    if (gone.size() == 1 && come.size() == 1) *come.front() = *gone.front();
  }

  const std::string& before(const std::string& file) const { return before_.at(file); }
  const std::string& after(const std::string& file) const { return after_.at(file); }
  // As `after`, but of one that is renamed its own.
  const std::string& own_after(const std::string& file) const { return own_after_.at(file); }

 private:
  using Names = std::map<std::string, std::string>;  // by file

  static std::map<std::string, std::vector<std::string>> by_last_part(const Files& files) {
    std::map<std::string, std::vector<std::string>> groups;
    for (const std::string& file : files) groups[std::filesystem::path(file).filename().string()].push_back(file);
    return groups;
  }

  static Names names_of(const Files& files, const Files& others) {
    auto of_others = by_last_part(others);
    Names names;
    for (const auto& [name, paths] : by_last_part(files)) {
      const bool is_one = paths.size() == 1 && of_others[name].size() <= 1;
      const size_t folder = common_folder(paths);
      for (const std::string& path : paths) {
        names[path] = is_one ? name : path.substr(others.contains(path) ? 0 : folder);
      }
    }
    return names;
  }

  // Characters of the folders that all have in front. The paths are in order, so that the outer ones differ most.
  static size_t common_folder(const std::vector<std::string>& paths) {
    const std::string& first = paths.front();
    const std::string& last = paths.back();
    const auto differ = std::mismatch(first.begin(), first.end(), last.begin(), last.end()).first;
    const std::string same(first.begin(), differ);
    return same.rfind('/') == std::string::npos ? 0 : same.rfind('/') + 1;
  }

  static std::vector<std::string*> lacking(Names& own, const Names& others) {
    std::vector<std::string*> names;
    for (auto& [file, name] : own) {
      const auto is_it = [&name = name](const auto& other) { return other.second == name; };
      if (!name.empty() && std::none_of(others.begin(), others.end(), is_it)) names.push_back(&name);
    }
    return names;
  }

  Names before_, after_, own_after_;
};

template <typename Place>
FileNames::Files files_of(const std::vector<Place>& places, std::string Place::*file) {
  FileNames::Files files;
  for (const Place& place : places) files.insert(place.*file);
  return files;
}

class LineMatcher {
 public:
  LineMatcher(const std::vector<LineCost>& before, const std::vector<LineCost>& after) {
    const FileNames names(files_of(before, &LineCost::file), files_of(after, &LineCost::file));
    for (const LineCost& line : before) before_.push_back({&line, names.before(line.file), names.before(line.file)});
    for (const LineCost& line : after) after_.push_back({&line, names.after(line.file), names.own_after(line.file)});
    for (Lines* lines : {&before_, &after_}) std::stable_sort(lines->begin(), lines->end(), stands_before);
  }

  struct Line {
    const LineCost* cost;
    std::string file, own_file;  // its name on both sides, and on this one
  };

  // Pairs lines of the same key, the first with the first.
  template <typename Key>
  void by(const Key& key) {
    using Made = std::decay_t<decltype(key(before_.front()))>;
    std::map<Made, std::vector<const LineCost*>> groups;
    for (const Line& line : after_) groups[key(line)].push_back(line.cost);
    std::map<Made, size_t> taken;
    Lines left;
    std::set<const LineCost*> paired;
    for (const Line& line : before_) {
      const auto found = groups.find(key(line));
      const size_t next = found == groups.end() ? 0 : taken[found->first];
      if (found == groups.end() || next == found->second.size()) {
        left.push_back(line);
        continue;
      }
      ++taken[found->first];
      paired.insert(found->second[next]);
      add(line.file, line.cost, found->second[next]);
    }
    before_ = std::move(left);
    std::erase_if(after_, [&](const Line& line) { return paired.count(line.cost) != 0; });
  }

  // Pairs lines whose text, if there is any, no other has that is left on either side.
  void by_unique_text() {
    std::map<std::string, Lines> before, after;
    for (const Line& line : before_) before[line.cost->text].push_back(line);
    for (const Line& line : after_) after[line.cost->text].push_back(line);
    std::set<const LineCost*> paired;
    for (const auto& [text, lines] : after) {
      const auto found = before.find(text);
      if (text.empty() || found == before.end() || found->second.size() != 1 || lines.size() != 1) continue;
      const Line& first = found->second.front();
      add(first.file, first.cost, lines.front().cost);
      paired.insert({first.cost, lines.front().cost});
    }
    const auto is_paired = [&](const Line& line) { return paired.count(line.cost) != 0; };
    std::erase_if(before_, is_paired);
    std::erase_if(after_, is_paired);
  }

  std::vector<LineChange> take() {
    for (const Line& line : before_) add(line.file, line.cost, nullptr);
    for (const Line& line : after_) add(line.own_file, nullptr, line.cost);
    std::erase_if(changes_, [](const LineChange& change) { return change.change() == 0; });
    std::stable_sort(changes_.begin(), changes_.end(), [](const LineChange& a, const LineChange& b) {
      const auto place = [](const LineChange& line) {
        const int64_t number = line.line_before.value_or(line.line_after.value_or(0));
        return std::make_tuple(-size_of(line.change()), line.file, number, line.text);
      };
      return place(a) < place(b);
    });
    return std::move(changes_);
  }

 private:
  using Lines = std::vector<Line>;

  static bool stands_before(const Line& a, const Line& b) {
    return std::tie(a.file, a.cost->line) < std::tie(b.file, b.cost->line);
  }

  void add(const std::string& file, const LineCost* before, const LineCost* after) {
    const LineCost& shown = before != nullptr ? *before : *after;
    LineChange change{file, std::nullopt, std::nullopt, shown.text};
    if (before != nullptr) {
      if (before->line > 0) change.line_before = before->line;
      change.before = before->cycles();
    }
    if (after != nullptr) {
      if (after->line > 0) change.line_after = after->line;
      change.after = after->cycles();
    }
    changes_.push_back(std::move(change));
  }

  Lines before_, after_;  // not in a pair, by file and line
  std::vector<LineChange> changes_;
};

bool has_source(const KernelFigures& kernel) {
  const auto of_source = [&kernel](const LineCost& line) { return is_of_source(kernel, line); };
  return std::any_of(kernel.lines->begin(), kernel.lines->end(), of_source);
}

// The lines of the source, and as one more, without a file, all code that no line table tells of: what is compiled into
// a kernel from libraries.
std::vector<LineCost> of_source(const KernelFigures& kernel) {
  std::vector<LineCost> lines;
  LineCost others;
  for (const LineCost& line : *kernel.lines) {
    if (is_of_source(kernel, line)) {
      lines.push_back(line);
    } else {
      others.own += line.own;
      others.others += line.others;
    }
  }
  lines.push_back(others);
  return lines;
}

std::string launch_of(const KernelFigures& kernel) {
  return "block " + extent(kernel.block) + (kernel.grid ? ", grid " + extent(*kernel.grid) : ", one block");
}

bool same(const ir::Extent& a, const ir::Extent& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

bool same_launch(const KernelFigures& a, const KernelFigures& b) {
  if (!same(a.block, b.block) || a.grid.has_value() != b.grid.has_value()) return false;
  return !a.grid || same(*a.grid, *b.grid);
}

void compare_costs(const KernelFigures& before, const KernelFigures& after, KernelChanges& changes) {
  if (!before.lines || !after.lines) {
    changes.lines_missing = "a report does not tell what lines cost";
  } else if (!has_source(before) || !has_source(after)) {
    changes.lines_missing =
        "lines of PTX cannot be compared, and there is no line table (compile with -lineinfo, or -gline-tables-only)";
  } else {
    changes.lines = match_lines(of_source(before), of_source(after));
    return;
  }
  if (before.words && after.words) changes.words = changed(*before.words, *after.words);
}

}  // namespace

std::vector<LoopChange> match_loops(const std::vector<LoopFigure>& before, const std::vector<LoopFigure>& after,
                                    bool& by_line) {
  const auto has_line = [](const LoopFigure& loop) { return loop.source_line > 0; };
  by_line = std::all_of(before.begin(), before.end(), has_line) && std::all_of(after.begin(), after.end(), has_line);
  const FileNames names(files_of(before, &LoopFigure::source_file), files_of(after, &LoopFigure::source_file));
  const auto place = [&by_line](const std::string& file, const LoopFigure& loop) {
    return by_line ? std::make_pair(file, loop.source_line) : std::make_pair(std::string(), int64_t{0});
  };
  std::map<std::pair<std::string, int64_t>, std::vector<LoopFigure>> free;
  for (const LoopFigure& loop : after) free[place(names.after(loop.source_file), loop)].push_back(loop);
  std::vector<LoopChange> changes;
  for (const LoopFigure& loop : before) {
    std::vector<LoopFigure>& same_place = free[place(names.before(loop.source_file), loop)];
    changes.push_back({loop, std::nullopt});
    if (same_place.empty()) continue;
    changes.back().after = same_place.front();
    same_place.erase(same_place.begin());
  }
  for (const auto& [where, loops] : free) {
    for (const LoopFigure& loop : loops) changes.push_back({std::nullopt, loop});
  }
  return changes;
}

std::vector<LineChange> match_lines(const std::vector<LineCost>& before, const std::vector<LineCost>& after) {
  LineMatcher matcher(before, after);
  if (!before.empty() && !after.empty()) {
    using Line = LineMatcher::Line;
    matcher.by([](const Line& line) { return std::tuple(line.file, line.cost->line, line.cost->text); });
    matcher.by([](const Line& line) {
      // A line without text is like no other.
      return std::tuple(line.file, line.cost->text.empty() ? line.cost->line : 0, line.cost->text);
    });
    // A file may be called otherwise by now.
    matcher.by_unique_text();
    // In one that is, another text at the same number is another line.
    matcher.by([](const Line& line) {
      return std::tuple(line.own_file, line.cost->line, line.cost->line == 0 ? line.cost->text : std::string());
    });
  }
  return matcher.take();
}

KernelChanges changes_between(const KernelFigures& before, const KernelFigures& after) {
  KernelChanges changes;
  changes.other_machine = before.machine != after.machine;
  if (!same_launch(before, after)) {
    changes.not_comparable = "the launches differ: " + launch_of(before) + " against " + launch_of(after);
  }
  changes.loops = match_loops(before.loops, after.loops, changes.loops_by_line);
  changes.transactions = transactions_between(before, after);
  changes.parts = changed(before.parts, after.parts);
  compare_costs(before, after, changes);
  changes.assumed_before = without(before.assumptions, after.assumptions);
  changes.assumed_after = without(after.assumptions, before.assumptions);
  return changes;
}

}  // namespace warpspan::app
