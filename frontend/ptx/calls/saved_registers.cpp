// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/ptx/calls/saved_registers.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "frontend/ptx/calls/call_graph.hpp"
#include "frontend/ptx/calls/named_registers.hpp"
#include "frontend/ptx/calls/rewriting.hpp"

namespace warpspan::ptx {

namespace {

constexpr int64_t saved_bytes = 4;
constexpr int64_t most_registers = 255;

int64_t words_named(const Function& function) {
  const NamedRegisters named(function);
  int64_t words = 0;
  for (const RegisterRange& range : named.ranges()) {
    words += int64_t{range.count} * range.vector_size * std::max(bits(range.type) / 32, 1);
  }
  return words;
}

class Saving {
 public:
  explicit Saving(Module& module) : module_(module) {}

  void run(const std::set<uint32_t>& functions) {
    std::map<uint32_t, int64_t> counts;  // before anything is put in
    for (const uint32_t function : with_called(functions)) {
      if (!module_.functions[function].saves_registers) counts[function] = registers_of(function);
    }
    for (const auto& [function, count] : counts) put_into(function, count);
  }

 private:
  const std::vector<uint32_t>& called_by(uint32_t function) {
    const auto [known, fresh] = called_.try_emplace(function);
    if (fresh) known->second = called_functions(module_, module_.functions[function]);
    return known->second;
  }

  // These and all that they call, ascending.
  std::set<uint32_t> with_called(const std::set<uint32_t>& functions) {
    std::set<uint32_t> all = functions;
    std::vector<uint32_t> open(functions.begin(), functions.end());
    while (!open.empty()) {
      const uint32_t function = open.back();
      open.pop_back();
      for (const uint32_t callee : called_by(function)) {
        if (all.insert(callee).second) open.push_back(callee);
      }
    }
    return all;
  }

  int64_t registers_of(uint32_t function) {
    std::set<uint32_t> counted = {function};
    std::vector<uint32_t> open = {function};
    int64_t words = 0;
    while (!open.empty() && words < most_registers) {
      const uint32_t one = open.back();
      open.pop_back();
      words += words_of(one);
      for (const uint32_t callee : called_by(one)) {
        if (counted.insert(callee).second) open.push_back(callee);
      }
    }
    return std::min(words + words / 8 + 6, most_registers);
  }

  int64_t words_of(uint32_t function) {
    const auto [known, fresh] = words_.try_emplace(function, 0);
    if (fresh) known->second = words_named(module_.functions[function]);
    return known->second;
  }

  void put_into(uint32_t function, int64_t count);

  Module& module_;
  std::map<uint32_t, std::vector<uint32_t>> called_;
  std::map<uint32_t, int64_t> words_;
};

// The stores and loads of one function.
class SavedRegisters : public Rewriting {
 public:
  SavedRegisters(Module& module, Function& function, uint32_t variable, int64_t count, bool returns)
      : Rewriting(module, function), variable_(variable), count_(count), returns_(returns) {}

  void run() {
    access("st.local.b32", old_.front());
    std::vector<uint32_t> places;
    for (const Instruction& instruction : old_) {
      places.push_back(next());
      if (instruction.form->transfer == ir::Transfer::function_return) access("ld.local.b32", instruction);
      function_.instructions.push_back(instruction);
    }
    places.push_back(next());
    if (!returns_) access("ld.local.b32", old_.back());  // of those that come to the end without a return
    move_labels(places);
  }

 private:
  void access(const char* word, const Instruction& origin) {
    const Form* form = module_.forms->find(word);
    const bool is_store = form->operation.kind == ir::OperationKind::store_local;
    for (int64_t i = 0; i < count_; ++i) {
      Operand base;
      base.kind = Operand::Kind::variable;
      base.role = Role::read;
      base.index = variable_;
      Operand address;
      address.kind = Operand::Kind::address;
      address.role = Role::address;
      address.index = static_cast<uint32_t>(function_.operands.size());
      address.count = 1;
      address.value = i * saved_bytes;
      function_.operands.push_back(base);
      const Operand value = reg(add_register(Type::b32), Type::b32, is_store ? Role::read : Role::write);
      emit(origin, form, is_store ? std::vector{address, value} : std::vector{value, address});
    }
  }

  const uint32_t variable_;
  const int64_t count_;
  const bool returns_;  // before the end of its text
};

void Saving::put_into(uint32_t function, int64_t count) {
  Function& f = module_.functions[function];
  f.saves_registers = true;
  if (f.instructions.empty()) return;
  Variable saved;
  saved.space = ir::MemorySpace::local;
  saved.type = Type::b32;
  saved.alignment = saved_bytes;
  saved.bytes = count * saved_bytes;
  saved.function = function;
  const auto variable = static_cast<uint32_t>(module_.variables.size());
  module_.variables.push_back(saved);
  SavedRegisters(module_, f, variable, count, returns_before_end(f)).run();
}

}  // namespace

void save_registers(Module& module, const std::set<uint32_t>& functions) { Saving(module).run(functions); }

}  // namespace warpspan::ptx
