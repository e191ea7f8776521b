// SPDX-License-Identifier: GPL-3.0-or-later
// How many machine instructions an assembler makes of each form of an input language: timing/machine/data/expansions,
// measured by scripts/measure-expansions (docs/machines.md, "Expansions").
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "timing/machine/model.hpp"

namespace warpspan::timing {

// The most machine instructions of one form, over all paths; of a loop, one iteration.
struct Expansion {
  int64_t total = 0;
  std::array<int64_t, machine_classes> of{};  // how many of each class; plain is 0
  bool loop = false;                          // there is a branch back

  friend bool operator==(const Expansion&, const Expansion&) = default;
};

// A table of timing/machine/data/expansions: a row for each form, with a column for each architecture.
class ExpansionTable {
 public:
  // The text of a table, which must outlive it. Its rows are found, but read only when they are asked for.
  explicit ExpansionTable(std::string_view text);

  // The largest counts of a form on any of the architectures: its own rows; if there is none, the largest of the rows
  // of its opcode and types, or of its opcode. Nothing if there is no row of the opcode. What an operation does not
  // state (whether an offset is a large one, whether an address is a variable's) counts at its worst.
  std::optional<Expansion> find(const ir::Operation& operation, const std::vector<int64_t>& architectures) const;

  // Of the columns, in their order.
  const std::vector<int64_t>& architectures() const { return architectures_; }

 private:
  // What some architectures agree in.
  struct Counts {
    std::vector<int64_t> architectures;
    Expansion registers, immediate, guarded;
  };
  struct Row {
    Row(std::string_view text, const std::vector<int64_t>& columns);

    void read_modifiers(std::string_view list);

    std::vector<std::string_view> modifiers;  // those of the language
    bool special = false, plain = false, variable = false, in_memory = false, constant = false, far = false;
    int64_t vector_size = 0;
    std::vector<Counts> counts;
  };
  // The rows of an opcode and types. Searches come back to them for each operation and launch, so they are cached.
  // Threads that read them at the same time wait for no other: one that has no memory left stops where it is, for good.
  class Group {
   public:
    Group() = default;
    Group(const Group&) = delete;
    ~Group();

    void add(std::string_view row) { texts_.push_back(row); }
    const std::vector<Row>& rows(const std::vector<int64_t>& columns) const;  // in the order of the text

   private:
    std::vector<std::string_view> texts_;
    mutable std::atomic<const std::vector<Row>*> rows_ = nullptr;  // of the first that has read them
  };
  enum class Fit : uint8_t { none, nearly, exactly };

  static Fit fit_of(const Row& row, const ir::Operation& operation);
  static Expansion expansion_in(const Counts& counts, const ir::Operation& operation);
  static std::optional<Expansion> largest_of(const Row& row, const ir::Operation& operation,
                                             const std::vector<int64_t>& wanted);
  std::optional<Expansion> largest_of(const Group& group, const ir::Operation& operation,
                                      const std::vector<int64_t>& wanted) const;

  std::vector<int64_t> architectures_;
  std::map<std::string_view, std::map<std::string_view, Group>> by_opcode_;  // and types
};

// That of PTX, which the program contains.
const ExpansionTable& ptx_expansions();

// ExpansionTable::find there, on the machine's architectures. Nothing if the machine has no figures of sequences.
std::optional<Expansion> expansion_of(const Machine& machine, const ir::Operation& operation);

// The figures of a form: those that its operation states and those of its other machine instructions. The machine
// has figures of sequences.
OperationFigures with_expansion(const Machine& machine, const OperationFigures& own, const Expansion& expansion);

// The same with so many plain machine instructions before it, one after another. The machine has figures of sequences.
OperationFigures with_moves(const Machine& machine, OperationFigures figures, int64_t moves);

}  // namespace warpspan::timing
