// SPDX-License-Identifier: GPL-3.0-or-later
// The code of a kernel on a page: lines with their heat, and blocks as a graph.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "app/reports/analyze/kernel_page.hpp"
#include "app/reports/analyze/report_sections.hpp"
#include "app/reports/html/charts.hpp"
#include "app/reports/html/code_panes.hpp"
#include "app/reports/html/flow_graph.hpp"
#include "app/reports/html/page.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/xml.hpp"
#include "support/checked.hpp"

namespace warpspan::app {

namespace {

using support::Int128;

constexpr int64_t context = 10;       // lines of the source around those with instructions
constexpr int64_t tab = 4;            // columns
constexpr size_t longest_line = 400;  // bytes
constexpr size_t most_code = 40'000;  // lines of a pane
constexpr size_t most_nodes = 120;    // of a graph that is drawn

std::string file_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

std::string share(int64_t cycles, int64_t makespan) {
  if (cycles == 0) return "";
  const auto tenths = static_cast<int64_t>((Int128{cycles} * 2000 + makespan) / (Int128{makespan} * 2));
  return tenths == 0 ? "< 0.1 %" : percent(tenths);
}

// With blanks for tabs, and cut where it is very long, not within a character of UTF-8.
std::string shown(std::string_view line) {
  std::string text;
  for (const char c : line) {
    if (c == '\t') {
      text.append(static_cast<size_t>(tab - std::ssize(text) % tab), ' ');
    } else if (c != '\r') {
      text += c;
    }
    if (text.size() > longest_line && (static_cast<unsigned char>(c) & 0xc0) != 0x80) {
      text.pop_back();
      return text + " ...";
    }
  }
  return text;
}

template <typename Cost>
std::string mostly(const Cost& cost) {
  if (cost.cycles() == 0) return {};
  return cost.own >= cost.others ? "own wait" : resource_name(cost.resource);
}

class Panes {
 public:
  Panes(const KernelReport& kernel, int64_t makespan) : kernel_(kernel), code_(*kernel.code), makespan_(makespan) {
    for (const ViewedLine& line : code_.lines) hottest_ = std::max(hottest_, line.cycles());
    for (const LineCost& line : code_.costs) {
      costs_[{line.file, line.line}] = &line;
      hottest_source_ = std::max(hottest_source_, line.cycles());
    }
    for (const ViewedLine& line : code_.lines) {
      if (line.source_line > 0) used_[line.source_file].insert(line.source_line);
    }
    for (size_t i = 0; i < code_.sources.size(); ++i) files_[code_.sources[i].file] = i;
  }

  std::vector<Pane> run() const {
    std::vector<Pane> panes;
    std::vector<std::pair<int64_t, size_t>> order;  // the costliest file first
    for (size_t i = 0; i < code_.sources.size(); ++i) {
      int64_t cycles = 0;
      for (const LineCost& line : code_.costs) cycles += line.file == code_.sources[i].file ? line.cycles() : 0;
      order.emplace_back(-cycles, i);
    }
    std::sort(order.begin(), order.end());
    for (const auto& [cycles, i] : order) panes.push_back(source_pane(i));
    panes.push_back(code_pane());
    return panes;
  }

 private:
  std::string key(const std::string& file, int64_t line) const {
    const auto known = files_.find(file);
    return line == 0 || known == files_.end() ? std::string() : fmt::format("{}-{}", known->second, line);
  }

  Pane source_pane(size_t index) const {
    const CodeView::Source& source = code_.sources[index];
    Pane pane{source.path, {"line", "of all", "mostly", ""}, {}};
    int64_t last = 0;
    for (const int64_t line : used_.at(source.file)) {
      const int64_t from = std::max(last + 1, line - context);
      if (from > last + 1) add_gap(pane, from - last - 1);
      for (int64_t at = from; at < line; ++at) pane.lines.push_back(source_line(index, at));
      pane.lines.push_back(source_line(index, line));
      last = line;
      // What follows, up to the next one or as far as its surroundings go.
      const auto next = used_.at(source.file).upper_bound(line);
      const int64_t end = line_count(source);
      int64_t to = std::min(end, line + context);
      if (next != used_.at(source.file).end()) to = std::min(to, *next - 1);
      for (; last < to; ++last) pane.lines.push_back(source_line(index, last + 1));
    }
    if (const int64_t end = line_count(source); end > last) add_gap(pane, end - last);
    return pane;
  }

  static int64_t line_count(const CodeView::Source& source) {
    const std::string_view text = source.text->text();
    return std::count(text.begin(), text.end(), '\n') + (text.empty() || text.back() == '\n' ? 0 : 1);
  }

  static void add_gap(Pane& pane, int64_t lines) {
    PaneLine gap;
    gap.left_out = lines;
    pane.lines.push_back(std::move(gap));
  }

  PaneLine source_line(size_t index, int64_t line) const {
    const CodeView::Source& source = code_.sources[index];
    PaneLine shown_line;
    shown_line.number = std::to_string(line);
    shown_line.text = shown(source.text->line(line));
    const auto cost = costs_.find({source.file, line});
    const bool costs = cost != costs_.end();
    shown_line.cells = {costs ? share(cost->second->cycles(), makespan_) : "", costs ? mostly(*cost->second) : ""};
    if (costs) {
      shown_line.heat = heat_of(cost->second->cycles(), hottest_source_);
      shown_line.is_worst = cost->second->executions > 0;
    }
    if (used_.at(source.file).contains(line)) shown_line.key = key(source.file, line);
    return shown_line;
  }

  Pane code_pane() const {
    Pane pane{code_.is_machine_code ? "machine code" : kernel_.file, {"", "of all", "runs", "mostly", ""}, {}};
    pane.heads.front() = code_.is_machine_code ? "at" : "line";
    for (const ViewedLine& line : code_.lines) {
      if (pane.lines.size() == most_code) {
        add_gap(pane, std::ssize(code_.lines) - static_cast<int64_t>(most_code));
        break;
      }
      PaneLine row;
      row.number = line.place;
      row.cells = {share(line.cycles(), makespan_), line.executions > 0 ? thousands(line.executions) : "",
                   mostly(line)};
      row.text = shown(line.text);
      row.heat = heat_of(line.cycles(), hottest_);
      row.is_worst = line.executions > 0;
      row.key = key(line.source_file, line.source_line);
      if (line.source_line > 0) row.from = file_name(line.source_file) + ":" + std::to_string(line.source_line);
      pane.lines.push_back(std::move(row));
    }
    return pane;
  }

  const KernelReport& kernel_;
  const CodeView& code_;
  const int64_t makespan_;
  int64_t hottest_ = 1, hottest_source_ = 1;
  std::map<std::pair<std::string, int64_t>, const LineCost*> costs_;
  std::map<std::string, std::set<int64_t>> used_;  // lines of the source with instructions, by file
  std::map<std::string, size_t> files_;
};

// --- Blocks.

// What is drawn as one: blocks that only follow one another, or a whole loop.
struct Group {
  std::vector<uint32_t> blocks;  // in the order of the flow
  bool is_loop = false;
};

class Blocks {
 public:
  Blocks(const KernelReport& kernel, int64_t makespan) : kernel_(kernel), code_(*kernel.code), makespan_(makespan) {
    group_of_.assign(code_.blocks.size(), no_group);
    predecessors_.assign(code_.blocks.size(), 0);
    predecessor_.assign(code_.blocks.size(), 0);
    for (const uint32_t block : code_.order) {
      for (const uint32_t next : code_.blocks[block].successors) {
        ++predecessors_[next];
        predecessor_[next] = block;
      }
    }
  }

  // As much as can be drawn: loops become one box each, inner ones first, until there are few enough.
  FlowGraph graph() {
    std::set<ir::LoopId> closed;
    join(closed);
    for (size_t i = kernel_.loops.size(); i > 0 && groups_.size() > most_nodes; --i) {
      closed.insert(static_cast<ir::LoopId>(i - 1));  // children stand behind their parents
      if (i % 8 == 1 || i == 1) join(closed);
    }
    if (groups_.size() > most_nodes) return {};
    FlowGraph graph;
    int64_t hottest = 1;
    for (const Group& group : groups_) hottest = std::max(hottest, cycles_of(group));
    for (size_t i = 0; i < groups_.size(); ++i) graph.push_back(node(i, hottest));
    return graph;
  }

 private:
  static constexpr size_t no_group = SIZE_MAX;

  // The outermost closed loop that the block is in.
  ir::LoopId closed_loop(uint32_t block, const std::set<ir::LoopId>& closed) const {
    ir::LoopId found = ir::no_loop;
    for (ir::LoopId loop = code_.blocks[block].loop; loop != ir::no_loop; loop = kernel_.loops[loop].parent) {
      if (closed.contains(loop)) found = loop;
    }
    return found;
  }

  void join(const std::set<ir::LoopId>& closed) {
    groups_.clear();
    std::fill(group_of_.begin(), group_of_.end(), no_group);
    std::map<ir::LoopId, size_t> of_loop;
    for (const uint32_t block : code_.order) {
      const ir::LoopId loop = closed_loop(block, closed);
      size_t group = groups_.size();
      if (loop != ir::no_loop) {
        group = of_loop.emplace(loop, group).first->second;
      } else if (const auto before = only_before(block, closed)) {
        group = *before;
      }
      if (group == groups_.size()) groups_.push_back({{}, loop != ir::no_loop});
      groups_[group].blocks.push_back(block);
      group_of_[block] = group;
    }
  }

  // The group that ends where this block begins and nothing else does, in the same loop.
  std::optional<size_t> only_before(uint32_t block, const std::set<ir::LoopId>& closed) const {
    if (predecessors_[block] != 1) return std::nullopt;
    const uint32_t other = predecessor_[block];
    const bool same = code_.blocks[other].successors.size() == 1 && group_of_[other] != no_group &&
                      code_.blocks[other].loop == code_.blocks[block].loop && is_worst(other) == is_worst(block) &&
                      closed_loop(other, closed) == ir::no_loop;
    return same ? std::optional(group_of_[other]) : std::nullopt;
  }

  bool is_worst(uint32_t block) const { return code_.blocks[block].executions > 0; }

  int64_t cycles_of(const Group& group) const {
    int64_t cycles = 0;
    for (const uint32_t block : group.blocks) cycles += code_.blocks[block].cycles;
    return cycles;
  }

  std::string range_of(const Group& group) const {
    const ViewedBlock *first = nullptr, *last = nullptr;
    for (const uint32_t b : group.blocks) {
      const ViewedBlock& block = code_.blocks[b];
      if (block.first == 0) continue;
      if (first == nullptr || block.first < first->first) first = &block;
      if (last == nullptr || block.last > last->last) last = &block;
    }
    if (first == nullptr) return "no instructions";
    const std::string what = code_.is_machine_code ? "" : first->first == last->last ? "line " : "lines ";
    return what + (first->first == last->last ? first->begins : first->begins + " to " + last->ends);
  }

  // "loop x64" where one begins.
  std::string loop_text(const Group& group) const {
    for (size_t i = 0; i < kernel_.loops.size(); ++i) {
      const ir::Loop& loop = kernel_.loops[i];
      if (loop.header != group.blocks.front()) continue;
      return (group.is_loop ? "loop, whole" : "loop") +
             (loop.trip_count ? " of " + counted(*loop.trip_count, "trip") : std::string());
    }
    return {};
  }

  FlowNode node(size_t index, int64_t hottest) const {
    const Group& group = groups_[index];
    const ViewedBlock& begin = code_.blocks[group.blocks.front()];
    FlowNode node;
    int64_t executions = 0;
    node.is_never = true;
    for (const uint32_t block : group.blocks) {
      executions = std::max(executions, code_.blocks[block].executions);
      node.is_never = node.is_never && !code_.blocks[block].is_executed;
      for (const uint32_t next : code_.blocks[block].successors) {
        const size_t to = group_of_[next];
        if (to == no_group || (to == index && !loops_back(group, next))) continue;
        if (std::find(node.next.begin(), node.next.end(), to) == node.next.end()) node.next.push_back(to);
      }
    }
    node.is_worst = executions > 0;
    const int64_t cycles = cycles_of(group);
    node.heat = heat_of(cycles, hottest);
    if (!begin.label.empty() && begin.label != begin.begins) node.words.push_back(shorten(begin.label, 28));
    node.words.push_back(range_of(group));
    if (const std::string loop = loop_text(group); !loop.empty()) node.words.push_back(loop);
    std::string runs = executions > 0 ? fmt::format("runs {}", thousands(executions)) : "not on the worst path";
    if (node.is_never) runs = "no thread comes here";
    if (cycles > 0) runs += ", " + share(cycles, makespan_);
    node.words.push_back(runs);
    node.title = joined(node.words) + (cycles > 0 ? ", " + counted(cycles, "cycle") : "");
    return node;
  }

  // Of an edge within a group: whether it is one of a loop that is drawn.
  static bool loops_back(const Group& group, uint32_t next) { return !group.is_loop && next == group.blocks.front(); }

  const KernelReport& kernel_;
  const CodeView& code_;
  const int64_t makespan_;
  std::vector<Group> groups_;
  std::vector<size_t> group_of_;
  std::vector<size_t> predecessors_;   // how many, by block
  std::vector<uint32_t> predecessor_;  // one of them
};

}  // namespace

std::string code_section(const KernelReport& kernel, const std::string& prefix) {
  const solver::Bound* bound = headline_bound(kernel.analysis);
  if (!kernel.code || kernel.code->lines.empty() || bound == nullptr) return {};
  const std::vector<Pane> panes = Panes(kernel, std::max<int64_t>(*bound->makespan, 1)).run();
  const bool both = panes.size() > 1;
  const std::string what = kernel.code->is_machine_code ? "machine code" : "PTX";
  const std::string remark =
      "The darker, the more of the bound; a red edge: on the worst path. What fetching code and dispatch take belongs "
      "to no line." +
      std::string(both ? " A click shows what belongs together." : " No file of the source could be read.");
  return folded(both                           ? "Source and " + what
                : kernel.code->is_machine_code ? "Machine code"
                                               : what,
                "<p class=\"remark\">" + remark + "</p>\n" + code_panes(panes, prefix));
}

std::string flow_section(const KernelReport& kernel, const std::string& prefix) {
  const solver::Bound* bound = headline_bound(kernel.analysis);
  if (!kernel.code || kernel.code->order.size() < 2 || bound == nullptr) return {};
  const FlowGraph graph = Blocks(kernel, std::max<int64_t>(*bound->makespan, 1)).graph();
  const std::string heading = "Control flow";
  if (graph.empty()) {
    return folded(heading, "<p>" + counted(std::ssize(kernel.code->order), "block") + ": too many to draw.</p>\n");
  }
  return folded(heading,
                "<p class=\"remark\">Red: the worst path of a warp. Where lanes take both sides of a branch, "
                "both are on it.</p>\n" +
                    flow_picture(graph, "control flow of " + kernel.name, prefix));
}

}  // namespace warpspan::app
