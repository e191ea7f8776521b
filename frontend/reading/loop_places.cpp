// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/reading/loop_places.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace warpspan::frontend {

namespace {

// A place in the program that a kernel was compiled from: file, by index, and line.
using Place = std::pair<uint32_t, uint16_t>;  // line, file: ordered by line

// The branches of a loop that its place is found from.
struct Branches {
  std::vector<ir::BlockId> back;     // blocks that may go on to the header
  std::vector<ir::BlockId> testing;  // those of them that may leave the loop
  bool header_tests = false;         // the header may leave the loop
  bool others_test = false;          // a block that does not go back may
};

class SourcePlaces {
 public:
  SourcePlaces(const ir::Kernel& kernel, ir::Flow& flow)
      : kernel_(kernel),
        flow_(flow),
        depths_(flow.loops.size()),
        branches_(flow.loops.size()),
        predecessors_(kernel.blocks.size()) {
    for (size_t l = 0; l < flow.loops.size(); ++l) {
      depths_[l] = flow.loops[l].parent == ir::no_loop ? 1 : depths_[flow.loops[l].parent] + 1;
    }
  }

  void run() {
    for (const ir::BlockId b : flow_.order) find_back_edges(b);
    for (const ir::BlockId b : flow_.order) find_exits(b);
    for (size_t l = flow_.loops.size(); l-- > 0;) {
      const ir::LoopId parent = flow_.loops[l].parent;
      if (parent != ir::no_loop && ends_inside_.contains(static_cast<ir::LoopId>(l))) ends_inside_.insert(parent);
    }
    for (size_t l = 0; l < flow_.loops.size(); ++l) find_place(static_cast<ir::LoopId>(l));
    for (const ir::LoopId l : of_unknown_place()) {
      flow_.loops[l].source_line = 0;
      flow_.loops[l].source_file.clear();
    }
  }

 private:
  uint32_t depth(ir::LoopId loop) const { return loop == ir::no_loop ? 0 : depths_[loop]; }

  // The innermost loop that contains both: no_loop if none does.
  ir::LoopId common(ir::LoopId a, ir::LoopId b) const {
    while (a != b) {
      ir::LoopId& deeper = depth(a) > depth(b) ? a : b;
      deeper = flow_.loops[deeper].parent;
    }
    return a;
  }

  // A header belongs to its loop before all others.
  bool goes_back(ir::BlockId b, ir::BlockId next) const {
    const ir::LoopId loop = flow_.blocks[next].loop;
    return loop != ir::no_loop && flow_.loops[loop].header == next && common(flow_.blocks[b].loop, loop) == loop;
  }

  void find_back_edges(ir::BlockId b) {
    for (const ir::BlockId next : kernel_.blocks[b].successors) {
      ++predecessors_[next];
      if (!goes_back(b, next)) continue;
      std::vector<ir::BlockId>& back = branches_[flow_.blocks[next].loop].back;
      if (back.empty() || back.back() != b) back.push_back(b);
    }
  }

  void find_exits(ir::BlockId b) {
    const ir::LoopId own = flow_.blocks[b].loop;
    if (own == ir::no_loop) return;
    if (kernel_.blocks[b].may_end) ends_inside_.insert(own);
    for (const ir::BlockId next : kernel_.blocks[b].successors) {
      const ir::LoopId stays_in = common(own, flow_.blocks[next].loop);
      for (ir::LoopId l = own; l != stays_in; l = flow_.loops[l].parent) add_exit(b, branches_[l], flow_.loops[l]);
    }
  }

  // A block in a loop that goes on to its header ends an iteration.
  void add_exit(ir::BlockId b, Branches& branches, const ir::Loop& loop) const {
    const std::vector<ir::BlockId>& successors = kernel_.blocks[b].successors;
    const bool ends_iteration = std::find(successors.begin(), successors.end(), loop.header) != successors.end();
    if (ends_iteration) branches.testing.push_back(b);
    if (b == loop.header) branches.header_tests = true;
    if (!ends_iteration) branches.others_test = true;
  }

  std::optional<Place> place_of(ir::InstructionId i) const {
    const ir::Instruction& instruction = kernel_.instructions[i];
    if (instruction.source_line == 0) return std::nullopt;
    return Place(instruction.source_line, instruction.source_file);
  }

  std::optional<Place> end_of(ir::BlockId b) const {
    const ir::Block& block = kernel_.blocks[b];
    return block.count == 0 ? std::nullopt : place_of(block.first + block.count - 1);
  }

  std::optional<Place> smallest_end(const std::vector<ir::BlockId>& blocks) const {
    std::optional<Place> smallest;
    for (const ir::BlockId b : blocks) {
      const auto end = end_of(b);
      if (end && (!smallest || *end < *smallest)) smallest = end;
    }
    return smallest;
  }

  // Whether the block does nothing but go on.
  bool is_empty(ir::BlockId b) const {
    const ir::Block& block = kernel_.blocks[b];
    return block.count <= 1 && block.successors.size() == 1;
  }

  // Whether iterations of the loop end at several places.
  bool ends_iterations_apart(ir::LoopId l) const {
    const std::vector<ir::BlockId>& back = branches_[l].back;
    if (back.size() != 1) return true;
    return is_empty(back.front()) && predecessors_[back.front()] > 1;
  }

  // Loops that may be another one than their lines tell. Compilers make one loop of two that are nested and begin at
  // one place: iterations of both then end at places of their own, and its header runs as often as the iterations of
  // both in sum. And where the test of an inner loop, or of a function that is copied, came to decide on iterations of
  // the outer one, the outer one has the inner one's line.
  std::set<ir::LoopId> of_unknown_place() const {
    std::set<ir::LoopId> unknown;
    for (size_t i = 0; i < flow_.loops.size(); ++i) {
      const auto l = static_cast<ir::LoopId>(i);
      const ir::Loop& loop = flow_.loops[l];
      if (loop.source_line == 0) continue;
      if (ends_iterations_apart(l)) unknown.insert(l);
      for (ir::LoopId outer = loop.parent; outer != ir::no_loop; outer = flow_.loops[outer].parent) {
        const ir::Loop& around = flow_.loops[outer];
        if (around.source_line == loop.source_line && around.source_file == loop.source_file) {
          unknown.insert({l, outer});
        }
      }
    }
    return unknown;
  }

  void find_place(ir::LoopId l) const {
    ir::Loop& loop = flow_.loops[l];
    const Branches& branches = branches_[l];
    loop.tests_last = !branches.others_test && !ends_inside_.contains(l);
    std::optional<Place> place = smallest_end(branches.testing);
    if (!place && branches.header_tests) place = end_of(loop.header);
    if (!place) return;
    loop.source_line = place->first;
    loop.source_file = kernel_.source_files[place->second];
  }

  const ir::Kernel& kernel_;
  ir::Flow& flow_;
  std::vector<uint32_t> depths_;        // by loop, from 1
  std::vector<Branches> branches_;      // by loop
  std::vector<uint32_t> predecessors_;  // by block, how many edges lead there
  std::set<ir::LoopId> ends_inside_;    // loops in which threads may end
};

// Labels by the instruction that they stand before, of the body of a kernel or of one that it shares.
class Labels {
 public:
  explicit Labels(const ptx::Function& body) : body_(body) {
    for (uint32_t i = 0; i < body.labels.size(); ++i) {
      if (!body.labels[i].name.empty()) order_.push_back(i);
    }
    std::stable_sort(order_.begin(), order_.end(), [this](uint32_t a, uint32_t b) {
      return body_.labels[a].instruction < body_.labels[b].instruction;
    });
  }

  const ptx::Function& body() const { return body_; }

  template <typename Visit>
  void for_each_at(size_t instruction, const Visit& visit) const {
    auto i = std::lower_bound(order_.begin(), order_.end(), instruction, [this](uint32_t label, size_t wanted) {
      return body_.labels[label].instruction < wanted;
    });
    for (; i != order_.end() && body_.labels[*i].instruction == instruction; ++i) visit(body_.labels[*i]);
  }

 private:
  const ptx::Function& body_;
  std::vector<uint32_t> order_;  // those with names
};

class HeaderPlaces {
 public:
  HeaderPlaces(const ptx::Module& module, const ptx::Function& function) : module_(module), offset_(function.offset) {
    bodies_.emplace_back(function);
    for (const ptx::Function& body : function.shared) bodies_.emplace_back(body);
  }

  HeaderPlace find(const ir::Block& header) const {
    HeaderPlace place;
    place.offset = offset_;
    if (header.count == 0) return place;
    const auto [labels, first] = position_of(header.first);
    const uint32_t offset = labels->body().instructions[first].offset;
    place.offset = offset;
    place.first_line = place.last_line = line_of(offset);
    // What stands at the end of a function that is copied here is no label of the code behind it.
    labels->for_each_at(first, [&](const ptx::Label& label) {
      if (label.offset > offset || !are_of_one_function(label.offset, offset)) return;
      place.labels.push_back(label.name);
      place.first_line = std::min(place.first_line, line_of(label.offset));
    });
    place.calls = calls_of(labels->body(), first);
    return place;
  }

 private:
  std::pair<const Labels*, size_t> position_of(size_t instruction) const {
    auto body = bodies_.begin();
    for (; instruction >= body->body().instructions.size(); ++body) instruction -= body->body().instructions.size();
    return {&*body, instruction};
  }

  std::vector<CallPlace> calls_of(const ptx::Function& body, size_t instruction) const {
    std::vector<CallPlace> calls;
    const auto begins_after = [](size_t i, const ptx::InlinedCall& call) { return i < call.first; };
    const auto behind = std::upper_bound(body.inlined.begin(), body.inlined.end(), instruction, begins_after);
    // The last copy that begins by then lies in all that have not ended.
    uint32_t copy =
        behind == body.inlined.begin() ? ptx::none : static_cast<uint32_t>(behind - body.inlined.begin() - 1);
    while (copy != ptx::none) {
      const ptx::InlinedCall& call = body.inlined[copy];
      if (instruction < call.end) calls.push_back(place_of_call(module_, body, call.offset, call.position));
      copy = call.caller;
    }
    return calls;
  }

  // Whether two places of the text, the first before the second, belong to one function.
  bool are_of_one_function(uint32_t first, uint32_t second) const {
    const auto begins_between = [&](const ptx::Function& f) {
      return f.has_body && first < f.offset && f.offset < second;
    };
    return std::none_of(module_.functions.begin(), module_.functions.end(), begins_between);
  }

  uint32_t line_of(uint32_t offset) const { return static_cast<uint32_t>(module_.source->locate(offset).line); }

  const ptx::Module& module_;
  uint32_t offset_;  // of the kernel's name
  std::vector<Labels> bodies_;
};

// A path is named by itself, or by its last parts.
bool names_file(const std::string& wanted, const std::string& path) {
  if (!path.ends_with(wanted)) return false;
  return path.size() == wanted.size() || path[path.size() - wanted.size() - 1] == '/' || wanted.front() == '/';
}

bool is_line(const std::string& file, int64_t line, const CallPlace& call) {
  if (file.empty()) return call.line == line;
  return call.source_line == line && names_file(file, call.source_file);
}

bool names_calls(const ir::LoopBound& bound, const HeaderPlace& header) {
  return bound.from_line == 0 || std::any_of(header.calls.begin(), header.calls.end(), [&](const CallPlace& call) {
           return is_line(bound.from_file, bound.from_line, call);
         });
}

std::string place_of(const CallPlace& call) {
  return call.source_line == 0 ? "line:" + std::to_string(call.line)
                               : ir::source_place(call.source_file, call.source_line);
}

}  // namespace

CallPlace place_of_call(const ptx::Module& module, const ptx::Function& body, uint32_t offset, uint32_t position) {
  CallPlace place{static_cast<uint32_t>(module.source->locate(offset).line), {}, 0};
  if (position == ptx::none) return place;
  const ptx::Position& at = body.positions[position];
  const auto file = module.files.find(at.file);
  if (file == module.files.end()) return place;
  place.source_file = file->second;
  place.source_line = at.line;
  return place;
}

void find_source_places(const ir::Kernel& kernel, ir::Flow& flow) { SourcePlaces(kernel, flow).run(); }

std::vector<HeaderPlace> find_header_places(const ptx::Module& module, const ptx::Function& function,
                                            const ir::Kernel& kernel, ir::Flow& flow) {
  const HeaderPlaces headers(module, function);
  std::vector<HeaderPlace> places;
  for (ir::Loop& loop : flow.loops) {
    HeaderPlace place = headers.find(kernel.blocks[loop.header]);
    if (std::find(place.labels.begin(), place.labels.end(), loop.label) == place.labels.end()) {
      loop.label = place.labels.empty() ? std::string() : std::string(place.labels.front());
    }
    for (const CallPlace& call : place.calls) loop.called_from.push_back(place_of(call));
    places.push_back(std::move(place));
  }
  return places;
}

bool names_loop(const ir::LoopBound& bound, const ir::Loop& loop, const HeaderPlace& header) {
  if (!names_calls(bound, header)) return false;
  if (bound.line == 0) {
    return std::find(header.labels.begin(), header.labels.end(), bound.label) != header.labels.end();
  }
  if (bound.file.empty()) return header.first_line <= bound.line && bound.line <= header.last_line;
  return loop.source_line == bound.line && names_file(bound.file, loop.source_file);
}

}  // namespace warpspan::frontend
