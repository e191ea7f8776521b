// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/code_view.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace warpspan::app {

namespace {

// By their first instructions.
std::map<ir::InstructionId, ir::BlockId> begins_of(const ir::Kernel& kernel) {
  std::map<ir::InstructionId, ir::BlockId> begins;
  for (ir::BlockId b = 0; b < kernel.blocks.size(); ++b) {
    if (kernel.blocks[b].count > 0) begins.emplace(kernel.blocks[b].first, b);
  }
  return begins;
}

ir::BlockId block_at(const std::map<ir::InstructionId, ir::BlockId>& begins, ir::InstructionId instruction) {
  return std::prev(begins.upper_bound(instruction))->second;
}

// Without costs.
std::vector<ViewedLine> plain_lines(const ir::Kernel& kernel, const std::vector<ir::ListedInstruction>& listing,
                                    const LineTexts& texts) {
  std::vector<ViewedLine> lines;
  for (const ir::ListedInstruction& listed : listing) {
    lines.push_back({listed.line, place_of(listed, kernel.name), listed.text, listed.source_file, listed.source_line});
  }
  if (!listing.empty()) return lines;
  std::map<uint32_t, const ir::Instruction*> first;
  for (const ir::Instruction& instruction : kernel.instructions) first.emplace(instruction.line, &instruction);
  for (const auto& [number, instruction] : first) {
    const bool placed = instruction->source_line > 0;
    lines.push_back({number, std::to_string(number), texts.of_input(number),
                     placed ? kernel.source_files[instruction->source_file] : std::string(), instruction->source_line});
  }
  return lines;
}

std::vector<ViewedBlock> blocks_of(const ir::Kernel& kernel, const ir::Flow& flow,
                                   const std::vector<timing::InstructionCost>& costs,
                                   const std::vector<ViewedLine>& lines) {
  std::map<int64_t, const ViewedLine*> by_line;
  for (const ViewedLine& line : lines) by_line.emplace(line.line, &line);
  const auto place = [&by_line](int64_t line) {
    const auto known = by_line.find(line);
    return known == by_line.end() ? std::string() : known->second->place;
  };
  std::vector<ViewedBlock> blocks;
  for (size_t b = 0; b < kernel.blocks.size(); ++b) {
    const ir::Block& block = kernel.blocks[b];
    ViewedBlock view;
    view.label = block.label;
    view.successors = block.successors;
    view.loop = flow.blocks[b].loop;
    view.is_executed = flow.blocks[b].executed;
    if (block.count > 0) {
      view.first = kernel.instructions[block.first].line;
      view.last = kernel.instructions[block.first + block.count - 1].line;
      view.begins = place(view.first);
      view.ends = place(view.last);
    }
    blocks.push_back(std::move(view));
  }
  const std::vector<int64_t> executions = block_executions(kernel, costs);
  for (size_t b = 0; b < blocks.size(); ++b) blocks[b].executions = executions[b];
  const std::map<ir::InstructionId, ir::BlockId> begins = begins_of(kernel);
  for (const timing::InstructionCost& cost : costs) {
    blocks[block_at(begins, cost.instruction)].cycles += cost.own + cost.others;
  }
  return blocks;
}

}  // namespace

std::vector<int64_t> block_executions(const ir::Kernel& kernel, const std::vector<timing::InstructionCost>& costs) {
  std::vector<int64_t> executions(kernel.blocks.size(), 0);
  const std::map<ir::InstructionId, ir::BlockId> begins = begins_of(kernel);
  for (const timing::InstructionCost& cost : costs) {
    int64_t& executed = executions[block_at(begins, cost.instruction)];
    executed = std::max(executed, cost.executions);
  }
  return executions;
}

std::vector<ViewedLine> viewed_lines(const ir::Kernel& kernel, const std::vector<ir::ListedInstruction>& listing,
                                     const std::vector<timing::InstructionCost>& costs, const LineTexts& texts) {
  std::vector<ViewedLine> lines = plain_lines(kernel, listing, texts);
  std::map<int64_t, size_t> by_line;  // into lines
  for (size_t i = 0; i < lines.size(); ++i) by_line.emplace(lines[i].line, i);
  std::map<size_t, std::map<std::string, int64_t>> others;
  for (const timing::InstructionCost& cost : costs) {
    const auto found = by_line.find(kernel.instructions[cost.instruction].line);
    if (found == by_line.end()) continue;
    ViewedLine& line = lines[found->second];
    line.own += cost.own;
    line.others += cost.others;
    if (!cost.resource.empty()) others[found->second][cost.resource] += cost.others;
  }
  for (const auto& [line, by_resource] : others) {
    const auto most = std::max_element(by_resource.begin(), by_resource.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    lines[line].resource = most->first;
  }
  const std::vector<int64_t> executions = block_executions(kernel, costs);
  for (ir::BlockId b = 0; b < kernel.blocks.size(); ++b) {
    const ir::Block& block = kernel.blocks[b];
    std::set<size_t> of_block;  // a line may have several of its instructions
    for (ir::InstructionId i = block.first; i < block.first + block.count; ++i) {
      const auto found = by_line.find(kernel.instructions[i].line);
      if (found != by_line.end()) of_block.insert(found->second);
    }
    for (const size_t i : of_block) {
      int64_t& executed = lines[i].executions;
      executed = listing.empty() ? std::max(executed, executions[b]) : executed + executions[b];
    }
  }
  return lines;
}

std::shared_ptr<const CodeView> code_view(const ir::Kernel& kernel, const ir::Flow& flow,
                                          const std::vector<ir::ListedInstruction>& listing,
                                          const std::vector<timing::InstructionCost>& costs, LineTexts& texts) {
  CodeView view;
  view.is_machine_code = !listing.empty();
  view.lines = viewed_lines(kernel, listing, costs, texts);
  view.costs = line_costs(kernel, costs, texts);
  view.blocks = blocks_of(kernel, flow, costs, view.lines);
  view.order = flow.order;
  std::vector<std::string> files;
  for (const ViewedLine& line : view.lines) {
    if (line.source_line > 0) files.push_back(line.source_file);
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  for (const std::string& file : files) {
    if (auto text = texts.file_of(file)) view.sources.push_back({file, texts.path_of(file), std::move(text)});
  }
  return std::make_shared<const CodeView>(std::move(view));
}

}  // namespace warpspan::app
