// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/machine/fields.hpp"

namespace warpspan::timing {

namespace {

using enum FigureUnit;
using enum JsonPlace;
using enum JsonUnset;

constexpr IntegerRange positive = {1, 1'000'000'000};
constexpr IntegerRange natural = {0, 1'000'000'000};
constexpr IntegerRange cycles = natural;
constexpr IntegerRange memory_bytes = {0, 1'000'000'000'000'000};
constexpr IntegerRange capabilities = {1, 10'000};
constexpr IntegerRange iteration_counts = {1, 1'000'000};
constexpr int64_t barriers_of_a_block = 16;  // the most that PTX can name
constexpr std::string_view shared_by = "shared by the warps of a";

constexpr std::nullptr_t required = nullptr;
constexpr auto as_it_is = [](auto&) {};  // what is left out is as the model has it from the start

// Access to a member, or to a member of what an optional one has.
template <auto which>
constexpr auto member = [](auto& owner) -> auto& {
  return owner.*which;
};
template <auto optional, auto which>
constexpr auto member_of = [](auto& owner) -> auto& {
  return (*(owner.*optional)).*which;
};
template <ir::UnitClass unit>
constexpr auto width = [](auto& machine) -> auto& {
  return machine.unit_width[static_cast<size_t>(unit)];
};
template <MachineClass one>
constexpr auto more = [](auto& sequence) -> auto& {
  return sequence.more[static_cast<size_t>(one)];
};

constexpr MachineField<Machine> board_fields[] = {
    {"multiprocessors", member<&Machine::multiprocessors>, positive, none, required, "multiprocessors"},
    {"clock_khz", member<&Machine::clock_khz>, positive, khz, required, "clock"},
    {"integrated", member<&Machine::integrated>, positive, none, as_it_is, "",
     "Whether the GPU shares its memory with a CPU and other engines of the chip."},
};

constexpr MachineField<Machine> issue_fields[] = {
    // All analyses of lanes, divergence and memory transactions are for warps of this size.
    {"warp_size", ConstantFigure{warp_size, "every machine has warps of 32 threads"}, positive, none, required,
     "threads of a warp", "Threads."},
    {"schedulers", member<&Machine::schedulers>, positive, none, required, "schedulers", "Of a multiprocessor."},
    {"gap", member<&Machine::issue_gap>, positive, none, required, "cycles between two issues of a warp",
     "Cycles between two issues of a warp."},
    {"hold", member<&Machine::issue_occupancy>, positive, none, required,
     "cycles an instruction occupies its scheduler", "Cycles that an instruction occupies its scheduler."},
};

constexpr MachineField<Machine> limit_fields[] = {
    {"warps", member<&Machine::max_warps>, positive, none, required, "warps"},
    {"blocks", member<&Machine::max_blocks>, positive, none, required, "blocks", "Least and most."},
    {"barriers", member<&Machine::barriers>, positive, none,
     [](Machine& m) {
       m.barriers = {m.max_blocks.least, m.max_blocks.most * barriers_of_a_block};
     },
     "named barriers of all blocks", "Named barriers of all its blocks, least and most.", behind_others},
    {"threads_per_block", member<&Machine::max_threads_per_block>, positive, none, required, "threads of a block"},
    {"shared_bytes", member<&Machine::shared_bytes>, natural, bytes, required, "shared memory", "Least and most."},
    {"shared_bytes_per_block", member<&Machine::shared_bytes_per_block>, natural, bytes, required,
     "shared memory of a block"},
    {"shared_granularity", member<&Machine::shared_granularity>, positive, bytes, required, "shared memory granularity",
     "Bytes."},
    {"shared_reserved_per_block", member<&Machine::shared_reserved_per_block>, natural, bytes, required,
     "shared memory reserved for a block", "Bytes."},
    {"registers", member<&Machine::registers>, positive, none, required, "registers"},
    {"registers_per_block", member<&Machine::registers_per_block>, positive, none, required, "registers of a block"},
    {"registers_per_thread",
     member<&Machine::registers_per_thread>,
     {1, 65536},
     none,
     as_it_is,
     "registers of a thread"},
    {"register_granularity", member<&Machine::register_granularity>, positive, none, required, "register granularity",
     "Least and most."},
    {"launch_partitions", member<&Machine::launch_partitions>, positive, none,
     [](Machine& m) { m.launch_partitions = m.schedulers; }, "partitions of registers at a launch",
     "Partitions of the registers that a block must fit into to be launched.", behind_others},
    {"shared_settings", member<&Machine::shared_settings>, positive, bytes, as_it_is, "shared memory settings",
     "Bytes that a multiprocessor can be set to as shared memory, ascending, besides all that it has.", behind_others},
};

constexpr MachineField<Machine> dispatch_fields[] = {
    {"latency", member_of<&Machine::dispatch, &DispatchFigures::latency>, cycles, none, required,
     "cycles from a block's dispatch slot to its start", "From a block's dispatch slot to its start."},
    {"interval", member_of<&Machine::dispatch, &DispatchFigures::interval>, cycles, none, required,
     "cycles from a dispatch slot to the next one", "From a dispatch slot to the next one."},
    {"warps", member_of<&Machine::dispatch, &DispatchFigures::warps>, positive, none,
     [](Machine& m) { m.dispatch->warps = (m.max_threads_per_block + warp_size - 1) / warp_size; },
     "warps of a block that the interval is for",
     "Of a block that the interval is for, at most; a larger one takes it once for each so many that are begun.",
     behind_others},
};

constexpr MachineField<Machine> operand_read_fields[] = {
    {"latency", member_of<&Machine::operand_read, &OperandRead::latency>, cycles, none, required,
     "cycles from the issue until a queue has read them", "From the issue until the operands are read."},
};

constexpr MachineField<Machine> translation_fields[] = {
    {"cycles", member_of<&Machine::translation, &TranslationFigures::cycles>, cycles, none, required,
     "cycles that the first access to a page takes longer", "That the first access to a page takes longer, at worst."},
    {"page_bytes", member_of<&Machine::translation, &TranslationFigures::page_bytes>, positive, bytes, required,
     "smallest page", "Of the smallest page."},
    {"pages", member_of<&Machine::translation, &TranslationFigures::pages>, positive, none, required,
     "pages whose translations are kept", "Whose translations are kept, where a launch touches no more."},
};

constexpr MachineField<Machine> refresh_fields[] = {
    {"cycles", member_of<&Machine::refresh, &RefreshFigures::cycles>, cycles, none, required,
     "cycles for which the memory does not answer", "For which the memory does not answer."},
    {"interval", member_of<&Machine::refresh, &RefreshFigures::interval>, cycles, none, required,
     "cycles from one refresh to the next", "From the begin of a refresh to that of the next."},
};

constexpr MachineField<Machine> lane_fields[] = {
    {"load_store", width<ir::UnitClass::load_store>, positive, lanes, required, "load/store (L)"},
    {"core", width<ir::UnitClass::core>, positive, lanes, required, "core (C)"},
    {"special", width<ir::UnitClass::special>, positive, lanes, required, "special function (S)"},
};

// The typical figure of a table that a file may leave out.
template <auto table, auto which>
constexpr auto typical = [](auto& machine) -> auto& {
  return (machine.*table)->figures.*which;
};
template <auto table>
constexpr auto origin = [](auto& machine) -> auto& {
  return (machine.*table)->provenance;
};
#define UNIT_FIGURE(key, presence, words, meaning)                                                                   \
  {#key,   typical<&Machine::simulated_units, &UnitFigures<support::Rational>::key>, natural, none, presence, words, \
   meaning},
constexpr MachineField<Machine> simulated_unit_fields[] = {
#include "timing/machine/simulated_figures.def"
};
#define MEMORY_FIGURE(key, presence, words, meaning)                                         \
  {                                                                                          \
      #key,     typical<&Machine::simulated_memory, &MemoryFigures<support::Rational>::key>, \
      natural,  none,                                                                        \
      presence, words,                                                                       \
      meaning},
constexpr MachineField<Machine> simulated_memory_fields[] = {
#include "timing/machine/simulated_figures.def"
};
#define ATOMIC_FIGURE(key, presence, words, meaning)                                          \
  {                                                                                           \
      #key,     typical<&Machine::simulated_atomics, &AtomicFigures<support::Rational>::key>, \
      natural,  none,                                                                         \
      presence, words,                                                                        \
      meaning},
constexpr MachineField<Machine> simulated_atomic_fields[] = {
#include "timing/machine/simulated_figures.def"
};
#define CODE_FIGURE(key, presence, words, meaning)                                                                  \
  {#key,   typical<&Machine::simulated_code, &CodeFigures<support::Rational>::key>, natural, none, presence, words, \
   meaning},
constexpr MachineField<Machine> simulated_code_fields[] = {
#include "timing/machine/simulated_figures.def"
};
#define BLOCK_FIGURE(key, presence, words, meaning)                                                                    \
  {#key,   typical<&Machine::simulated_blocks, &BlockFigures<support::Rational>::key>, natural, none, presence, words, \
   meaning},
constexpr MachineField<Machine> simulated_block_fields[] = {
#include "timing/machine/simulated_figures.def"
};

// A table of typical figures, which a file may leave out.
template <auto table>
constexpr MachineSection simulated(std::string_view key, std::string_view heading,
                                   std::span<const MachineField<Machine>> fields) {
  return {key,
          heading,
          fields,
          origin<table>,
          [](const Machine& machine) { return (machine.*table).has_value(); },
          [](Machine& machine) { (machine.*table).emplace(); }};
}

constexpr MachineSection sections[] = {
    {"board", "board", board_fields, member<&Machine::board>},
    {"issue", "issue", issue_fields, member<&Machine::issue>},
    {"limits", "limits of a multiprocessor", limit_fields, member<&Machine::limits>},
    {"dispatch", "dispatch of blocks", dispatch_fields, member_of<&Machine::dispatch, &DispatchFigures::provenance>,
     [](const Machine& m) { return m.dispatch.has_value(); }, [](Machine& m) { m.dispatch.emplace(); }},
    {"operand_read", "reading of operands", operand_read_fields,
     member_of<&Machine::operand_read, &OperandRead::provenance>,
     [](const Machine& m) { return m.operand_read.has_value(); }, [](Machine& m) { m.operand_read.emplace(); }},
    {"lanes", "units of the string model", lane_fields, member<&Machine::units>},
    simulated<&Machine::simulated_units>("simulated_units", "units, typical", simulated_unit_fields),
    simulated<&Machine::simulated_memory>("simulated_memory", "memory, typical", simulated_memory_fields),
    simulated<&Machine::simulated_atomics>("simulated_atomics", "atomics on global memory, typical",
                                           simulated_atomic_fields),
    simulated<&Machine::simulated_code>("simulated_code", "code and constants, typical", simulated_code_fields),
    simulated<&Machine::simulated_blocks>("simulated_blocks", "begin of blocks, typical", simulated_block_fields),
    {"translation", "translations of addresses", translation_fields,
     member_of<&Machine::translation, &TranslationFigures::provenance>,
     [](const Machine& m) { return m.translation.has_value(); }, [](Machine& m) { m.translation.emplace(); }},
    {"refresh", "refresh of the memory", refresh_fields, member_of<&Machine::refresh, &RefreshFigures::provenance>,
     [](const Machine& m) { return m.refresh.has_value(); }, [](Machine& m) { m.refresh.emplace(); }},
};

constexpr MachineField<ResourceFigures> resource_fields[] = {
    {"servers", member<&ResourceFigures::servers>, positive, none, required, "servers"},
    {"sharing", member<&ResourceFigures::sharing>, positive, none, required, shared_by},
    {"at_issue", member<&ResourceFigures::at_issue>, positive, none, as_it_is, "",
     "Whether it is occupied from issue on, as the issue slot is.", behind_source},
    {"lane_bytes", member<&ResourceFigures::lane_bytes>, positive, none, as_it_is, "",
     "Not there, or bytes of a lane that occupancies are stated for; narrower accesses occupy it for as much less.",
     behind_source, not_there},
    {"banks", member<&ResourceFigures::banks>, positive, none, as_it_is, "",
     "1, or banks of registers, each of which reads one in a cycle: of even numbers, and of odd ones.", behind_source},
};

constexpr MachineField<LineTimes> line_fields[] = {
    {"reach", member<&LineTimes::reach>, memory_bytes, none, as_it_is, "",
     "Bytes that a kernel may touch for 'few', 'spread' and 'stream' to be valid; 0: any number."},
};

constexpr MachineField<DataCache> data_cache_fields[] = {
    {"sharing", member<&DataCache::sharing>, positive, none, required, shared_by},
    {"bytes", member<&DataCache::bytes>, positive, none, required, "bytes", "That data can have of one copy at least."},
    {"line", member<&DataCache::line>, positive, none, required, "line", "Bytes."},
    {"kept", member<&DataCache::persistent>, positive, fraction, required, "persistent up to",
     "Part of it up to which lines are persistent."},
    {"kept_mostly", member<&DataCache::mostly_persistent>, positive, fraction, as_it_is, "",
     "Part of it up to which but few lines are lost; 'kept' if nothing is known of more."},
    {"lost", member<&DataCache::lost>, natural, none, as_it_is, "", "Of 512 requests within that part, at most."},
    {"as_operands", member<&DataCache::as_operands>, positive, none, as_it_is, "",
     "Reads at fixed addresses occupy no port of memory."},
    {"behind", member<&DataCache::behind>, natural, none, as_it_is, "",
     "Of constants: bytes of the cache behind it, code among it; 0: unknown."},
    {"place", member<&DataCache::place>, natural, none, as_it_is, "",
     "Of constants: cycles of network_port for each place of a read that comes from there."},
    {"hit", member<&DataCache::hit>, cycles, none, required, "hit", "Cycles of a load whose line it has, at worst."},
};

constexpr MachineField<FetchFigures> fetch_fields[] = {
    {"line", member<&FetchFigures::line>, positive, none, required, "bytes of a line", "Bytes of a line of code."},
    {"instructions", member<&FetchFigures::instructions>, positive, none, required, "machine instructions of a line",
     "Machine instructions of a line."},
};

constexpr MachineField<CodeCache> code_cache_fields[] = {
    {"sharing", member<&CodeCache::sharing>, positive, none, required, shared_by},
    {"bytes", member<&CodeCache::bytes>, positive, none, required, "bytes"},
    {"miss", member<&CodeCache::miss>, cycles, none, required, "miss",
     "Cycles to the next one, of the last one to memory."},
    {"holds", member<&CodeCache::occupancies>, cycles, none, as_it_is, "holds"},
    {"shared", member<&CodeCache::shared>, positive, none, as_it_is, "",
     "Cycles for which a miss occupies 'fetch' where warps share code; null if it is the same.", in_order, null},
};

constexpr MachineField<SequenceFigures> sequence_fields[] = {
    {"architectures", member<&SequenceFigures::architectures>, capabilities, none, required,
     "counted for compute capabilities (times ten)",
     "Compute capabilities times ten that machine instructions were counted for."},
    {"latency", member<&SequenceFigures::latency>, cycles, none, required, "cycles of each",
     "Of each further machine instruction."},
    {"average", member<&SequenceFigures::average>, cycles, none, required, "", "As 'latency', on average."},
    {"special", more<MachineClass::special>, cycles, none, required, "more of a special function or conversion",
     "More of a special function or conversion."},
    {"double", more<MachineClass::double_precision>, cycles, none, required, "more of double precision",
     "More of double precision."},
    {"branch", more<MachineClass::branch>, cycles, none, required, "more of a branch", "More of a branch."},
    {"shuffle", more<MachineClass::shuffle>, cycles, none, required, "", "More of a shuffle in an atomic."},
    {"predicate", member<&SequenceFigures::predicate>, cycles, none, required, "more for a guard", "More for a guard."},
    {"rounds", member<&SequenceFigures::iterations>, iteration_counts, none, required, "",
     "Iterations of a loop of the assembler."},
    {"holds", member<&SequenceFigures::occupancies>, cycles, none, as_it_is},
    {"special_holds", member<&SequenceFigures::special_occupancies>, cycles, none, as_it_is},
    {"double_holds", member<&SequenceFigures::double_occupancies>, cycles, none, as_it_is},
    {"shuffle_holds", member<&SequenceFigures::shuffle_occupancies>, cycles, none, as_it_is},
};

constexpr MachineField<FormRule> rule_fields[] = {
    {"forms", member<&FormRule::forms>, positive, none, as_it_is, "", "Patterns of forms that it is for.", in_order,
     not_there},
    {"opcodes", member<&FormRule::opcodes>, positive, none, as_it_is, "opcodes", "As 'forms'.", in_order, not_there},
    {"types", member<&FormRule::types>, positive, none, as_it_is, "types", "As 'forms'.", in_order, not_there},
    {"modifiers", member<&FormRule::modifiers>, positive, none, as_it_is, "modifiers", "As 'forms'.", in_order,
     not_there},
    {"loop", member<&FormRule::loop>, positive, none, as_it_is, "", "Only of forms that the assembler makes a loop of.",
     in_order, not_there},
};

constexpr MachineField<OperationFigures> operation_fields[] = {
    {"expanded", member<&OperationFigures::expanded>, positive, none, as_it_is, "",
     "Whether further machine instructions of the form are added."},
    {"class", member<&OperationFigures::machine_class>, positive, none, as_it_is, "", "Of its machine instructions."},
    {"typical", member<&OperationFigures::typical>, cycles, none, as_it_is, "",
     "Latency that is usual: least and most.", in_order, not_there},
    {"plain_textures", member<&OperationFigures::plain_textures>, positive, none, as_it_is, "",
     "There, and true, if they are for textures that are sampled without mipmaps and without anisotropy.", in_order,
     not_there},
    {"later", member<&OperationFigures::later>, natural, none, as_it_is, "",
     "Cycles by which machine code goes on later than the stall count of one has it."},
    {"spread", member<&OperationFigures::spread>, positive, none, as_it_is, "",
     "There, and true, if its lines have no address, and come as spread ones whatever is assumed.", in_order,
     not_there},
};

}  // namespace

std::span<const MachineSection> machine_sections() { return sections; }

template <>
std::span<const MachineField<ResourceFigures>> fields_of() {
  return resource_fields;
}
template <>
std::span<const MachineField<LineTimes>> fields_of() {
  return line_fields;
}
template <>
std::span<const MachineField<DataCache>> fields_of() {
  return data_cache_fields;
}
template <>
std::span<const MachineField<FetchFigures>> fields_of() {
  return fetch_fields;
}
template <>
std::span<const MachineField<CodeCache>> fields_of() {
  return code_cache_fields;
}
template <>
std::span<const MachineField<SequenceFigures>> fields_of() {
  return sequence_fields;
}
template <>
std::span<const MachineField<FormRule>> fields_of() {
  return rule_fields;
}
template <>
std::span<const MachineField<OperationFigures>> fields_of() {
  return operation_fields;
}

}  // namespace warpspan::timing
