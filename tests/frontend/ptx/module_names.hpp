// SPDX-License-Identifier: GPL-3.0-or-later
// Names of what a function declares, made distinct: blocks are no part of a parsed function, so what they declare under
// one name has to be told apart to stand in one block.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/ptx/syntax/ast.hpp"

namespace warpspan::test {

// A name is as in the file unless it, or one that reads as an element of the same range of registers, is that of
// something declared before it, or of a variable or function of the module: then an ending is added.
class FunctionNames {
 public:
  FunctionNames(const ptx::Module& module, uint32_t function);

  const std::string& range(size_t index) const {
    return ranges_[index];
  }                                                          // its prefix, or the name of its one register
  std::string registers(const ptx::Operand& operand) const;  // "%r5", "%v2", "%v2.x"
  std::string one_register(uint32_t reg) const;
  const std::string& variable(uint32_t index) const { return variables_.at(index); }  // also of the module
  const std::string& label(size_t index) const { return labels_[index]; }
  const std::string& table(size_t index) const { return tables_[index]; }

  // The variables of the function's body, in the order in which they are declared.
  const std::vector<uint32_t>& locals() const { return locals_; }

 private:
  std::string distinct(std::string_view name, bool is_range);

  const ptx::Function& function_;
  std::set<std::string, std::less<>> names_;
  std::set<std::string, std::less<>> stems_;        // names without digits at their end
  std::set<std::string, std::less<>> range_stems_;  // those of ranges
  std::vector<std::string> ranges_;
  std::map<uint32_t, std::string> variables_;
  std::vector<std::string> labels_;
  std::vector<std::string> tables_;
  std::vector<uint32_t> locals_;
};

}  // namespace warpspan::test
