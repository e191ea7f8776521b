// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx_beside.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "frontend/beside/accesses.hpp"
#include "frontend/beside/trips.hpp"
#include "frontend/reading/loop_bounds.hpp"
#include "support/source_file.hpp"

namespace warpspan::frontend {

namespace {

std::string text_of(const object::PtxText& text) {
  std::string all;
  for (const std::string_view line : text.lines) all.append(line).append("\n");
  return all;
}

// The file that most instructions are of.
uint32_t main_file(const std::vector<CubinCode::PtxPlace>& places) {
  std::map<uint32_t, size_t> counts;
  for (const CubinCode::PtxPlace& place : places) {
    if (place.line != 0) ++counts[place.file];
  }
  const auto more = [](const auto& a, const auto& b) { return a.second < b.second; };
  return counts.empty() ? object::LineRow::no_file : std::max_element(counts.begin(), counts.end(), more)->first;
}

// The same facts for the PTX, whose parameters may have other names. Lines of bounds are those of the listing of the
// machine code, and what a loop waits for is in both.
ir::Launch launch_of_ptx(ir::Launch launch, const std::vector<std::string>& parameters) {
  const auto by_index = [&parameters](std::string& parameter) {
    const size_t end = std::min(parameter.find('+'), parameter.size());
    const auto known = std::find(parameters.begin(), parameters.end(), parameter.substr(0, end));
    if (known != parameters.end()) parameter.replace(0, end, std::to_string(known - parameters.begin()));
  };
  for (ir::Argument& argument : launch.arguments) by_index(argument.parameter);
  for (ir::Buffer& buffer : launch.buffers) by_index(buffer.parameter);
  return launch;
}

std::string times(int64_t count) { return std::to_string(count) + (count == 1 ? " time" : " times"); }

// What the facts of the PTX rest on, those of the machine code do too.
void add_grounds(const ir::Flow& ptx, ir::Flow& facts) {
  facts.unrounded_floats = facts.unrounded_floats || ptx.unrounded_floats;
  facts.divides_least = facts.divides_least || ptx.divides_least;
  const auto add = [](const std::vector<std::string>& from, std::vector<std::string>& to) {
    for (const std::string& name : from) {
      if (std::find(to.begin(), to.end(), name) == to.end()) to.push_back(name);
    }
  };
  add(ptx.trusted_variables, facts.trusted_variables);
  add(ptx.bounding_variables, facts.bounding_variables);
}

}  // namespace

PtxTexts::PtxTexts(const object::Lines& lines, const std::string& file) : lines_(lines) {
  for (const object::PtxText& text : lines.texts) {
    texts_.emplace_back(std::make_shared<support::SourceFile>("<PTX in " + file + ">", text_of(text)));
  }
}

const PtxFile* PtxTexts::of(uint32_t file) const {
  if (file >= lines_.ptx.files.size()) return nullptr;
  for (size_t i = 0; i < texts_.size(); ++i) {
    if (lines_.texts[i].name == lines_.ptx.files[file].name) return &texts_[i];
  }
  return nullptr;
}

PtxBeside::PtxBeside(const sass::Lowered& lowered, const std::vector<CubinCode::PtxPlace>& places,
                     const std::vector<std::string>& parameters)
    : lowered_(lowered), parameters_(parameters), file_(main_file(places)) {
  for (const uint32_t instruction : lowered.instructions) {
    lines_.push_back(places[instruction].file == file_ ? places[instruction].line : 0);
  }
}

void PtxBeside::read(const PtxTexts& texts, const ir::Launch& launch) {
  const PtxFile* text = texts.of(file_);
  if (text == nullptr) return;
  Inquiry inquiry;
  inquiry.unbounded_loops = inquiry.keeps_unbounded = inquiry.any_groups = true;
  ir::Launch own = launch_of_ptx(launch, parameters_);
  std::vector<size_t> numbers;  // of its bounds
  std::vector<ir::LoopBound> bounds;
  for (size_t i = 0; i < own.loop_bounds.size(); ++i) {
    const ir::LoopBound& bound = own.loop_bounds[i];
    if (bound.wait || (bound.line != 0 && bound.file.empty())) continue;
    numbers.push_back(i);
    bounds.push_back(bound);
  }
  own.loop_bounds = std::move(bounds);
  Reading reading = text->read({lowered_.kernel.name}, own, inquiry);
  if (reading.kernels.size() != 1) return;
  const std::vector<ir::KernelParameter>& written = reading.codes.front().parameters;
  if (written.size() != parameters_.size()) return;
  const std::vector<ir::Loop>& loops = reading.kernels.front().flow.loops;
  if (std::any_of(loops.begin(), loops.end(), [](const ir::Loop& loop) { return loop.counts_away; })) return;
  for (size_t i = 0; i < written.size(); ++i) names_[written[i].name] = parameters_[i];
  kernel_ = std::move(reading.kernels.front());
  places_.emplace(kernel_->kernel, kernel_->flow, beside::own_lines(kernel_->kernel));
  for (ir::LoopBoundUse& use : reading.uses) {
    use.bound = numbers[use.bound];
    if (launch.loop_bounds[use.bound].line == 0) uses_.push_back(std::move(use));
  }
}

void PtxBeside::add_trips(ir::Flow& facts) {
  if (!kernel_) return;
  const beside::Places code = code_places(facts);
  if (!beside::lines_fit(code, *places_)) {
    kernel_.reset();
    return;
  }
  matches_ = beside::match_loops(code, *places_);
  for (const auto& match : matches_) {
    if (!match || !match->is_open || facts.loops[match->loop].trip_count) continue;
    facts.loops[match->loop].ptx_label = kernel_->flow.loops[match->ptx].label;
  }
  const beside::CarriedTrips matches = beside::carry_trips(matches_, kernel_->flow, facts);
  const auto name = [&](const beside::LoopMatch& match) { return "The loop " + loop_name(facts.loops[match.loop]); };
  for (const beside::LoopMatch& match : matches.carried) {
    of_loops_.push_back(name(match) + " is the one that is left at line " + std::to_string(match.line) +
                        " of the PTX in the file: it runs at most " + times(*match.trips) +
                        " each time it is entered, as the PTX tells.");
  }
  for (const beside::LoopMatch& match : matches.contradicted) {
    of_loops_.push_back(name(match) + " runs at least " + times(facts.loops[match.loop].fewest_trips) +
                        ", and not at most " + std::to_string(*match.trips) +
                        " as the PTX in the file tells of the loop that is left at line " + std::to_string(match.line) +
                        ": that is not used, and the line table may be wrong.");
  }
  if (!matches.carried.empty()) add_grounds(kernel_->flow, facts);
}

void PtxBeside::add_accesses(ir::Flow& facts) {
  if (!kernel_) return;
  const beside::Places code = code_places(facts);
  accesses_ = beside::carry_accesses(code, *places_, matches_, names_, facts).size();
  unreached_ = beside::carry_unreached(code, *places_, matches_, facts);
  if (accesses_ > 0) add_grounds(kernel_->flow, facts);
}

std::vector<std::string> PtxBeside::sentences() const {
  if (!kernel_ || (of_loops_.empty() && accesses_ == 0 && unreached_ == 0)) return {};
  std::vector<std::string> all = {
      "The line table of the file says of which instruction of the PTX in it a machine instruction is: each branch or "
      "access to memory that a thread executes stands for another one that it would execute in the PTX, in the same "
      "order, and lanes that execute one jointly are in the same iteration of the loops there (--machine-code leaves "
      "the PTX out)."};
  all.insert(all.end(), of_loops_.begin(), of_loops_.end());
  if (accesses_ > 0) {
    all.push_back(std::to_string(accesses_) + (accesses_ == 1 ? " access goes" : " accesses go") +
                  " where the PTX in the file tells.");
  }
  for (const std::string& assumption : kernel_->assumptions) all.push_back(assumption);
  return all;
}

}  // namespace warpspan::frontend
