// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/code_view.hpp"

#include <algorithm>
#include <map>

namespace warpspan::app {

namespace {

std::vector<ViewedLine> lines_of(const ir::Kernel& kernel, const std::vector<ir::ListedInstruction>& listing,
                                 const std::vector<timing::InstructionCost>& costs, LineTexts& texts) {
  std::vector<ViewedLine> lines;
  for (const ListedCost& cost : listed_costs(listing, kernel, costs)) {
    const ir::ListedInstruction& listed = cost.instruction;
    lines.push_back({listed.line, place_of(listed, kernel.name), listed.text, listed.source_file, listed.source_line,
                     cost.executions, cost.own, cost.others, cost.resource});
  }
  if (!listing.empty()) return lines;
  std::map<int64_t, ViewedLine> by_line;
  for (const ir::Instruction& instruction : kernel.instructions) {
    ViewedLine& line = by_line[instruction.line];
    if (line.line > 0) continue;
    line.line = instruction.line;
    line.place = std::to_string(line.line);
    line.text = texts.of_input(line.line);
    if (instruction.source_line == 0) continue;
    line.source_file = kernel.source_files[instruction.source_file];
    line.source_line = instruction.source_line;
  }
  std::map<int64_t, int64_t> largest;  // part of a resource that a line is called after
  for (const timing::InstructionCost& cost : costs) {
    ViewedLine& line = by_line[kernel.instructions[cost.instruction].line];
    line.executions = std::max(line.executions, cost.executions);
    line.own += cost.own;
    line.others += cost.others;
    if (cost.others > largest[line.line]) {
      largest[line.line] = cost.others;
      line.resource = cost.resource;
    }
  }
  for (auto& [number, line] : by_line) lines.push_back(std::move(line));
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
  size_t b = 0;
  for (const timing::InstructionCost& cost : costs) {  // ascending, as the instructions of blocks are
    const auto has = [&](size_t block) {
      const ir::Block& of = kernel.blocks[block];
      return of.first <= cost.instruction && cost.instruction < of.first + of.count;
    };
    if (b >= blocks.size() || !has(b)) {
      for (b = 0; b < blocks.size() && !has(b);) ++b;
    }
    if (b == blocks.size()) continue;
    blocks[b].executions = std::max(blocks[b].executions, cost.executions);
    blocks[b].cycles += cost.own + cost.others;
  }
  return blocks;
}

}  // namespace

std::shared_ptr<const CodeView> code_view(const ir::Kernel& kernel, const ir::Flow& flow,
                                          const std::vector<ir::ListedInstruction>& listing,
                                          const std::vector<timing::InstructionCost>& costs, LineTexts& texts) {
  CodeView view;
  view.is_machine_code = !listing.empty();
  view.lines = lines_of(kernel, listing, costs, texts);
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
