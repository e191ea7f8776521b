// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/costs/footprint.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "ir/sizes.hpp"
#include "ir/sync_points.hpp"
#include "support/checked.hpp"
#include "timing/costs/access_classes.hpp"
#include "timing/costs/code_layout.hpp"
#include "timing/costs/cost.hpp"

namespace warpspan::timing {

namespace {

using ir::OperationKind;
using support::Integer;

constexpr int64_t line_bytes = ir::memory_line_bytes;

// Besides those of its parameters a kernel reads at most so many lines of constants where the PTX names none: the
// launch's dimensions, where the stack is and how memory is addressed. So it is in the machine code that ptxas of CUDA
// 13 makes of all samples for 7.5 to 12.0; results state it.
constexpr int64_t lines_of_launch = 2;

// Those of so many bytes in a row, wherever they begin.
int64_t lines_of_bytes(int64_t bytes, int64_t line) { return bytes <= 0 ? 0 : (bytes + line - 2) / line + 1; }

// Of constants: a kernel has four banks at most, each of which may lie on two.
constexpr int64_t pages_of_banks = 8;

bool fits(const DataCache* cache, Integer bytes) {
  if (cache == nullptr) return false;
  const auto enough =
      floor_divide(Integer(cache->bytes) * cache->persistent.numerator, cache->persistent.denominator).value();
  const auto needed = bytes.value();
  return enough && needed && *needed <= *enough;
}

// What all accesses to one object touch.
class ObjectSum {
 public:
  void add(const ir::Access& access, const ir::Operation& operation) {
    written_ = written_ || may_write(operation);
    if (access.span) {
      first_ = std::min(first_, access.span->first);
      end_ = std::max(end_, access.span->end);
    }
    spans_ = spans_ && access.span;
    if (access.grid_lines) lines_ += *access.grid_lines;
    counted_ = counted_ && access.grid_lines;
  }

  std::optional<ObjectFootprint> footprint(std::optional<int64_t> bytes, int64_t page_bytes) const {
    const auto parts = [&](int64_t size) {
      std::optional<int64_t> most;
      const auto at_most = [&most](std::optional<int64_t> other) {
        if (other && (!most || *other < *most)) most = other;
      };
      if (bytes) at_most(lines_of_bytes(*bytes, size));
      if (spans_) at_most(lines_of_bytes(end_ - first_, size));
      if (counted_) at_most(lines_.value());
      return most;
    };
    const auto lines = parts(line_bytes);
    if (!lines) return std::nullopt;
    return ObjectFootprint{*lines, written_, std::min(*lines, *parts(page_bytes))};
  }

 private:
  int64_t first_ = INT64_MAX / 2, end_ = INT64_MIN / 2;
  Integer lines_;
  bool spans_ = true, counted_ = true, written_ = false;
};

}  // namespace

namespace {

// Constant banks begin at multiples of so many bytes: the description of a launch has no lower bits of their addresses
// from compute capability 9.0 on (CONSTANT_BUFFER_ADDR_LOWER_SHIFTED6), and NVK of Mesa keeps to it from 7.5 on, and to
// 256 before (nvk_min_cbuf_alignment).
constexpr int64_t alignment_of_banks = 64;

using Places = std::vector<ir::Kernel::ConstantPlace>;

// By bank, wherever the banks begin.
std::map<int64_t, int64_t> lines_of_banks(const Places& places, int64_t line) {
  std::map<int64_t, int64_t> most;
  for (int64_t begin = 0; begin < line; begin += alignment_of_banks) {
    std::map<int64_t, std::set<int64_t>> lines;
    for (const auto& [bank, offset, bytes] : places) {
      for (int64_t i = (begin + offset) / line; i <= (begin + offset + bytes - 1) / line; ++i) lines[bank].insert(i);
    }
    for (const auto& [bank, touched] : lines) most[bank] = std::max(most[bank], static_cast<int64_t>(touched.size()));
  }
  return most;
}

int64_t lines_of_places(const Places& places, int64_t line) {
  int64_t sum = 0;
  for (const auto& [bank, count] : lines_of_banks(places, line)) sum += count;
  return sum;
}

// Of constants. A bank is smaller than a page, and may lie on two.
std::map<int64_t, int64_t> pages_of_places(const Places& places) {
  std::map<int64_t, std::set<int64_t>> parts;  // of which each lies on one page
  for (const auto& [bank, offset, bytes] : places) {
    parts[bank].insert({offset / alignment_of_banks, (offset + bytes - 1) / alignment_of_banks});
  }
  std::map<int64_t, int64_t> pages;
  for (const auto& [bank, touched] : parts) pages[bank] = touched.size() > 1 ? 2 : 1;
  return pages;
}

}  // namespace

int64_t constant_lines(const ir::Kernel& kernel, int64_t line, bool integers, const ConstantReads* code) {
  if (kernel.constant_places) return lines_of_places(*kernel.constant_places, line);
  int64_t reads = reads_at_start, own = 0;
  const ir::RegisterId awaited = code == nullptr ? ir::no_register : code->awaited;
  for (const ir::Instruction& instruction : kernel.instructions) {
    if (code != nullptr && instruction.operation == code->load) continue;  // stands for one of the others
    const ir::Operation& operation = kernel.operation(instruction);
    if (is_constant_load(operation.kind) && !is_indexed(kernel, instruction, awaited)) {
      ++reads;
      if (operation.kind == OperationKind::load_const) ++own;
    } else if (needs_constant(operation, integers)) {
      ++reads;
      if (!operation.reads_launch) ++own;
    }
  }
  return std::min(reads, lines_of_launch + lines_of_bytes(kernel.parameter_bytes, line) + own);
}

int64_t launch_lines(const ir::Kernel& kernel, int64_t line) {
  return kernel.constant_places ? lines_of_banks(*kernel.constant_places, line)[ir::Kernel::launch_bank] : 0;
}

Footprint footprint(const ir::Kernel& kernel, const ir::Flow& flow, const Load& load, const Machine& machine) {
  Footprint result;
  // A multiprocessor that a block runs on has local memory for all of its warps, whichever run there later.
  const auto with_frames = std::min(load.device_blocks, machine.multiprocessors) * load.warps_per_block;
  // Each word of a frame has some line for itself.
  const int64_t words = std::max<int64_t>(1, ir::frame_words(kernel).value_or(1));
  result.local_lines = (Integer(with_frames) * words).value().value_or(INT64_MAX);
  const auto room = (Integer(machine.multiprocessors) * load.residency.blocks.least).value();
  result.all_blocks = load.device_blocks;
  result.blocks = std::min(load.device_blocks, room.value_or(load.device_blocks));
  result.warps = load.warps_per_block;
  result.cluster = load.cluster;
  std::vector<ObjectSum> sums(flow.objects.size());
  std::vector<bool> has_access(kernel.instructions.size());
  bool known = true, uses_local = false, stores_local = false;
  for (const ir::Access& access : flow.accesses) {
    has_access[access.instruction] = true;
    if (access.in_shared) continue;
    if (access.object == ir::no_object) {
      known = false;
    } else {
      sums[access.object].add(access, kernel.operation(kernel.instructions[access.instruction]));
    }
  }
  for (const ir::BlockId b : flow.order) {
    if (!flow.blocks[b].executed) continue;
    for (uint32_t i = 0; i < kernel.blocks[b].count; ++i) {
      const ir::InstructionId id = kernel.blocks[b].first + i;
      const ir::Operation& operation = kernel.operation(kernel.instructions[id]);
      const bool in_local = is_local(operation.kind) && !operation.call_time;
      uses_local = uses_local || in_local;
      stores_local = stores_local || (in_local && operation.kind != OperationKind::load_local);
      known = known && (has_access[id] || in_local || !touches_memory(operation));
    }
  }
  result.constant_pages = pages_of_banks;
  if (kernel.constant_places) {
    result.constant_pages = 0;
    for (const auto& [bank, of_bank] : pages_of_places(*kernel.constant_places)) {
      result.constant_pages += of_bank;
      if (bank == ir::Kernel::launch_bank) result.launch_pages = of_bank;
    }
  }
  const int64_t page_bytes = machine.translation ? machine.translation->page_bytes : line_bytes;
  const Integer code = Integer(static_cast<int64_t>(kernel.instructions.size())) * machine_instruction_bytes;
  Integer bytes, pages = pages_of_code(code, sections_of(kernel), page_bytes) + result.constant_pages;
  if (uses_local) {
    const auto of_warp = ir::frame_lines(kernel);
    const auto lines = of_warp ? (Integer(load.device_blocks) * load.warps_per_block * *of_warp).value() : std::nullopt;
    result.local.reset();
    if (lines) result.local = ObjectFootprint{*lines, stores_local};
    result.local_lines_of_warp = of_warp.value_or(0);
    result.local_pages_of_warp =
        std::min(result.local_lines_of_warp, lines_of_bytes(result.local_lines_of_warp * line_bytes, page_bytes));
    pages += Integer(load.device_blocks) * load.warps_per_block * result.local_pages_of_warp;
    known = known && lines;
    if (lines) bytes += Integer(*lines) * line_bytes;
  }
  for (size_t o = 0; o < sums.size(); ++o) {
    result.objects.push_back(sums[o].footprint(flow.objects[o].bytes, page_bytes));
    known = known && result.objects.back();
    if (!result.objects.back()) continue;
    bytes += Integer(result.objects.back()->lines) * line_bytes;
    pages += result.objects.back()->pages;
  }
  if (known) result.bytes = bytes.value();
  if (known) result.pages = pages.value();
  return result;
}

bool data_fits_cache(const Footprint& footprint, const Machine& machine) {
  return footprint.bytes && fits(machine.data_cache(l2_cache), *footprint.bytes);
}

bool within_reach(const Footprint& footprint, const Machine& machine) {
  const int64_t reach = machine.reach();
  return reach == 0 || (footprint.bytes && *footprint.bytes <= reach);
}

bool keeps_pages(const Footprint& footprint, const Machine& machine) {
  return machine.translation && footprint.pages && *footprint.pages <= machine.translation->pages;
}

// Tables of constants that are read at an index are of unknown size; parameters that are, as large as all of them.
bool constants_fit_cache(const ir::Kernel& kernel, const Machine& machine) {
  const DataCache* cache = machine.data_cache(constant_cache);
  if (cache == nullptr || kernel.calls_outside()) return false;
  Integer lines = constant_lines(kernel, cache->line, integers_in_memory(machine));
  if (kernel.constant_places) return fits(cache, lines * cache->line);
  for (const ir::Instruction& instruction : kernel.instructions) {
    const OperationKind kind = kernel.operation(instruction).kind;
    if (!is_constant_load(kind) || !is_indexed(kernel, instruction, ir::no_register)) continue;
    if (kind == OperationKind::load_const) return false;
    lines = max(lines, Integer(lines_of_launch + lines_of_bytes(kernel.parameter_bytes, cache->line)));
  }
  return fits(cache, lines * cache->line);
}

std::optional<int64_t> table_lines(const ir::Kernel& kernel, const Machine& machine) {
  if (!kernel.constant_places || kernel.calls_outside()) return std::nullopt;
  const auto at_index = [&kernel](const ir::Instruction& instruction) {
    return is_constant_load(kernel.operation(instruction).kind) && is_indexed(kernel, instruction, ir::no_register);
  };
  if (std::none_of(kernel.instructions.begin(), kernel.instructions.end(), at_index)) return std::nullopt;
  const int64_t lines = lines_of_places(*kernel.constant_places, line_bytes);
  return fits(machine.data_cache(l2_cache), Integer(lines) * line_bytes) ? std::optional(lines) : std::nullopt;
}

std::optional<int64_t> lines_cached_behind(const ir::Kernel& kernel, const Machine& machine) {
  const DataCache* cache = machine.data_cache(constant_cache);
  if (cache == nullptr || cache->behind == 0 || !machine.fetch || !table_lines(kernel, machine)) return std::nullopt;
  const int64_t lines = lines_of_places(*kernel.constant_places, cache->line);
  const Integer code =
      ceil_divide(Integer(kernel.instructions.size()), machine.fetch->instructions) * machine.fetch->line;
  DataCache behind = *cache;
  behind.bytes = cache->behind;
  return fits(&behind, Integer(lines) * cache->line + code) ? std::optional(lines) : std::nullopt;
}

namespace {

// Of so many of each warp, one warp at a time, or all of a cluster where they wait for each other.
int64_t analysed(const ir::Kernel& kernel, const Footprint& footprint, int64_t of_warp) {
  const auto all = Integer(of_warp) * (ir::waits_for_warps(kernel) ? Integer(footprint.warps) * footprint.cluster : 1);
  return all.value().value_or(INT64_MAX);
}

}  // namespace

int64_t local_lines_analysed(const ir::Kernel& kernel, const Footprint& footprint) {
  return analysed(kernel, footprint, footprint.local_lines_of_warp);
}

int64_t local_pages_analysed(const ir::Kernel& kernel, const Footprint& footprint) {
  return analysed(kernel, footprint, footprint.local_pages_of_warp);
}

std::optional<int64_t> lines_analysed(const ir::Kernel& kernel, const ir::Flow& flow, const Footprint& footprint,
                                      ir::ObjectId object) {
  if (!footprint.objects[object]) return std::nullopt;
  const bool synchronises = ir::waits_for_warps(kernel);
  Integer lines;
  for (const ir::Access& access : flow.accesses) {
    if (access.object != object) continue;
    const auto& own = synchronises ? access.block_lines : access.warp_lines;
    if (!own) return footprint.objects[object]->lines;
    lines += Integer(*own) * (synchronises ? footprint.cluster : 1);
  }
  const auto sum = lines.value();
  return sum ? std::min(*sum, footprint.objects[object]->lines) : footprint.objects[object]->lines;
}

}  // namespace warpspan::timing
