// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/accesses/transactions.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <array>
#include <bit>

#include "frontend/lift/translation/emitter.hpp"
#include "ir/sizes.hpp"

namespace warpspan::lift {

namespace {

using ir::MemorySpace;

constexpr uint64_t line_bytes = ir::memory_line_bytes;
constexpr uint64_t word_bytes = ir::bank_bytes;
constexpr uint64_t banks = ir::memory_banks;
constexpr size_t lanes_of_warp = ir::warp_lanes;

size_t words(int bytes) { return std::max<size_t>(1, (static_cast<size_t>(bytes) + word_bytes - 1) / word_bytes); }

// The addresses of the lanes first..end-1 that are aligned, for one base.
std::vector<uint64_t> addresses(const LaneValue& form, uint64_t base, unsigned bits, int bytes, size_t first,
                                size_t end, const OffsetTables& tables) {
  const uint64_t mask = bits >= 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1;
  const uint64_t alignment = std::bit_floor(static_cast<uint64_t>(std::max(bytes, 1)));
  std::vector<uint64_t> result;
  for (size_t thread = first; thread < end; ++thread) {
    const uint64_t address = (base + form.constant + tables.values(form.offsets)[thread]) & mask;
    if (address % alignment == 0) result.push_back(address);
  }
  return result;
}

size_t distinct(std::vector<uint64_t>& values) {
  std::sort(values.begin(), values.end());
  return static_cast<size_t>(std::unique(values.begin(), values.end()) - values.begin());
}

// Whether the addresses of both parts of a cut lie one behind the other, wherever it cuts a warp, when their bases are
// the same.
bool keeps_order(const LaneValue& form, unsigned bits, const OffsetTables& tables) {
  const std::vector<uint64_t>& order = tables.values(form.cut->order);
  const std::vector<uint64_t>& offsets = tables.values(form.offsets);
  for (size_t first = 0; first < tables.threads(); first += lanes_of_warp) {
    std::vector<std::pair<int64_t, int64_t>> lanes;  // number and distance
    for (size_t thread = first; thread < std::min(first + lanes_of_warp, tables.threads()); ++thread) {
      const auto distance = static_cast<int64_t>((offsets[thread] - offsets[first]) << (64 - bits)) >> (64 - bits);
      lanes.emplace_back(static_cast<int64_t>(order[thread]), distance);
    }
    const auto is_ascending = [&lanes] {
      std::sort(lanes.begin(), lanes.end());
      return std::is_sorted(lanes.begin(), lanes.end(), [](auto a, auto b) { return a.second < b.second; });
    };
    if (is_ascending()) continue;
    for (auto& [number, distance] : lanes) number = -number;
    if (!is_ascending()) return false;
  }
  return true;
}

// Most of count(base, first thread, end) over all warps and all bases that differ in their remainders by `period`. A
// cut that moves whole lines adds one transaction in each phase: the parts lie one behind the other, and share one at
// most.
template <typename Count>
size_t most(const LaneValue& form, unsigned bits, uint64_t period, size_t phases, const OffsetTables& tables,
            const Count& count) {
  const uint64_t step = form.base_zeros >= 63 ? period : std::min(period, uint64_t{1} << form.base_zeros);
  size_t result = 1;
  for (size_t first = 0; first < tables.threads(); first += lanes_of_warp) {
    const size_t end = std::min(first + lanes_of_warp, tables.threads());
    for (uint64_t base = 0; base < (form.has_base ? period : 1); base += step) {
      result = std::max(result, count(base, first, end));
    }
  }
  if (form.cut) {
    const bool shares_one =
        line_bytes <= uint64_t{1} << std::min(form.cut->zeros, 63U) && keeps_order(form, bits, tables);
    result = shares_one ? result + phases : result * 2;
  }
  return std::min(result * form.groups, lanes_of_warp);
}

// The most words of one bank among those that the addresses begin.
size_t conflict_ways(const std::vector<uint64_t>& addresses, int bytes) {
  std::vector<uint64_t> touched;
  for (const uint64_t address : addresses) {
    for (uint64_t i = 0; i < words(bytes); ++i) touched.push_back(address / word_bytes + i);
  }
  touched.resize(distinct(touched));
  std::array<size_t, banks> in_bank{};
  for (const uint64_t word : touched) ++in_bank[word % banks];
  return *std::max_element(in_bank.begin(), in_bank.end());
}

bool is_load_or_store(const ir::Operation& operation) {
  const ir::Computation computation = operation.semantics.computation;
  return computation == ir::Computation::load || computation == ir::Computation::store;
}

}  // namespace

size_t most_lines(const LaneValue& address, unsigned address_bits, int bytes, const OffsetTables& tables) {
  return most(address, address_bits, line_bytes, 1, tables, [&](uint64_t base, size_t first, size_t end) {
    auto lines = addresses(address, base, address_bits, bytes, first, end, tables);
    for (uint64_t& line : lines) line /= line_bytes;
    return distinct(lines);
  });
}

// Wide accesses take as many phases as a lane has words, each for a part of the warp: CUDA C++ Programming
// Guide, shared memory of compute capabilities 2.x to 5.x. Moving all addresses by whole words only rotates the banks.
size_t most_conflict_ways(const LaneValue& address, unsigned address_bits, int bytes, const OffsetTables& tables) {
  const size_t phases = std::min(words(bytes), lanes_of_warp);
  const size_t part = lanes_of_warp / phases;
  return most(address, address_bits, 32, phases, tables, [&](uint64_t base, size_t first, size_t end) {
    size_t sum = 0;
    for (size_t lane = first; lane < end; lane += part) {
      sum +=
          conflict_ways(addresses(address, base, address_bits, bytes, lane, std::min(lane + part, end), tables), bytes);
    }
    return sum;
  });
}

size_t most_addresses(const LaneValue& address, unsigned address_bits, const OffsetTables& tables) {
  return most(address, address_bits, 1, 1, tables, [&](uint64_t base, size_t first, size_t end) {
    auto all = addresses(address, base, address_bits, 1, first, end, tables);
    return distinct(all);
  });
}

std::optional<int64_t> copied_bytes(const ir::Body& body, ir::InstructionId copy) {
  for (const ir::Operand& source : body.sources(copy)) {
    if (source.kind != ir::Operand::Kind::integer) continue;
    const bool is_size = source.value == 4 || source.value == 8 || source.value == 16;
    return is_size ? std::optional<int64_t>(source.value) : std::nullopt;
  }
  return std::nullopt;
}

std::vector<uint32_t> Transactions::count(const llvm::Function& lifted) {
  const ir::Kernel& kernel = body_.kernel;
  std::vector<uint32_t> result(kernel.instructions.size(), 0);
  for (size_t i = 0; i < result.size(); ++i) {
    const ir::Operation& operation = kernel.operation(kernel.instructions[i]);
    if (operation.bytes > 0) result[i] = static_cast<uint32_t>(worst(operation));
  }
  for (const llvm::Instruction& instruction : llvm::instructions(lifted)) {
    const auto from = origin(instruction);
    if (!from || call_kind(instruction) != CallKind::access || result[*from] == 0) continue;
    const ir::Operation& operation = body_.operation(*from);
    if (ir::is_async_copy(operation)) {
      result[*from] = static_cast<uint32_t>(std::min<size_t>(result[*from], count_copy(instruction, *from)));
      continue;
    }
    const bool has_addresses = is_load_or_store(operation) || ir::gives_row_addresses(operation);
    if (operation.facts.of_cluster || !has_addresses) continue;
    const bool is_parameter = llvm::cast<llvm::ConstantInt>(instruction.getOperand(1))->isOne();
    const size_t counted = is_parameter ? 1 : count_access(instruction.getOperandUse(0), operation);
    result[*from] = static_cast<uint32_t>(std::min<size_t>(result[*from], counted));
  }
  return result;
}

// Local memory interleaves the lanes word by word, so lanes at different addresses touch a line for each of their
// words.
size_t Transactions::worst(const ir::Operation& operation) const {
  // A row of 16 bytes falls into at most one bank-conflict way of its matrix.
  if (ir::gives_row_addresses(operation)) return static_cast<size_t>(operation.facts.matrix.lines);
  const bool may_be_local = operation.space == MemorySpace::parameter || operation.space == MemorySpace::generic;
  const bool is_local = operation.space == MemorySpace::local || (may_be_local && has_local_pointers_);
  return is_local && is_load_or_store(operation) ? std::min<size_t>(255, lanes_of_warp * words(operation.bytes))
                                                 : lanes_of_warp;
}

// A copy reads lines of global memory, and writes them into shared memory as a store of as many bytes does: a
// transaction is a line and a way of a bank conflict, so that the more of either are enough of both.
size_t Transactions::count_copy(const llvm::Instruction& access, ir::InstructionId copy) {
  ir::Operation operation = body_.operation(copy);
  const auto bytes = copied_bytes(body_, copy);
  if (!bytes || access.getNumOperands() < 5) return worst(operation);  // the function that is called is an operand
  // The address of a copy that may read fewer bytes need not be aligned: in machine code its lowest bits say how many
  // of the bytes behind are left out, from an aligned address on.
  const bool may_read_fewer = body_.sources(copy).size() > 3;
  operation.bytes = may_read_fewer ? 1 : static_cast<int>(*bytes);
  const size_t lines = count_access(access.getOperandUse(0), operation);
  operation.bytes = static_cast<int>(*bytes);
  operation.space = MemorySpace::shared;
  return std::max(lines, count_access(access.getOperandUse(3), operation));
}

size_t Transactions::count_access(const llvm::Use& address, const ir::Operation& operation) {
  const auto value = lanes_.at(address);
  if (!value) return std::min(count_window(address, operation), count_steps(address, operation));
  if (lanes_.is_same_in_warps(*value)) return count_shared_address(operation);
  const size_t counted = count_spread(*value, address->getType()->getIntegerBitWidth(), operation);
  const bool is_in_parts = value->groups > 1 || value->cut;
  return is_in_parts ? std::min(counted, count_steps(address, operation)) : counted;
}

// From how far lanes side by side are apart.
size_t Transactions::count_steps(const llvm::Use& address, const ir::Operation& operation) {
  const size_t all = worst(operation);
  const auto lines = [&] { return steps_.most_lines(address, operation.bytes).value_or(all); };
  const auto conflict_ways = [&] { return steps_.most_conflict_ways(address, operation.bytes).value_or(all); };
  switch (operation.space) {
    case MemorySpace::global: return std::min(all, lines());
    case MemorySpace::shared: return std::min(all, conflict_ways());
    case MemorySpace::constant: return std::min(all, steps_.most_addresses(address).value_or(all));
    case MemorySpace::generic: return has_local_pointers_ ? all : std::min(all, std::max(lines(), conflict_ways()));
    default: return all;
  }
}

// All lanes somewhere in a window of addresses, as in a small table. Aligned accesses lie in one line each. A bank has
// a word in every line of 32 words.
size_t Transactions::count_window(const llvm::Use& address, const ir::Operation& operation) const {
  const auto spread = lanes_.spread(address);
  if (!spread) return worst(operation);
  const auto alignment = std::bit_floor(static_cast<uint64_t>(std::max(operation.bytes, 1)));
  const size_t lines = (*spread + line_bytes - 1) / line_bytes + 1;
  const size_t phases = std::min(words(operation.bytes), lanes_of_warp);
  const size_t all_words = (*spread + word_bytes - 1) / word_bytes + words(operation.bytes);
  const size_t conflict_ways = phases * ((all_words - 1) / banks + 1);
  const size_t addresses = *spread / alignment + 1;
  switch (operation.space) {
    case MemorySpace::global: return std::min(lines, worst(operation));
    case MemorySpace::shared: return std::min(conflict_ways, worst(operation));
    case MemorySpace::constant: return std::min(addresses, worst(operation));
    default: return worst(operation);
  }
}

// All lanes at one address.
size_t Transactions::count_shared_address(const ir::Operation& operation) const {
  switch (operation.space) {
    case MemorySpace::global:
    case MemorySpace::constant: return 1;
    default: return words(operation.bytes);
  }
}

size_t Transactions::count_spread(const LaneValue& address, unsigned address_bits, const ir::Operation& operation) {
  // Moving all lanes by whole lines changes nothing.
  const auto key = std::make_tuple(address.offsets, address.constant % line_bytes, address.has_base, address.base_zeros,
                                   address.groups, address.cut, operation.space, operation.bytes);
  const auto known = counted_.find(key);
  if (known != counted_.end()) return known->second;
  size_t result = worst(operation);
  const auto lines = [&] { return most_lines(address, address_bits, operation.bytes, tables_); };
  const auto shared = [&] { return most_conflict_ways(address, address_bits, operation.bytes, tables_); };
  switch (operation.space) {
    case MemorySpace::global: result = lines(); break;
    case MemorySpace::shared: result = shared(); break;
    case MemorySpace::constant: result = most_addresses(address, address_bits, tables_); break;
    case MemorySpace::parameter:
      if (!has_local_pointers_) result = most_addresses(address, address_bits, tables_);
      break;
    case MemorySpace::generic:
      if (!has_local_pointers_) result = std::max(lines(), shared());
      break;
    default: break;
  }
  return counted_[key] = result;
}

}  // namespace warpspan::lift
