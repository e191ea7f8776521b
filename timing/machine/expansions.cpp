// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/machine/expansions.hpp"

#include <algorithm>
#include <charconv>
#include <memory>

#include "support/embedded_file.hpp"

namespace warpspan::timing {

// cmake/embed.cmake: the tables of timing/machine/data/expansions, by name.
extern const support::EmbeddedFile embedded_expansions[];
extern const size_t embedded_expansions_count;

namespace {

// Takes what comes before the separator off a text.
std::string_view take(std::string_view& text, char separator) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

int64_t number(std::string_view text) {
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

bool is_of(const std::vector<int64_t>& architectures, const std::vector<int64_t>& wanted) {
  return std::find_first_of(architectures.begin(), architectures.end(), wanted.begin(), wanted.end()) !=
         architectures.end();
}

Expansion largest(const Expansion& a, const Expansion& b) {
  Expansion both;
  both.total = std::max(a.total, b.total);
  for (size_t c = 0; c < both.of.size(); ++c) both.of[c] = std::max(a.of[c], b.of[c]);
  both.loop = a.loop || b.loop;
  return both;
}

std::optional<Expansion> largest(const std::optional<Expansion>& a, const std::optional<Expansion>& b) {
  return a && b ? largest(*a, *b) : a ? a : b;
}

// "53/5/0/5", "2/0/0/0/0/0/2", "32/4/0/1/2/0/0/7"; numbers that are left out are 0. "-": there is no such shape.
Expansion read_counts(std::string_view cell) {
  Expansion counts;
  if (cell == "-") return counts;
  counts.total = number(take(cell, '/'));
  for (const MachineClass one :
       {MachineClass::special, MachineClass::double_precision, MachineClass::branch, MachineClass::memory}) {
    counts.of[static_cast<size_t>(one)] = number(take(cell, '/'));
  }
  counts.loop = number(take(cell, '/')) != 0;
  counts.of[static_cast<size_t>(MachineClass::matrix)] = number(take(cell, '/'));
  counts.of[static_cast<size_t>(MachineClass::shuffle)] = number(take(cell, '/'));
  return counts;
}

// Whether the threads of a warp execute the operation as one. Where the assembler cannot see that all are there, as
// after a branch that may be divergent, it makes the same code as under a guard.
bool is_collective(ir::OperationKind kind) {
  return kind == ir::OperationKind::shuffle || kind == ir::OperationKind::vote ||
         kind == ir::OperationKind::warp_reduce || kind == ir::OperationKind::warp_barrier;
}

void add(std::vector<Occupancy>& occupancies, const Occupancy& occupancy, int64_t times) {
  const auto at = std::lower_bound(occupancies.begin(), occupancies.end(), occupancy,
                                   [](const Occupancy& a, const Occupancy& b) { return a.resource < b.resource; });
  if (at == occupancies.end() || at->resource != occupancy.resource) {
    occupancies.insert(
        at, {occupancy.resource, occupancy.cycles * times, occupancy.per_transaction, occupancy.first * times});
    return;
  }
  at->first += occupancy.first * times;
  // Per transaction, the cycles of a further one are at least those of the first.
  if (occupancy.per_transaction == at->per_transaction) {
    at->cycles += occupancy.cycles * times;
  } else {
    at->cycles = std::max({at->cycles, occupancy.cycles * times, at->first});
    at->per_transaction = true;
  }
}

void add_all(std::vector<Occupancy>& occupancies, const std::vector<Occupancy>& more, int64_t times) {
  if (times == 0) return;
  for (const Occupancy& occupancy : more) add(occupancies, occupancy, times);
}

// What a machine instruction of a sequence occupies: what each does, and what one of its class does besides.
std::vector<Occupancy> occupancies_of_one(const Machine& machine, const std::vector<Occupancy>& more = {}) {
  std::vector<Occupancy> occupancies = {{0, machine.issue_occupancy, false, machine.issue_occupancy}};
  add_all(occupancies, machine.sequence->occupancies, 1);
  add_all(occupancies, more, 1);
  return occupancies;
}

// Those that cost what the operation states, and the others. The counts of the classes are maxima, each by itself, so
// they may be more than `others` in all: never less than what any variant of the code occupies, as one of a class
// occupies at least what a plain one does.
std::vector<MachineInstructions> machine_instructions(const Machine& machine, const OperationFigures& own,
                                                      int64_t alike, int64_t others,
                                                      const std::array<int64_t, machine_classes>& of) {
  const SequenceFigures& sequence = *machine.sequence;
  const int64_t special = of[static_cast<size_t>(MachineClass::special)];
  const int64_t wide = of[static_cast<size_t>(MachineClass::double_precision)];
  const int64_t shuffles = of[static_cast<size_t>(MachineClass::shuffle)];
  std::vector<MachineInstructions> all = {
      {alike, own.instructions, own.occupancies},
      {std::max<int64_t>(0, others - special - wide - shuffles), 1, occupancies_of_one(machine)},
      {special, 1, occupancies_of_one(machine, sequence.special_occupancies)},
      {wide, 1, occupancies_of_one(machine, sequence.double_occupancies)},
      {shuffles, 1, occupancies_of_one(machine, sequence.shuffle_occupancies)}};
  all.erase(std::remove_if(all.begin(), all.end(), [](const auto& group) { return group.times == 0; }), all.end());
  return all;
}

}  // namespace

ExpansionTable::ExpansionTable(std::string_view text) {
  constexpr int columns_of_key = 4;
  bool is_head = true;
  while (!text.empty()) {
    const std::string_view line = take(text, '\n');
    if (line.empty() || line.front() == '#') continue;
    std::string_view rest = line;
    if (std::exchange(is_head, false)) {
      for (int i = 0; i < columns_of_key; ++i) take(rest, '\t');
      while (!rest.empty()) architectures_.push_back(number(take(rest, '\t')));
      continue;
    }
    const std::string_view opcode = take(rest, '\t');
    by_opcode_[opcode][take(rest, '\t')].add(rest);
  }
}

// The text begins behind opcode and types.
ExpansionTable::Row::Row(std::string_view text, const std::vector<int64_t>& columns) {
  read_modifiers(take(text, '\t'));
  vector_size = number(take(text, '\t'));
  bool is_form = false;  // whether there is the form on the architecture to the left
  for (const int64_t architecture : columns) {
    std::string_view column = take(text, '\t');
    const bool is_as_left = column == "=";
    if (!is_as_left) is_form = column != ".";
    if (!is_form) continue;
    if (!is_as_left) {
      const Expansion registers = read_counts(take(column, ' ')), immediate = read_counts(take(column, ' '));
      counts.push_back({{}, registers, immediate, read_counts(take(column, ' '))});
    }
    counts.back().architectures.push_back(architecture);
  }
}

void ExpansionTable::Row::read_modifiers(std::string_view list) {
  if (list == "-") return;
  while (!list.empty()) {
    const std::string_view word = take(list, ',');
    special = special || word == "special";
    plain = plain || word == "plain";
    variable = variable || word == "variable";
    constant = constant || word == "constant";
    far = far || word == "far";
    in_memory = in_memory || word == "global" || word == "const";
    if (word != "special" && word != "variable" && word != "far" && word != "wide" && word != "constant") {
      modifiers.push_back(word);
    }
  }
  if (special) std::erase(modifiers, "plain");
}

const std::vector<ExpansionTable::Row>& ExpansionTable::Group::rows(const std::vector<int64_t>& columns) const {
  if (const auto* read = rows_.load()) return *read;
  auto own = std::make_unique<std::vector<Row>>();
  for (const std::string_view text : texts_) own->emplace_back(text, columns);
  const std::vector<Row>* first = nullptr;
  return rows_.compare_exchange_strong(first, own.get()) ? *own.release() : *first;
}

ExpansionTable::Group::~Group() { delete rows_.load(); }

// Whether a row's modifiers are those of an operation. Some are none of the language: 'special', the source is a
// special register; 'variable', the source or the address is a variable; 'far', the address has a large offset; 'wide',
// 32 bits are loaded into a register of 64; 'constant', the mask of threads is a known one. A row with 'plain' is one
// of fewer cases than the row without it: an operation on special registers knows whether it is one of them, others do
// not, so that it fits none of these. Rows of the same modifiers whose address is another one fit nearly, and rows of
// more cases.
ExpansionTable::Fit ExpansionTable::fit_of(const Row& row, const ir::Operation& operation) {
  if (row.constant != operation.key.constant_mask) return Fit::none;
  if (row.special != (operation.kind == ir::OperationKind::special_register)) return Fit::none;
  // A move of an address does not name the variable's space.
  if (row.variable && operation.kind == ir::OperationKind::move) {
    if (operation.reads_launch) return Fit::none;
    return !row.in_memory || operation.reads_constant ? Fit::exactly : Fit::none;
  }
  if (row.special && row.plain && !operation.key.plain_special) return Fit::none;
  if (row.special && !row.plain && operation.key.plain_special) return Fit::nearly;
  const std::vector<std::string>& own = operation.key.modifiers;
  if (!std::equal(row.modifiers.begin(), row.modifiers.end(), own.begin(), own.end())) return Fit::none;
  const bool same_address = row.variable == operation.key.of_variable && row.far == operation.key.far;
  return operation.kind == ir::OperationKind::move || same_address ? Fit::exactly : Fit::nearly;
}

// A guard or a constant never makes a form less: a shape without counts takes those of the others.
Expansion ExpansionTable::expansion_in(const Counts& counts, const ir::Operation& operation) {
  const bool as_guarded = operation.key.guarded || is_collective(operation.kind);
  Expansion found = counts.registers;
  if (operation.key.immediate || as_guarded) found = largest(found, counts.immediate);
  if (as_guarded) found = largest(found, counts.guarded);
  return found.total == 0 ? largest(counts.immediate, counts.guarded) : found;
}

// Nothing if none of the architectures has the form.
std::optional<Expansion> ExpansionTable::largest_of(const Row& row, const ir::Operation& operation,
                                                    const std::vector<int64_t>& wanted) {
  std::optional<Expansion> all;
  for (const Counts& counts : row.counts) {
    if (is_of(counts.architectures, wanted)) all = largest(all, std::optional(expansion_in(counts, operation)));
  }
  return all;
}

std::optional<Expansion> ExpansionTable::largest_of(const Group& group, const ir::Operation& operation,
                                                    const std::vector<int64_t>& wanted) const {
  std::optional<Expansion> all;
  for (const Row& row : group.rows(architectures_)) all = largest(all, largest_of(row, operation, wanted));
  return all;
}

std::optional<Expansion> ExpansionTable::find(const ir::Operation& operation,
                                              const std::vector<int64_t>& wanted) const {
  const ir::OperationKey& key = operation.key;
  const auto of_opcode = by_opcode_.find(key.opcode);
  if (of_opcode == by_opcode_.end()) return std::nullopt;
  std::string types_cell;
  for (const std::string& type : key.types) types_cell += (types_cell.empty() ? "" : ",") + type;
  const auto same_types = of_opcode->second.find(types_cell.empty() ? "-" : types_cell);
  if (same_types != of_opcode->second.end()) {
    std::optional<Expansion> own, near;
    for (const Row& row : same_types->second.rows(architectures_)) {
      if (row.vector_size != key.vector_size) continue;
      const Fit fit = fit_of(row, operation);
      if (fit == Fit::none) continue;
      std::optional<Expansion>& fitting = fit == Fit::exactly ? own : near;
      fitting = largest(fitting, largest_of(row, operation, wanted));
    }
    if (!own) own = near ? near : largest_of(same_types->second, operation, wanted);
    if (own) return own;
  }
  std::optional<Expansion> all;
  for (const auto& [types_of_rows, rows] : of_opcode->second) {
    all = largest(all, largest_of(rows, operation, wanted));
  }
  return all;
}

std::optional<Expansion> expansion_of(const Machine& machine, const ir::Operation& operation) {
  if (!machine.sequence) return std::nullopt;
  return ptx_expansions().find(operation, machine.sequence->architectures);
}

const ExpansionTable& ptx_expansions() {
  static const ExpansionTable table([] {
    const support::EmbeddedFile* end = embedded_expansions + embedded_expansions_count;
    const auto* file = std::find_if(embedded_expansions, end, [](const auto& one) { return one.name == "ptx"; });
    return file == end ? std::string_view() : file->text;
  }());
  return table;
}

OperationFigures with_expansion(const Machine& machine, const OperationFigures& own, const Expansion& expansion) {
  const SequenceFigures& sequence = *machine.sequence;
  const auto own_class = static_cast<size_t>(own.machine_class);
  // Machine instructions that cost what the operation states, and the others.
  const int64_t alike =
      !own.expanded || own.machine_class == MachineClass::plain ? 1 : std::max<int64_t>(1, expansion.of[own_class]);
  const int64_t others = std::max<int64_t>(0, expansion.total - (own.expanded ? alike : own.instructions));
  std::array<int64_t, machine_classes> of = expansion.of;
  if (own.expanded) {
    of[own_class] = 0;
  } else {
    for (int64_t& count : of) count = std::min(count, others);  // the others are in what it states
  }
  const bool several = alike + others > 1;
  if (!several && std::all_of(of.begin(), of.end(), [](int64_t count) { return count == 0; })) return own;

  const auto count = [&of](MachineClass one) { return of[static_cast<size_t>(one)]; };
  const int64_t iterations = own.expanded && expansion.loop ? sequence.iterations : 1;
  // An access of an operation that is no access itself is one to constant memory: constant_reads.hpp finds those.
  int64_t more = others * sequence.latency;
  for (size_t c = 0; c < of.size(); ++c) more += of[c] * sequence.more[c];
  if (expansion.total >= 3 && others > 0) more += sequence.predicate;

  OperationFigures all = own;
  const Span typical = own.typical.value_or(Span{own.latency.best, own.latency.average + others * sequence.average});
  all.latency.worst = iterations * (alike * own.latency.worst + more);
  all.latency.translation = iterations * alike * own.latency.translation;
  all.latency.refresh = iterations * alike * own.latency.refresh;
  all.latency.average = std::min(typical.most, all.latency.worst);
  all.latency.best = std::min(typical.least, all.latency.average);
  all.gap = iterations * (alike * own.gap + more);
  all.of_others = iterations * more;
  all.instructions = iterations * (alike * own.instructions + others);
  all.per_transaction = iterations * alike * own.per_transaction;
  all.occupancies.clear();
  add_all(all.occupancies, own.occupancies, iterations * alike);
  add(all.occupancies, {0, machine.issue_occupancy, false, machine.issue_occupancy}, iterations * others);
  add_all(all.occupancies, sequence.occupancies, iterations * others);
  add_all(all.occupancies, sequence.special_occupancies, iterations * count(MachineClass::special));
  add_all(all.occupancies, sequence.double_occupancies, iterations * count(MachineClass::double_precision));
  add_all(all.occupancies, sequence.shuffle_occupancies, iterations * count(MachineClass::shuffle));
  all.sequence = machine_instructions(machine, own, alike, others, of);
  for (MachineInstructions& group : all.sequence) group.times *= iterations;
  all.evidence = std::max(own.evidence, sequence.provenance.evidence);
  if (own.source != sequence.provenance.source) all.source += "; " + sequence.provenance.source;
  return all;
}

OperationFigures with_moves(const Machine& machine, OperationFigures figures, int64_t moves) {
  if (moves == 0) return figures;
  const SequenceFigures& sequence = *machine.sequence;
  const std::vector<Occupancy> one = occupancies_of_one(machine);
  if (figures.sequence.empty()) figures.sequence = {{1, figures.instructions, figures.occupancies}};
  figures.sequence.push_back({moves, 1, one});
  figures.latency.worst += moves * sequence.latency;
  figures.latency.average = std::min(figures.latency.average + moves * sequence.average, figures.latency.worst);
  figures.gap += moves * sequence.latency;
  figures.of_others += moves * sequence.latency;
  figures.instructions += moves;
  add_all(figures.occupancies, one, moves);
  return figures;
}

}  // namespace warpspan::timing
