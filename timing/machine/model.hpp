// SPDX-License-Identifier: GPL-3.0-or-later
// Machine models: the figures of one GPU, read from data files that give the source of every number (docs/machines.md).
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/kernel.hpp"
#include "ir/sizes.hpp"
#include "support/checked.hpp"
#include "support/rational.hpp"
#include "support/result.hpp"
#include "timing/assumptions/assumption.hpp"
#include "timing/machine/simulated_figures.hpp"

namespace warpspan::timing {

// How much a figure is worth.
enum class Evidence : uint8_t { official, measured, simulator, assumed };
inline constexpr int kinds_of_evidence = 4;
std::string_view to_string(Evidence evidence);

// Where figures that stand together in a machine file come from. Sources are cited by their keys: "[THES] table 7".
struct Provenance {
  Evidence evidence = Evidence::assumed;
  std::string source;

  friend bool operator==(const Provenance&, const Provenance&) = default;
};

// A source that the file cites.
struct Reference {
  std::string key;   // "THES"
  std::string text;  // author, title, year

  friend bool operator==(const Reference&, const Reference&) = default;
};

// Best, average and worst case of a latency, in cycles; best <= average <= worst.
struct Latency {
  int64_t best = 0, average = 0, worst = 0;
  // Of the worst case: what waiting for a translation of an address adds, and what waiting for refreshes of the memory
  // does. Figures that name them (TranslationFigures, RefreshFigures) as parts of a sum tell it; 0 where none does.
  int64_t translation = 0, refresh = 0;

  friend bool operator==(const Latency&, const Latency&) = default;
};

// Cycles for which one instruction (or each of its memory transactions) occupies a server of a resource; in Machine, of
// a resource that has service times of lines, lines (timing/costs/cost.hpp makes cycles of them). occupied_cycles has
// the sum.
struct Occupancy {
  size_t resource = 0;  // index into Machine::resources
  int64_t cycles = 0;
  bool per_transaction = false;
  // Of the instruction with its first transaction; at most `cycles`, and the same without per_transaction.
  int64_t first = 0;

  friend bool operator==(const Occupancy&, const Occupancy&) = default;
};

// Server-cycles for which one instruction occupies the resource in all. transactions: of the instruction, 0..32; an
// instruction that has none counts as one transaction.
support::Integer occupied_cycles(const Occupancy& occupancy, int64_t transactions);

// A loop of the machine code that is run until each lane has succeeded, which contenders make longer: the cycles of all
// attempts of one instruction that succeed, at most. They are among those for which it occupies the resource.
struct Retries {
  // Index into Machine::resources: one server, shared by contenders, whose success makes an attempt fail.
  size_t resource = 0;
  int64_t cycles = 0;

  friend bool operator==(const Retries&, const Retries&) = default;
};

// What is known to lie between two values; least <= most.
struct Span {
  int64_t least = 0, most = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

// How blocks come to multiprocessors, in cycles, in a kernel that has begun: what happens before its first block is in
// no bound.
struct DispatchFigures {
  int64_t latency = 0;   // from a block's dispatch slot to the first issue of its warps, worst case
  int64_t interval = 0;  // from a dispatch slot to the next one, worst case; the device has one dispatcher
  int64_t warps = 0;     // of a block for which `interval` is, at most; 1 or more
  Provenance provenance;

  // Cycles from the dispatch slot of a block with so many warps to the next one, at most: the interval for each
  // `warps` of it that are begun.
  int64_t interval_of(int64_t warps_of_block) const { return (warps_of_block + warps - 1) / warps * interval; }

  friend bool operator==(const DispatchFigures&, const DispatchFigures&) = default;
};

// How translations of addresses come to a multiprocessor.
struct TranslationFigures {
  int64_t cycles = 0;      // that the first access to a page takes longer, at worst
  int64_t page_bytes = 0;  // of the smallest page
  int64_t pages = 0;       // whose translations are kept, of so many that a launch touches
  Provenance provenance;

  friend bool operator==(const TranslationFigures&, const TranslationFigures&) = default;
};

// When the memory refreshes itself.
struct RefreshFigures {
  int64_t cycles = 0;    // for which it cannot answer
  int64_t interval = 0;  // cycles from the begin of one refresh to that of the next, more than `cycles`
  Provenance provenance;

  friend bool operator==(const RefreshFigures&, const RefreshFigures&) = default;
};

// When a machine instruction that waits in a queue has read its operands, so that they may be overwritten.
struct OperandRead {
  int64_t latency = 0;  // from its issue on, worst case, unloaded
  Provenance provenance;

  friend bool operator==(const OperandRead&, const OperandRead&) = default;
};

// What machine instructions are, as far as their costs in a sequence differ.
enum class MachineClass : uint8_t {
  plain,
  special,           // on a special-function or conversion unit, or another one whose latency varies
  double_precision,  // double precision arithmetic
  branch,            // branches, calls, reconvergence
  memory,            // accesses to memory
  matrix,            // multiply-accumulate of matrices
  shuffle,           // in an atomic, whose lanes add up what they have; elsewhere shuffles are of the class memory
};
inline constexpr int machine_classes = 7;
std::string_view to_string(MachineClass machine_class);

// Machine instructions of an operation, which are alike.
struct MachineInstructions {
  int64_t times = 1;                   // how many such groups
  int64_t instructions = 1;            // of one group: issue slots it takes
  std::vector<Occupancy> occupancies;  // of one group, in the order of Machine::resources

  friend bool operator==(const MachineInstructions&, const MachineInstructions&) = default;
};

// The figures of one operation kind. All cycles are cycles of Machine::clock_khz.
struct OperationFigures {
  Latency latency;              // issue to the issue of a dependent instruction, unloaded, one transaction
  int64_t gap = 0;              // least cycles from its issue to the next issue of the same warp, worst case
  int64_t instructions = 1;     // machine instructions it stands for: issue slots it takes
  int64_t of_others = 0;        // of latency and gap: of the machine instructions other than those it is named after
  int64_t per_transaction = 0;  // cycles that each transaction after the first adds to the latency, worst case
  // One entry a resource, in the order of Machine::resources. The first is the issue slot: all machine instructions it
  // stands for and their replays.
  std::vector<Occupancy> occupancies;
  std::vector<Retries> retries;  // at most one entry a resource, in the order of Machine::resources
  Evidence evidence = Evidence::assumed;
  std::string source;
  // The figures are those of one machine instruction of a form, or of each if it has several of the class, and the
  // table of expansions counts the others (Machine::sequence). If not, they are those of the whole sequence.
  bool expanded = false;
  MachineClass machine_class = MachineClass::plain;
  std::optional<Span> typical;  // best and average latency of forms that take several machine instructions
  bool plain_textures = false;  // only for textures that are sampled without mipmaps and without anisotropy
  // Of one machine instruction of fixed latency: cycles by which its warp goes on later than its stall count has it.
  int64_t later = 0;
  // Its lines have no address, and none of memory: they were measured as Guarantee::spread, whatever is assumed.
  bool spread = false;
  // All its machine instructions where they are not alike; otherwise empty: see `instructions` and `occupancies`.
  std::vector<MachineInstructions> sequence;

  friend bool operator==(const OperationFigures&, const OperationFigures&) = default;
};

// What is assumed of where lines lie, each with all that stands before it (docs/memory-model.md, "Guarantees").
enum class Guarantee : uint8_t { same_bank, few, spread, stream };
inline constexpr size_t guarantees = 4;
inline constexpr std::array<Guarantee, guarantees> all_guarantees = {Guarantee::same_bank, Guarantee::few,
                                                                     Guarantee::spread, Guarantee::stream};
std::string_view to_string(Guarantee guarantee);  // "same-bank"

// The service time of lines of memory_line_bytes.
struct LineTime {
  support::Rational cycles;  // more than 0: while requests wait, another line is finished within so many cycles
  Provenance provenance;

  // Of so many lines one after another, rounded up.
  support::Integer cycles_for(int64_t lines) const;

  friend bool operator==(const LineTime&, const LineTime&) = default;
};
// LineTimes::once is stated for so many lines; key_of_once has the names.
inline constexpr int64_t lines_of_once = 1024;
inline constexpr std::array<int64_t, 5> sizes_of_once = {64, 128, 256, 512, lines_of_once};
std::string key_of_once(int64_t lines);  // "once", "once_64"

struct LineTimes {
  std::array<LineTime, guarantees> times;  // by Guarantee, none longer than the one before it
  // All but `same_bank` are for kernels that touch at most so many bytes. 0: no limit, the device has no more.
  int64_t reach = 0;
  // Of memory: up to so many different lines, each served once, take no longer than `spread` has it and so long
  // besides, where these assumptions are made of it: by number of lines, of `sizes_of_once`, the largest of them among
  // them, and none longer than of more lines. Empty: it is unknown.
  std::map<int64_t, LineTime> once = {};

  // What any number of different lines take besides, each served once, in ticks of a cycle: of each `lines_of_once` of
  // them as many, and of the rest what is stated for no fewer. Requires that `once` is known.
  support::Integer once_for(int64_t lines, int64_t ticks) const;

  // `few` is stated only where it was measured; else it is as `same_bank`.
  bool is_stated(Guarantee guarantee) const {
    return guarantee != Guarantee::few || !(of(Guarantee::few) == of(Guarantee::same_bank));
  }
  LineTime& of(Guarantee guarantee) { return times[static_cast<size_t>(guarantee)]; }
  const LineTime& of(Guarantee guarantee) const { return times[static_cast<size_t>(guarantee)]; }

  friend bool operator==(const LineTimes&, const LineTimes&) = default;
};

// Names of resources and caches that bounds treat by themselves, where a machine file has them.
inline constexpr std::string_view memory_resource = "memory";       // all else with service times of lines leads to it
inline constexpr std::string_view network_resource = "network";     // the slices of the L2 cache, and the path to them
inline constexpr std::string_view fetch_resource = "fetch";         // the path of code into a multiprocessor
inline constexpr std::string_view copies_resource = "copy_engine";  // the unit that makes bulk copies

// The ports of the register file, through which one register of each lane at least comes in a cycle: no machine
// instruction occupies them for more cycles than its operands have registers.
inline constexpr std::string_view register_ports = "registers";
inline constexpr std::string_view l2_cache = "L2";
inline constexpr std::string_view constant_cache = "constant";

// Something warps compete for.
struct ResourceFigures {
  std::string name;  // "issue", "load_store", "special", "memory"
  int64_t servers = 1;
  enum class Sharing : uint8_t { scheduler, multiprocessor, device } sharing = Sharing::multiprocessor;
  Evidence evidence = Evidence::assumed;
  std::string source;
  // It is occupied from the issue of an instruction on, as the issue slot is: each machine instruction that occupies it
  // does so from the cycle of its issue on, at least for the cycles of its slot, and its occupancy is that whole stay.
  // If not, it may be occupied from some later time on.
  bool at_issue = false;
  // If not 0, occupancies are those of an access of so many bytes by each lane; narrower ones occupy it for as much
  // less, and further transactions as an access of a line does, 4 bytes by each lane.
  int64_t lane_bytes = 0;
  // Of register ports: banks that read a register of each lane in a cycle each; of two, one has the even registers.
  int64_t banks = 1;
  std::optional<LineTimes> lines = std::nullopt;  // service times; occupancies of it count lines, not cycles

  friend bool operator==(const ResourceFigures&, const ResourceFigures&) = default;
};
std::string_view to_string(ResourceFigures::Sharing sharing);

// A cache that data, or constants and parameters, are read through.
struct DataCache {
  std::string name;                                                     // "L1", "L2", "constant"
  ResourceFigures::Sharing sharing = ResourceFigures::Sharing::device;  // whose warps read through one copy of it
  int64_t bytes = 0, line = 0;
  support::Rational persistent;  // 0 to 1: lines are, while so much of it is enough for all that is touched
  // Cycles of a load whose line it has, worst case, unloaded, one transaction: the longest of all forms of loads (of
  // constants, for a cache of constants) that a machine file states. What the table of expansions adds comes on top.
  int64_t hit = 0;
  Provenance provenance;
  // Of constants: reads at fixed addresses are operands of other instructions, or moves, and occupy no port of memory.
  bool as_operands = false;
  int64_t hit_translation = 0;  // of `hit`: Latency::translation
  // Of constants: bytes of the cache behind it, where multiprocessors have what this one lacks, code among it, and
  // cycles for which each place of a read that comes from there takes the port of a multiprocessor (network_port). 0:
  // unknown.
  int64_t behind = 0, place = 0;
  // 0 to 1: while so much of it is enough for what was asked for since the last request for a line, of 512 such
  // requests all but `lost` find their line, at most; `persistent` and 0 if nothing is known of more.
  support::Rational mostly_persistent = {};
  int64_t lost = 0;

  friend bool operator==(const DataCache&, const DataCache&) = default;
};

// Threads of a warp, the same for all machines.
inline constexpr int64_t warp_size = ir::warp_lanes;

// A cache that code is fetched through. A miss asks the next one, a miss in the last one memory.
struct CodeCache {
  std::string name;                                                     // "L0"
  ResourceFigures::Sharing sharing = ResourceFigures::Sharing::device;  // whose warps fetch through one copy of it
  int64_t bytes = 0;                                                    // at least a line
  int64_t miss = 0;  // cycles that a miss adds where nothing else is under way, the next one having the line
  // Of one miss, none per transaction; with those of nearer caches none longer than all their `miss` and this one.
  std::vector<Occupancy> occupancies;
  Evidence evidence = Evidence::assumed;
  std::string source;
  // For how long a miss occupies the path into the multiprocessor (resource "fetch") where warps share what is fetched,
  // as those do that run the same loop (Assumption::shares_code); 0: as long as otherwise.
  int64_t shared = 0;
  int64_t translation = 0, refresh = 0;  // of `miss`: Latency

  friend bool operator==(const CodeCache&, const CodeCache&) = default;
};

// How instructions come to a warp.
struct FetchFigures {
  int64_t line = 0;               // bytes that are fetched at a time
  int64_t instructions = 0;       // machine instructions in a line
  std::vector<CodeCache> caches;  // nearest first, each shared at least as widely as the one before; the last by all
  Provenance provenance;          // of the line

  friend bool operator==(const FetchFigures&, const FetchFigures&) = default;
};

// What machine instructions cost other than the one that an operation is named after.
struct SequenceFigures {
  std::vector<int64_t> architectures;           // whose rows of the table of expansions count, the largest of them: 80
  int64_t latency = 0;                          // of each, until the next one can issue
  int64_t average = 0;                          // the same, on average
  std::array<int64_t, machine_classes> more{};  // that one of a class takes longer; 0 for plain, memory and matrix
  int64_t predicate = 0;               // that waiting for a guard takes longer, once, where there are three or more
  int64_t iterations = 1;              // of a loop of the machine code, at most, for one warp
  std::vector<Occupancy> occupancies;  // of each
  // What one of the class occupies besides.
  std::vector<Occupancy> special_occupancies, double_occupancies, shuffle_occupancies;
  Provenance provenance;

  friend bool operator==(const SequenceFigures&, const SequenceFigures&) = default;
};

// A table of typical figures.
template <template <typename> typename Figures>
struct Simulated {
  Figures<support::Rational> figures;
  Provenance provenance;

  friend bool operator==(const Simulated&, const Simulated&) = default;
};

// Some forms of a kind: those that every list fits which is not empty.
struct FormRule {
  std::vector<std::string> forms;      // patterns of Operation::text, such as "setp.*"; '*' stands for any characters
  std::vector<std::string> opcodes;    // the opcode is one of these
  std::vector<std::string> types;      // one of the types is one of these
  std::vector<std::string> modifiers;  // one of the modifiers is one of these, a vector size such as "v4" among them

  bool loop = false;  // only those whose machine code has a loop

  bool all() const { return forms.empty() && opcodes.empty() && types.empty() && modifiers.empty() && !loop; }
  // Whatever `loop` says.
  bool fits(const ir::Operation& operation) const;

  friend bool operator==(const FormRule&, const FormRule&) = default;
};

// Why a machine file holds that an assumption is true of its device, in one line.
struct Backing {
  Assumption assumption;
  std::string evidence;

  friend bool operator==(const Backing&, const Backing&) = default;
};

struct Machine {
  std::string name;                  // "fermi"
  std::string description;           // "NVIDIA Fermi GF100 (compute capability 2.0)"
  std::vector<std::string> targets;  // .target names it is the default machine of

  int64_t multiprocessors = 1;
  int64_t clock_khz = 0;
  bool integrated = false;  // the GPU shares its memory with a CPU and other engines of the chip
  Provenance board;

  int64_t schedulers = 1;       // of one multiprocessor
  int64_t issue_gap = 1;        // least cycles between two issues of one warp
  int64_t issue_occupancy = 1;  // cycles for which one machine instruction occupies the issue slot of its scheduler
  Provenance issue;

  // Of one multiprocessor unless the name says otherwise; registers of 32 bits. Granularities are what an allocation is
  // rounded up to: registers for a warp, shared memory for a block. A span is what boards or sources differ in.
  int64_t max_warps = 0, max_threads_per_block = 0;
  Span max_blocks, shared_bytes;
  Span barriers;  // named barriers of all blocks together
  // How much of what it shares with the L1 cache a multiprocessor can be set to as shared memory, ascending, besides
  // all.
  std::vector<int64_t> shared_settings;
  int64_t shared_bytes_per_block = 0, shared_granularity = 1, shared_reserved_per_block = 0;
  int64_t registers = 0, registers_per_block = 0, registers_per_thread = 255;
  Span register_granularity = {1, 1};
  int64_t launch_partitions = 1;  // of the registers: blocks that do not fit so many parts are not launched
  Provenance limits;

  std::optional<DispatchFigures> dispatch;  // nothing where the file does not state it
  std::optional<OperandRead> operand_read;  // nothing: as late as its result
  // Nothing where it is not known how often a kernel waits for them: each access may.
  std::optional<TranslationFigures> translation;
  std::optional<RefreshFigures> refresh;

  // Width of each unit class in warps: how many warps execute one instruction of the class per string-model cycle.
  std::array<support::Rational, ir::unit_classes> unit_width;
  Provenance units;

  // Nothing where the file has no such table.
  std::optional<Simulated<UnitFigures>> simulated_units;
  std::optional<Simulated<MemoryFigures>> simulated_memory;
  std::optional<Simulated<AtomicFigures>> simulated_atomics;
  std::optional<Simulated<CodeFigures>> simulated_code;
  std::optional<Simulated<BlockFigures>> simulated_blocks;

  std::vector<ResourceFigures> resources;   // resources[0] is the issue slot
  std::vector<DataCache> data_caches;       // nearest first; empty where the file has no figures of them
  std::optional<FetchFigures> fetch;        // nothing where the file has no figures of it
  std::optional<SequenceFigures> sequence;  // nothing where all figures are those of whole sequences
  // By OperationKind: figures that are safe for every form of the kind, of those that are expanded one machine
  // instruction's; nothing if some form has none.
  std::array<std::optional<OperationFigures>, ir::operation_kinds> operations;
  // Figures of some forms of a kind only, in the order of the file: the first that fits counts. `otherwise` has those
  // of the other forms, by OperationKind.
  struct FormFigures {
    ir::OperationKind kind;
    FormRule rule;
    OperationFigures figures;

    friend bool operator==(const FormFigures&, const FormFigures&) = default;
  };
  std::vector<FormFigures> form_figures;
  std::array<std::optional<OperationFigures>, ir::operation_kinds> otherwise;
  std::vector<std::string> assumptions;      // of its file: sentences that results carry besides (conditions.hpp)
  std::vector<std::string> ptx_assumptions;  // and those for PTX, besides
  std::vector<Backing> usual;                // in the order of the table of assumptions
  std::vector<Reference> references;         // by key

  const std::optional<OperationFigures>& figures(ir::OperationKind kind) const {
    return operations[static_cast<size_t>(kind)];
  }
  std::optional<size_t> resource(std::string_view wanted) const;  // its index; nothing if there is none of this name
  AssumptionSet usual_assumptions() const;
  const LineTimes* lines_once() const;  // of memory, if LineTimes::once is known; else null
  int64_t reach() const;                // LineTimes::reach, the least of all resources; 0: any number of bytes
  const DataCache* data_cache(std::string_view wanted) const;  // nullptr if the file has none of this name
  // The figures of an operation by its form too, tighter than those of its kind, of all its machine instructions; of a
  // bulk copy those of one thread; of a machine instruction its own, or the largest of all
  // (ir::MachineIssue::takes_most). Nothing if the machine has none.
  std::optional<OperationFigures> figures(const ir::Operation& operation) const;
  // The table that they are from; nullptr if the machine has none.
  const OperationFigures* stated(const ir::Operation& operation) const;

  friend bool operator==(const Machine&, const Machine&) = default;
};

// Visits whatever has a standing and a source, each operation table once for each kind it stands for.
void for_each_provenance(const Machine& machine,
                         const std::function<void(Evidence evidence, const std::string& source)>& visit);

// Figures that are safe for both: the larger of each, the weaker evidence, both sources. The best latency is the
// smaller.
OperationFigures safe_for_both(const OperationFigures& a, const OperationFigures& b);

// Reads and checks a machine file: every figure has a standing and a source, every number its range, names are known.
// What the file leaves out is that of the built-in machine or generation it is based on, if it names one. All errors of
// the file, in its order, as wrong use; a text that is not TOML has one error. name: of the file, for errors.
support::Result<Machine> parse_machine(const std::string& name, std::string_view text);

// Whether a machine of such a name is one of a file: it contains '/' or ends in ".toml".
bool is_machine_file(std::string_view name);

// One read from a file (is_machine_file), or a built-in machine, in any case: by its name, by one of its targets
// ("sm_80", also "sm_90a", "sm80", "compute_80" and "8.0"), or by its board, with blanks, dashes or neither, its words
// in any order, and without those that no two products differ in, such as "GeForce", "RTX" or "SXM" ("A100",
// "rtx-4090", "AGX Orin"). Usage errors: an unknown one, with what comes nearest and the names; a board of several
// machines; one that only shares words with boards of machines, with these.
support::Result<Machine> load_machine(const std::string& name);

// What [times] of a built-in machine and of the files it is based on name, in cycles.
using NamedCycles = std::map<std::string, int64_t>;
support::Result<NamedCycles> parse_times(const std::string& name, std::string_view text);
support::Result<NamedCycles> load_times(const std::string& name);

// The built-in machine whose targets contain the .target, or its stand-in; the letters of "sm_90a" and "sm_120f" do not
// matter, and "compute_80" is "sm_80". An error that names the --machine option if there is none.
support::Result<Machine> machine_for_target(std::string_view target);

// "sm_20" for "sm_10" to "sm_13", of which no device is modelled: drivers compile their PTX for later ones. Empty for
// all other targets.
std::string_view stand_in(std::string_view target);

// Names, in alphabetical order.
std::vector<std::string> builtin_machines();

}  // namespace warpspan::timing
