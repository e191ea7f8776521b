// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/trips/guards/loop_exits.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "frontend/lift/translation/emitter.hpp"
#include "frontend/lift/translation/launch_values.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::lift {

namespace {

constexpr uint64_t small_range = uint64_t{1} << 24;

const llvm::MDNode* range_of(const llvm::Instruction& call) { return call.getMetadata(llvm::LLVMContext::MD_range); }

// Only users give ranges of parameters and variables. Their ends may be where a counter wraps around its type.
bool has_given_range(const llvm::Instruction& call) {
  const std::string giver = option(call);
  return range_of(call) != nullptr && !giver.empty() && giver != grid_option;
}

bool has_small_range(const llvm::Instruction& call) {
  const llvm::MDNode* range = range_of(call);
  return range != nullptr && !has_given_range(call) &&
         !llvm::getConstantRangeFromMetadata(*range).isSizeLargerThan(small_range);
}

bool is_narrow(const llvm::Instruction& call) {
  if (has_given_range(call)) return true;
  const unsigned bits = call.getType()->getIntegerBitWidth();
  return bits > 1 && bits <= 16;
}

// Ordered by how well the user can help.
enum class Hindrance : uint8_t { launch, memory, other, none };

Hindrance hindrance(const llvm::Instruction& call, const ir::Kernel& kernel) {
  if (!description(call).empty()) return Hindrance::launch;
  const auto from = origin(call);
  if (!from) return Hindrance::other;
  const ir::Semantics& semantics = kernel.operation(kernel.instructions[*from]).semantics;
  return semantics.computation == ir::Computation::load ? Hindrance::memory : Hindrance::other;
}

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

void sort_out(std::vector<std::string>& words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
}

// What a value of the launch stands for, and its option: of parameters as the source calls them, if that is known.
LaunchValues::Name name_of(const llvm::Instruction& call, const ir::Program& program) {
  LaunchValues::Name name{description(call), option(call)};
  const auto source = launch_source(call);
  if (!source || source->kind != LaunchSource::Kind::parameter || name.option.empty()) return name;
  const int64_t bytes = call.getType()->getIntegerBitWidth() / 8;
  const std::string in_code = LaunchValues::name_of(program, source->number, source->offset, bytes).what;
  const LaunchValues::Name in_source = LaunchValues::source_name_of(program, source->number, source->offset, bytes);
  if (!name.what.starts_with(in_code)) return name;
  return {in_source.what + name.what.substr(in_code.size()), in_source.option};
}

std::vector<std::string> options(const std::vector<const llvm::Instruction*>& calls,
                                 const llvm::DenseSet<const llvm::Value*>& pointers, const ir::Program& program) {
  std::vector<std::string> words;
  for (const llvm::Instruction* call : calls) {
    if (pointers.contains(call)) continue;
    if (std::string word = name_of(*call, program).option; !word.empty()) words.push_back(std::move(word));
  }
  sort_out(words);
  return words;
}

std::string launch_text(const std::vector<const llvm::Instruction*>& calls, const ir::Program& program) {
  std::vector<std::string> names;
  for (const llvm::Instruction* call : calls) names.push_back(name_of(*call, program).what);
  sort_out(names);
  const bool needs_grid = std::any_of(calls.begin(), calls.end(),
                                      [](const llvm::Instruction* call) { return option(*call) == grid_option; });
  return list(names) + (names.size() == 1 ? ", whose value is not known" : ", whose values are not known") +
         (needs_grid ? " without the grid" : "");
}

// " in line 42 (kernel.cu:17)"
std::string place_of(const ir::Instruction& instruction, const ir::Kernel& kernel) {
  const std::string line = " in line " + std::to_string(instruction.line);
  if (instruction.source_line == 0) return line;
  return line + " (" + ir::source_place(kernel.source_files[instruction.source_file], instruction.source_line) + ")";
}

// What the launch fixes that is added to a number, if it is one value alone: what an index is multiplied with is not
// followed. Null if there is none, or several.
const llvm::Value* launch_addend(const llvm::Value& number) {
  constexpr size_t most_values = 64;
  llvm::SmallSetVector<const llvm::Value*, 16> seen;
  seen.insert(&number);
  const llvm::Value* addend = nullptr;
  for (size_t i = 0; i < seen.size(); ++i) {
    const auto source = launch_source(*seen[i]);
    if (source && is_beginning(*source)) {
      if (addend != nullptr || seen.size() > most_values) return nullptr;
      addend = seen[i];
    }
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(seen[i]);
    const bool adds = instruction != nullptr &&
                      (llvm::isa<llvm::PHINode>(instruction) || instruction->getOpcode() == llvm::Instruction::Add);
    if (adds) seen.insert(instruction->op_begin(), instruction->op_end());
  }
  return addend;
}

bool is_address(const llvm::Value* value) {
  return value != nullptr && is_parameter(*value) && value->getType()->isIntegerTy(64);
}

// "a value loaded from memory in line 42, where parameter 'k_param_0' points"
std::string loaded_text(const llvm::Instruction& load, const std::string& where, const ir::Program& program) {
  const llvm::Value* addend = load.getNumOperands() == 0 ? nullptr : launch_addend(*load.getOperand(0));
  const auto object = addend == nullptr ? std::nullopt : launch_source(*addend);
  if (!object) return "a value loaded from memory" + where;
  const ir::Variable& variable = program.variables[object->number];
  if (object->kind == LaunchSource::Kind::variable)
    return "variable " + support::quoted_symbol(variable.name) + ", loaded" + where;
  constexpr int64_t pointer_bytes = 8;
  const ir::ParameterNames* names = program.parameter_names();
  const ir::NamedBytes* source = names == nullptr ? nullptr : names->at(object->number, object->offset, pointer_bytes);
  return "an element of the array of parameter '" +
         (source == nullptr ? ir::object_name(variable.name, variable.bytes, object->offset) : source->name) +
         "', loaded" + where;
}

// The name of the special register that an instruction reads, as it is written: the last of the operands.
std::string special_register(const ir::Program& program, uint32_t offset) {
  std::string_view text = program.source->line_at(offset);
  text = text.substr(0, text.find(';'));
  const size_t begin = text.find_first_not_of(" \t", std::min(text.rfind(',') + 1, text.size()));
  text = begin == std::string_view::npos ? std::string_view() : text.substr(begin);
  return std::string(text.substr(0, text.find_last_not_of(" \t") + 1));
}

std::string text_of(Hindrance worst, const std::vector<const llvm::Instruction*>& calls, const ir::Program& program,
                    const ir::Body& body) {
  const std::string start = "its exit test depends on ";
  const ir::Kernel& kernel = body.kernel;
  if (worst == Hindrance::launch) return start + launch_text(calls, program);
  const auto is_worst = [&](const llvm::Instruction* call) { return hindrance(*call, kernel) == worst; };
  const llvm::Instruction& call = **std::find_if(calls.begin(), calls.end(), is_worst);
  if (call_kind(call) == CallKind::same) return start + "a long chain of computations";
  const auto from = origin(call);
  if (!from) return start + "a register that may not have been set";
  const ir::Instruction& instruction = kernel.instructions[*from];
  const std::string where = place_of(instruction, kernel);
  if (worst == Hindrance::memory) return start + loaded_text(call, where, program);
  const ir::Operation& operation = kernel.operation(instruction);
  if (operation.kind == ir::OperationKind::special_register) {
    const std::string name = special_register(program, body.instructions[*from].offset);
    if (!name.empty()) return start + "'" + name + "', read" + where;
  }
  return start + "the result of '" + operation.text + "'" + where;
}

using Values = llvm::SmallSetVector<const llvm::Value*, 32>;

void insert_condition(const llvm::BasicBlock& exiting, Values& values) {
  const llvm::Instruction* terminator = exiting.getTerminator();
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(terminator)) {
    if (branch->isConditional()) values.insert(branch->getCondition());
  } else if (const auto* table = llvm::dyn_cast<llvm::SwitchInst>(terminator)) {
    values.insert(table->getCondition());
  }
}

// The loop around `loop` that the phi is in the header of, if any.
const llvm::Loop* counted_loop(const llvm::Loop& loop, const llvm::PHINode& phi) {
  const llvm::Loop* outer = loop.getParentLoop();
  while (outer != nullptr && outer->getHeader() != phi.getParent()) outer = outer->getParentLoop();
  return outer;
}

void insert_conditions(const llvm::Loop& counted, Values& values) {
  llvm::SmallVector<llvm::BasicBlock*, 8> blocks;
  counted.getExitingBlocks(blocks);
  for (const llvm::BasicBlock* block : blocks) insert_condition(*block, values);
}

void visit_phi(const llvm::Loop& loop, const llvm::PHINode& phi, const llvm::LoopInfo* loops, Values& seen,
               ExitSources& result) {
  if (loop.contains(&phi)) {
    if (phi.getParent() == loop.getHeader()) result.counters.push_back(&phi);
    return;
  }
  if (const llvm::Loop* outer = counted_loop(loop, phi)) {
    result.around.push_back(&phi);
    return insert_conditions(*outer, seen);
  }
  result.earlier.push_back(&phi);
  const llvm::Loop* ended = loops == nullptr ? nullptr : loops->getLoopFor(phi.getParent());
  if (ended != nullptr && ended->getHeader() == phi.getParent()) insert_conditions(*ended, seen);
}

}  // namespace

ExitSources exit_sources(const llvm::Loop& loop, const llvm::BasicBlock& exiting, const llvm::LoopInfo* loops) {
  ExitSources result;
  Values seen;
  insert_condition(exiting, seen);
  for (size_t i = 0; i < seen.size(); ++i) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(seen[i]);
    if (instruction == nullptr) continue;
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) visit_phi(loop, *phi, loops, seen, result);
    const CallKind kind = call_kind(*instruction);
    if (is_float(*instruction)) result.floats.push_back(instruction);
    if (kind == CallKind::none || is_float(*instruction)) {
      for (const llvm::Value* operand : instruction->operand_values()) seen.insert(operand);
    } else if (kind != CallKind::thread && !has_small_range(*instruction)) {
      (is_narrow(*instruction) ? result.narrow : result.unknown).push_back(instruction);
    }
  }
  return result;
}

llvm::DenseSet<const llvm::Value*> find_pointers(const llvm::Function& lifted) {
  llvm::DenseSet<const llvm::Value*> pointers;
  for (const llvm::Instruction& instruction : llvm::instructions(lifted)) {
    if (call_kind(instruction) != CallKind::access) continue;
    if (llvm::cast<llvm::ConstantInt>(instruction.getOperand(1))->isOne()) continue;  // reads a parameter
    const llvm::Value* base = launch_addend(*instruction.getOperand(0));
    if (is_address(base)) pointers.insert(base);
  }
  for (const llvm::Instruction& instruction : llvm::instructions(lifted)) {
    if (!llvm::isa<llvm::ICmpInst>(instruction) || !instruction.getOperand(0)->getType()->isIntegerTy(64)) continue;
    const llvm::Value* one = launch_addend(*instruction.getOperand(0));
    const llvm::Value* other = launch_addend(*instruction.getOperand(1));
    if (!is_address(one) || !is_address(other)) continue;
    if (pointers.contains(one)) pointers.insert(other);
    if (pointers.contains(other)) pointers.insert(one);
  }
  return pointers;
}

Obstacle find_obstacle(const LoopContext& context, const BlockSet& dead,
                       const llvm::DenseSet<const llvm::Value*>& pointers, const ir::Program& program,
                       const ir::Body& body, const LoopForm& form) {
  const llvm::Loop& loop = context.loop;
  llvm::SmallVector<llvm::BasicBlock*, 8> exiting;
  loop.getExitingBlocks(exiting);
  llvm::erase_if(exiting, [&](const llvm::BasicBlock* block) { return dead.count(block) > 0; });
  if (exiting.empty()) return {"it has no exit", {}};
  Hindrance best = Hindrance::none;
  bool best_by_floats = false;
  Obstacle obstacle{form.obstacle, {}};
  for (const llvm::BasicBlock* block : exiting) {
    ExitSources sources = exit_sources(loop, *block);
    if (sources.unknown.empty() && sources.narrow.empty()) sources = exit_sources(loop, *block, &context.loops);
    auto& calls = !sources.unknown.empty()  ? sources.unknown
                  : !sources.narrow.empty() ? sources.narrow
                                            : sources.floats;
    llvm::erase_if(calls, [&form](const llvm::Instruction* call) { return form.may_depend_on(*call); });
    if (calls.empty()) continue;
    // What each iteration finds anew is worth more than what it is compared with.
    const auto is_outside = [&loop](const llvm::Instruction* call) { return !loop.contains(call); };
    if (!llvm::all_of(calls, is_outside)) llvm::erase_if(calls, is_outside);
    Hindrance worst = Hindrance::launch;
    for (const llvm::Instruction* call : calls) worst = std::max(worst, hindrance(*call, body.kernel));
    // What is only counted decides more surely than what floating-point arithmetic makes of it.
    const bool by_floats = !sources.floats.empty();
    if (worst > best || (worst == best && (by_floats || !best_by_floats))) continue;
    best = worst;
    best_by_floats = by_floats;
    obstacle = {text_of(worst, calls, program, body),
                worst == Hindrance::launch ? options(calls, pointers, program) : std::vector<std::string>()};
  }
  return obstacle;
}

}  // namespace warpspan::lift
