#include "frontend/loop_places.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "support/symbol_name.hpp"

namespace warpspan::frontend {

namespace {

// A place in the program that a kernel was compiled from: file, by index, and line.
using Place = std::pair<uint32_t, uint16_t>;  // line, file: ordered by line

// The branches of a loop that its place is found from.
struct Branches {
  std::vector<ir::BlockId> back;     // blocks that end in a branch to the header
  std::vector<ir::BlockId> testing;  // those of them that may leave the loop
  bool header_tests = false;
};

class SourcePlaces {
 public:
  SourcePlaces(const ir::Kernel& kernel, ir::Flow& flow) : kernel_(kernel), flow_(flow), branches_(flow.loops.size()) {}

  void run() {
    for (const ir::BlockId b : flow_.order) find_branches(b);
    for (size_t i = 0; i < flow_.loops.size(); ++i) find_place(flow_.loops[i], branches_[i]);
  }

 private:
  bool holds(ir::LoopId loop, ir::BlockId block) const {
    ir::LoopId inner = flow_.blocks[block].loop;
    while (inner != ir::no_loop && inner != loop) inner = flow_.loops[inner].parent;
    return inner == loop;
  }

  bool leaves(ir::LoopId loop, const ir::Block& block) const {
    const auto is_outside = [&](ir::BlockId next) { return !holds(loop, next); };
    return block.may_end || std::any_of(block.successors.begin(), block.successors.end(), is_outside);
  }

  // A block is at the end of a turn of every loop around it whose header it goes on to.
  void find_branches(ir::BlockId b) {
    const ir::Block& block = kernel_.blocks[b];
    for (ir::LoopId l = flow_.blocks[b].loop; l != ir::no_loop; l = flow_.loops[l].parent) {
      const ir::BlockId header = flow_.loops[l].header;
      const bool is_back =
          std::find(block.successors.begin(), block.successors.end(), header) != block.successors.end();
      const bool tests = (is_back || b == header) && leaves(l, block);
      if (is_back) branches_[l].back.push_back(b);
      if (is_back && tests) branches_[l].testing.push_back(b);
      if (b == header && tests) branches_[l].header_tests = true;
    }
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

  void find_place(ir::Loop& loop, const Branches& branches) const {
    loop.tests_first = branches.header_tests && branches.testing.empty();
    std::optional<Place> place = smallest_end(branches.testing);
    if (!place && branches.header_tests) place = end_of(loop.header);
    if (!place) place = smallest_end(branches.back);
    const ir::Block& header = kernel_.blocks[loop.header];
    if (branches.testing.empty() && !branches.header_tests) {
      for (ir::InstructionId i = header.first; i < header.first + header.count; ++i) {
        const auto other = place_of(i);
        if (other && (!place || *other < *place)) place = other;
      }
    }
    if (!place) return;
    loop.source_line = place->first;
    loop.source_file = kernel_.source_files[place->second];
  }

  const ir::Kernel& kernel_;
  ir::Flow& flow_;
  std::vector<Branches> branches_;  // by loop
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
    return place;
  }

 private:
  std::pair<const Labels*, size_t> position_of(size_t instruction) const {
    auto body = bodies_.begin();
    for (; instruction >= body->body().instructions.size(); ++body) instruction -= body->body().instructions.size();
    return {&*body, instruction};
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

}  // namespace

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
    places.push_back(std::move(place));
  }
  return places;
}

bool names_loop(const ir::LoopBound& bound, const ir::Kernel& kernel, const ir::Loop& loop, const HeaderPlace& header) {
  if (!bound.kernel.empty() && !support::names_symbol(bound.kernel, kernel.name)) return false;
  if (bound.line == 0) {
    return std::find(header.labels.begin(), header.labels.end(), bound.label) != header.labels.end();
  }
  if (bound.file.empty()) return header.first_line <= bound.line && bound.line <= header.last_line;
  return loop.source_line == bound.line && names_file(bound.file, loop.source_file);
}

}  // namespace warpspan::frontend
