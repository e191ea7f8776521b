// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/kernel_identity.hpp"

#include <optional>
#include <set>
#include <vector>

#include "support/sha256.hpp"

namespace warpspan::object {

namespace {

// Each value with its size before it, so that no two lists of values make one text.
class Text {
 public:
  void add(std::string_view value) { text_.append(std::to_string(value.size())).append(":").append(value); }
  void add(uint64_t value) { add(std::to_string(value)); }
  void add(int64_t value) { add(std::to_string(value)); }

  template <typename T>
  void add(const std::optional<T>& value) {
    add(std::string_view(value ? "+" : "-"));
    if (value) add_figure(*value);
  }

  std::string digest() const { return support::sha256(text_); }

 private:
  void add_figure(uint32_t value) { add(uint64_t{value}); }
  void add_figure(int64_t value) { add(value); }
  void add_figure(const std::array<uint32_t, 3>& value) {
    for (const uint32_t each : value) add(uint64_t{each});
  }
  void add_figure(const ParameterArea& area) {
    add(uint64_t{area.offset});
    add(uint64_t{area.size});
  }

  std::string text_;
};

void add(const std::vector<Relocation>& relocations, Text& text) {
  text.add(uint64_t{relocations.size()});
  for (const Relocation& relocation : relocations) {
    text.add(relocation.offset);
    text.add(uint64_t{relocation.type});
    text.add(relocation.symbol);
    text.add(relocation.addend);
    text.add(uint64_t{relocation.function.has_value()});
    text.add(relocation.value);
    text.add(uint64_t{relocation.variable.has_value()});
    if (relocation.variable) text.add(uint64_t{*relocation.variable});
  }
}

void add(const std::vector<Attribute>& attributes, Text& text) {
  text.add(uint64_t{attributes.size()});
  for (const Attribute& attribute : attributes) {
    text.add(uint64_t{attribute.number});
    text.add(attribute.payload);
  }
}

void add(const Function& function, Text& text) {
  text.add(function.name);
  text.add(function.code);
  for (const Subroutine& subroutine : function.subroutines) {
    text.add(subroutine.name);
    text.add(subroutine.begin);
    text.add(subroutine.end);
    text.add(subroutine.frame_bytes);
  }
  for (const auto& figure : {function.registers, function.frame_bytes, function.min_stack_bytes, function.barriers}) {
    text.add(figure);
  }
  text.add(function.shared_bytes);
  for (const Parameter& parameter : function.parameters) {
    for (const uint32_t each : {parameter.ordinal, parameter.offset, parameter.size}) text.add(uint64_t{each});
  }
  text.add(function.parameter_area);
  for (const auto& threads : {function.required_threads, function.max_threads, function.cluster_blocks}) {
    text.add(threads);
  }
  text.add(uint64_t{function.explicit_cluster});
  text.add(uint64_t{function.blocks_are_clusters});
  for (const uint32_t exit : function.exits) text.add(uint64_t{exit});
  for (const IndirectBranch& branch : function.indirect_branches) {
    text.add(uint64_t{branch.offset});
    for (const uint32_t target : branch.targets) text.add(uint64_t{target});
  }
  add(function.relocations, text);
  add(function.other_attributes, text);
}

}  // namespace

std::string identity_of(const Cubin& cubin, const Function& kernel) {
  Text text;
  text.add(std::string_view(to_string(cubin.architecture)));
  text.add(uint64_t{cubin.abi_version});
  text.add(uint64_t{cubin.relocatable});
  const auto first = static_cast<size_t>(&kernel - cubin.functions.data());
  std::vector<size_t> reached = {first};
  std::set<size_t> known = {first};
  for (size_t i = 0; i < reached.size(); ++i) {
    const Function& function = cubin.functions[reached[i]];
    add(function, text);
    for (const Relocation& relocation : function.relocations) {
      if (relocation.function && known.insert(*relocation.function).second) reached.push_back(*relocation.function);
    }
  }
  for (const ConstantBank& bank : cubin.constants) {
    if (bank.function && !known.contains(*bank.function)) continue;
    text.add(uint64_t{bank.bank});
    text.add(bank.name);
    text.add(bank.bytes);
    add(bank.relocations, text);
  }
  for (const GlobalVariable& variable : cubin.global_variables) text.add(variable.bytes);
  return text.digest();
}

}  // namespace warpspan::object
