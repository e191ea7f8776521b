// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/frontend/ptx/compare_modules.hpp"

#include "frontend/ptx/syntax/parser.hpp"
#include "tests/frontend/ptx/module_names.hpp"
#include "tests/frontend/ptx/print_module.hpp"

namespace warpspan::test {

namespace {

using ptx::none;
using ptx::Operand;

// The first difference that a check finds.
class Findings {
 public:
  bool check(bool same, const std::string& what) {
    if (!same && first_.empty()) first_ = what;
    return same;
  }
  bool empty() const { return first_.empty(); }
  const std::string& first() const { return first_; }

 private:
  std::string first_;
};

bool same_extent(const ir::Extent& a, const ir::Extent& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

void compare_variables(const ptx::Module& a, const ptx::Variable& x, const ptx::Module& b, const ptx::Variable& y,
                       Findings& findings) {
  const std::string name = " of variable " + std::string(x.name);
  findings.check(x.space == y.space, "space" + name);
  findings.check(x.type == y.type, "type" + name);
  findings.check(x.alignment == y.alignment, "alignment" + name);
  findings.check(x.bytes == y.bytes, "size" + name);
  findings.check(x.parameter == y.parameter, "place among the parameters" + name);
  findings.check((x.function == none) == (y.function == none), "owner" + name);
  findings.check((x.stored_at == none) == (y.stored_at == none), "stores" + name);
  findings.check(initial_tokens(a, x) == initial_tokens(b, y), "initial value" + name);
}

// One function of each of two modules.
class FunctionComparison {
 public:
  FunctionComparison(const ptx::Module& a, const ptx::Module& b, uint32_t index, Findings& findings)
      : a_(a),
        b_(b),
        index_(index),
        f_(a.functions[index]),
        g_(b.functions[index]),
        findings_(findings),
        f_names_(a, index),
        g_names_(b, index) {}

  void run() {
    check(f_.name == g_.name && f_.is_entry == g_.is_entry && f_.has_body == g_.has_body, "name or kind");
    launch_bounds();
    registers();
    variables();
    tables();
    labels();
    if (!check(f_.instructions.size() == g_.instructions.size(), "number of instructions") || !findings_.empty())
      return;
    for (size_t i = 0; i < f_.instructions.size(); ++i) instruction(f_.instructions[i], g_.instructions[i]);
  }

 private:
  bool check(bool same, const std::string& what) {
    return findings_.check(same, what + " of function " + std::string(f_.name));
  }

  void launch_bounds() {
    const ir::LaunchBounds& x = f_.launch_bounds;
    const ir::LaunchBounds& y = g_.launch_bounds;
    check(same_extent(x.required, y.required), ".reqntid");
    check(same_extent(x.maximum, y.maximum), ".maxntid");
    check(x.max_registers == y.max_registers, ".maxnreg");
    check(x.min_blocks == y.min_blocks, ".minnctapersm");
    check(x.clusters == y.clusters, "clusters");
  }

  void registers() {
    check(f_.registers == g_.registers, "number of registers");
    if (!check(f_.register_ranges.size() == g_.register_ranges.size(), "number of register declarations")) return;
    for (size_t i = 0; i < f_.register_ranges.size(); ++i) {
      const ptx::RegisterRange& x = f_.register_ranges[i];
      const ptx::RegisterRange& y = g_.register_ranges[i];
      check(f_names_.range(i) == g_names_.range(i) && x.numbered == y.numbered && x.type == y.type &&
                x.vector_size == y.vector_size && x.first == y.first && x.count == y.count,
            "registers " + f_names_.range(i));
    }
  }

  void variable(uint32_t x, uint32_t y) {
    check(f_names_.variable(x) == g_names_.variable(y), "name of variable " + f_names_.variable(x));
    compare_variables(a_, a_.variables[x], b_, b_.variables[y], findings_);
  }

  void parameters(const std::vector<ptx::Parameter>& xs, const std::vector<ptx::Parameter>& ys) {
    if (!check(xs.size() == ys.size(), "number of parameters or results")) return;
    for (size_t i = 0; i < xs.size(); ++i) {
      const bool is_variable = xs[i].variable != none;
      if (!check(is_variable == (ys[i].variable != none) && xs[i].reg == ys[i].reg, "kind of a parameter")) return;
      if (is_variable) variable(xs[i].variable, ys[i].variable);
    }
  }

  void variables() {
    parameters(f_.results, g_.results);
    parameters(f_.parameters, g_.parameters);
    if (!check(f_names_.locals().size() == g_names_.locals().size(), "number of variables")) return;
    for (size_t i = 0; i < f_names_.locals().size(); ++i) variable(f_names_.locals()[i], g_names_.locals()[i]);
  }

  void tables() {
    if (!check(f_.tables.size() == g_.tables.size(), "number of tables")) return;
    for (size_t i = 0; i < f_.tables.size(); ++i) {
      const ptx::Table& x = f_.tables[i];
      const ptx::Table& y = g_.tables[i];
      check(f_names_.table(i) == g_names_.table(i) && x.labels == y.labels && x.functions == y.functions &&
                x.is_prototype == y.is_prototype,
            "table " + f_names_.table(i));
    }
  }

  void labels() {
    if (!check(f_.labels.size() == g_.labels.size(), "number of labels")) return;
    for (size_t i = 0; i < f_.labels.size(); ++i) {
      check(f_names_.label(i) == g_names_.label(i) && f_.labels[i].instruction == g_.labels[i].instruction,
            "label " + f_names_.label(i));
    }
  }

  void instruction(const ptx::Instruction& x, const ptx::Instruction& y) {
    const auto position = [](const ptx::Function& function, const ptx::Instruction& instruction) {
      if (instruction.position == none) return std::pair(none, none);
      const ptx::Position& where = function.positions[instruction.position];
      return std::pair(where.file, where.line);
    };
    bool same = x.form->text == y.form->text && x.operand_count == y.operand_count;
    for (uint32_t i = 0; same && i < x.operand_count; ++i) same = same_operand(f_.begin(x)[i], g_.begin(y)[i]);
    same = same && x.guard == y.guard && x.guard_negated == y.guard_negated && position(f_, x) == position(g_, y);
    if (!same && findings_.empty()) {
      check(false, "'" + print(a_, index_, x) + "' against '" + print(b_, index_, y) + "', or its guard or line,");
    }
  }

  bool same_operand(const Operand& x, const Operand& y) const {
    if (x.kind != y.kind || x.role != y.role || x.negated != y.negated || x.component != y.component ||
        x.count != y.count || x.type != y.type || x.value != y.value) {
      return false;
    }
    switch (x.kind) {
      case Operand::Kind::vector:
      case Operand::Kind::pair:
      case Operand::Kind::address:
      case Operand::Kind::list:
        for (uint32_t i = 0; i < x.count; ++i) {
          if (!same_operand(f_.elements(x)[i], g_.elements(y)[i])) return false;
        }
        return true;
      case Operand::Kind::variable: return f_names_.variable(x.index) == g_names_.variable(y.index);
      default: return x.index == y.index;
    }
  }

  const ptx::Module& a_;
  const ptx::Module& b_;
  uint32_t index_;
  const ptx::Function& f_;
  const ptx::Function& g_;
  Findings& findings_;
  FunctionNames f_names_;
  FunctionNames g_names_;
};

std::vector<const ptx::Variable*> module_variables(const ptx::Module& module) {
  std::vector<const ptx::Variable*> variables;
  for (const ptx::Variable& variable : module.variables) {
    if (variable.function == none) variables.push_back(&variable);
  }
  return variables;
}

}  // namespace

std::string difference(const ptx::Module& a, const ptx::Module& b) {
  Findings findings;
  findings.check(a.version == b.version, "version");
  findings.check(a.targets == b.targets, "targets");
  findings.check(a.address_size == b.address_size, "address size");
  findings.check(a.files == b.files, "files");
  const auto xs = module_variables(a);
  const auto ys = module_variables(b);
  if (!findings.check(xs.size() == ys.size(), "number of variables")) return findings.first();
  for (size_t i = 0; i < xs.size(); ++i) {
    findings.check(xs[i]->name == ys[i]->name, "name of variable " + std::string(xs[i]->name));
    compare_variables(a, *xs[i], b, *ys[i], findings);
  }
  if (!findings.check(a.functions.size() == b.functions.size(), "number of functions")) return findings.first();
  for (uint32_t i = 0; i < a.functions.size() && findings.empty(); ++i) {
    FunctionComparison(a, b, i, findings).run();
  }
  return findings.first();
}

std::string changed_by_printing(const ptx::Module& module) {
  const std::string text = print(module);
  const auto again = ptx::parse(std::make_shared<const support::SourceFile>("printed.ptx", text));
  if (!again.ok()) return render(again.errors().front(), false);
  const std::string difference = test::difference(module, *again);
  if (!difference.empty()) return difference;
  return print(*again) == text ? "" : "printed again it is another text";
}

}  // namespace warpspan::test
