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

// How the files of both sides are called, so that those of two folders are the same: by their last part, unless a side
// has several files of it.
class FileNames {
 public:
  FileNames(const std::vector<LineCost>& before, const std::vector<LineCost>& after) {
    for (const auto* lines : {&before, &after}) {
      std::map<std::string, std::set<std::string>> paths;
      for (const LineCost& line : *lines) paths[last_part(line.file)].insert(line.file);
      for (const auto& [name, files] : paths) {
        if (files.size() > 1) ambiguous_.insert(name);
      }
    }
  }

  std::string operator()(const LineCost& line) const {
    const std::string name = last_part(line.file);
    return ambiguous_.count(name) != 0 ? line.file : name;
  }

 private:
  static std::string last_part(const std::string& file) { return std::filesystem::path(file).filename().string(); }

  std::set<std::string> ambiguous_;
};

class LineMatcher {
 public:
  LineMatcher(const std::vector<LineCost>& before, const std::vector<LineCost>& after)
      : names_(before, after), before_(in_order(before)), after_(in_order(after)) {}

  // Pairs lines of the same key, the first with the first.
  template <typename Key>
  void by(const Key& key) {
    std::map<decltype(key(*before_.front())), std::vector<const LineCost*>> groups;
    for (const LineCost* line : after_) groups[key(*line)].push_back(line);
    std::map<decltype(key(*before_.front())), size_t> taken;
    std::vector<const LineCost*> left;
    std::set<const LineCost*> paired;
    for (const LineCost* line : before_) {
      const auto found = groups.find(key(*line));
      const size_t next = found == groups.end() ? 0 : taken[found->first];
      if (found == groups.end() || next == found->second.size()) {
        left.push_back(line);
        continue;
      }
      ++taken[found->first];
      paired.insert(found->second[next]);
      add(line, found->second[next]);
    }
    before_ = std::move(left);
    std::erase_if(after_, [&](const LineCost* line) { return paired.count(line) != 0; });
  }

  // Pairs lines whose text, if there is any, no other has that is left on either side.
  void by_unique_text() {
    std::map<std::string, Lines> before, after;
    for (const LineCost* line : before_) before[line->text].push_back(line);
    for (const LineCost* line : after_) after[line->text].push_back(line);
    std::set<const LineCost*> paired;
    for (const auto& [text, lines] : after) {
      const auto found = before.find(text);
      if (text.empty() || found == before.end() || found->second.size() != 1 || lines.size() != 1) continue;
      add(found->second.front(), lines.front());
      paired.insert({found->second.front(), lines.front()});
    }
    const auto is_paired = [&](const LineCost* line) { return paired.count(line) != 0; };
    std::erase_if(before_, is_paired);
    std::erase_if(after_, is_paired);
  }

  std::string name(const LineCost& line) const { return names_(line); }

  std::vector<LineChange> take() {
    for (const LineCost* line : before_) add(line, nullptr);
    for (const LineCost* line : after_) add(nullptr, line);
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
  using Lines = std::vector<const LineCost*>;

  Lines in_order(const std::vector<LineCost>& lines) const {
    Lines ordered;
    for (const LineCost& line : lines) ordered.push_back(&line);
    std::stable_sort(ordered.begin(), ordered.end(), [this](const LineCost* a, const LineCost* b) {
      return std::make_pair(names_(*a), a->line) < std::make_pair(names_(*b), b->line);
    });
    return ordered;
  }

  void add(const LineCost* before, const LineCost* after) {
    const LineCost& shown = before != nullptr ? *before : *after;
    LineChange change{names_(shown), std::nullopt, std::nullopt, shown.text};
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

  FileNames names_;
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
  const auto place = [&by_line](const LoopFigure& loop) {
    const std::string file = std::filesystem::path(loop.source_file).filename().string();
    return by_line ? std::make_pair(file, loop.source_line) : std::make_pair(std::string(), int64_t{0});
  };
  std::map<std::pair<std::string, int64_t>, std::vector<LoopFigure>> free;
  for (const LoopFigure& loop : after) free[place(loop)].push_back(loop);
  std::vector<LoopChange> changes;
  for (const LoopFigure& loop : before) {
    std::vector<LoopFigure>& same_place = free[place(loop)];
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
    matcher.by([&](const LineCost& line) { return std::make_tuple(matcher.name(line), line.line, line.text); });
    matcher.by([&](const LineCost& line) {
      // A line without text is like no other.
      return std::make_tuple(matcher.name(line), line.text.empty() ? line.line : 0, line.text);
    });
    // A file may be called otherwise by now.
    matcher.by_unique_text();
    matcher.by([&](const LineCost& line) {
      return std::make_tuple(matcher.name(line), line.line, line.line == 0 ? line.text : std::string());
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
