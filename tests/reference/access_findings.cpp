// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reference/access_findings.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace warpspan::reference {

namespace {

constexpr int64_t line_bytes = 128;

int64_t line_of(uint64_t address) { return static_cast<int64_t>(address / line_bytes); }

class AccessComparison {
 public:
  AccessComparison(const frontend::AnalyzedKernel& analyzed, const ExecutedAccesses& executed, AccessFindings& findings)
      : analyzed_(analyzed), executed_(executed), findings_(findings) {}

  void run() {
    std::map<ir::InstructionId, std::vector<const ir::Access*>> dense, walks, blocks;
    for (const ir::Access& access : analyzed_.flow.accesses) {
      const auto known = executed_.by_instruction.find(access.instruction);
      if (known == executed_.by_instruction.end()) continue;
      if (access.dense) dense[access.dense_with].push_back(&access);
      if (!known->second.places.empty()) check(access, known->second);
      if (access.walk) walks[access.walk->with].push_back(&access);
      if (access.of_block) blocks[access.of_block->with].push_back(&access);
    }
    for (const auto& [first, group] : blocks) check_block(group);
    for (const auto& [first, group] : walks) check_walk(group);
    if (!executed_.all_blocks) return;
    for (const auto& [first, group] : dense) check_dense(group);
  }

 private:
  using Places = std::vector<const AccessPlace*>;

  void fail(const ir::Access& access, const std::string& what) {
    const ir::Instruction& instruction = analyzed_.kernel.instructions[access.instruction];
    findings_.violations.push_back("access of line " + std::to_string(instruction.line) + " (" + access.form +
                                   "): " + what);
  }

  std::optional<uint64_t> base(const ir::Access& access) const {
    if (access.object == ir::no_object) return std::nullopt;
    const auto found = executed_.begins.find(analyzed_.flow.objects[access.object].name);
    return found == executed_.begins.end() ? std::nullopt : std::optional(found->second);
  }

  // Different lines with the same key, at most.
  template <typename Key>
  void check_lines(const ir::Access& access, const Places& places, const std::string& of, std::optional<int64_t> most,
                   const Key& key) {
    std::map<uint32_t, std::set<int64_t>> lines;
    for (const AccessPlace* place : places) lines[key(*place)].insert(line_of(place->address));
    for (const auto& [number, own] : lines) {
      if (!most || static_cast<int64_t>(own.size()) <= *most) continue;
      return fail(access, std::to_string(own.size()) + " lines of " + of + ", not " + std::to_string(*most));
    }
  }

  // Who asks for a line, at most. Outside of loops all are in the same turns.
  template <typename Key>
  void check_sharers(const ir::Access& access, const Places& places, const std::string& who,
                     std::optional<int64_t> most, const Key& key) {
    if (!most || is_in_loop(access.instruction)) return;
    std::map<int64_t, std::set<uint32_t>> sharers;
    for (const AccessPlace* p : places) {
      for (int64_t line = line_of(p->address); line <= line_of(p->address + static_cast<uint64_t>(p->bytes) - 1);
           ++line) {
        sharers[line].insert(key(*p));
      }
    }
    for (const auto& [line, own] : sharers) {
      if (static_cast<int64_t>(own.size()) <= *most) continue;
      return fail(access, std::to_string(own.size()) + " " + who + " at a line, not " + std::to_string(*most));
    }
    ++findings_.with_sharers;
  }

  bool is_in_loop(ir::InstructionId id) const {
    for (ir::BlockId b = 0; b < analyzed_.kernel.blocks.size(); ++b) {
      const ir::Block& block = analyzed_.kernel.blocks[b];
      if (id >= block.first && id < block.first + block.count) return analyzed_.flow.blocks[b].loop != ir::no_loop;
    }
    return true;
  }

  // Each line of a request, but those at the ends of the span.
  void check_covered(const ir::Access& access, const Places& places) {
    const auto begin = base(access);
    if (!begin || !access.span) return fail(access, "covers lines, and it is not known where");
    const int64_t first = line_of(*begin + static_cast<uint64_t>(access.span->first));
    const int64_t last = line_of(*begin + static_cast<uint64_t>(access.span->end - 1));
    std::map<std::pair<uint32_t, int64_t>, std::map<uint64_t, int64_t>> bytes;  // by address
    for (const AccessPlace* p : places) bytes[{p->request, line_of(p->address)}][p->address] = p->bytes;
    for (const auto& [where, own] : bytes) {
      if (where.second == first || where.second == last) continue;
      int64_t sum = 0;
      for (const auto& [address, length] : own) sum += length;
      if (sum != static_cast<int64_t>(line_bytes))
        return fail(access, std::to_string(sum) + " bytes of a line it covers");
    }
  }

  void check_span(const ir::Access& access, const Places& places) {
    const auto begin = base(access);
    if (!begin || !access.span) return;
    for (const AccessPlace* place : places) {
      const auto first = static_cast<int64_t>(place->address - *begin);
      if (first >= access.span->first && first + place->bytes <= access.span->end) continue;
      return fail(access, "byte " + std::to_string(first) + " is outside of " + std::to_string(access.span->first) +
                              " to " + std::to_string(access.span->end));
    }
  }

  void check(const ir::Access& access, const ExecutedAccess& executed) {
    const Places& places = executed.places;
    if (access.in_shared) return fail(access, "in global memory, not in shared memory");
    ++findings_.accesses;
    if (access.span) ++findings_.with_span;
    if (access.warp_lines && access.block_lines && access.grid_lines) ++findings_.with_lines;
    check_lines(access, places, "a warp", access.warp_lines, [](const AccessPlace& p) { return p.warp; });
    check_lines(access, places, "a block", access.block_lines, [](const AccessPlace& p) { return p.block; });
    check_lines(access, places, "the grid", access.grid_lines, [](const AccessPlace&) { return 0U; });
    check_sharers(access, places, "warps", access.sharing_warps, [](const AccessPlace& p) { return p.warp; });
    check_sharers(access, places, "blocks", access.sharing_blocks, [](const AccessPlace& p) { return p.block; });
    if (executed_.aligned) {
      check_sharers(access, places, "warps", access.aligned_sharing_warps, [](const AccessPlace& p) { return p.warp; });
    }
    if (executed_.aligned && !executed.is_atomic) {
      check_lines(access, places, "a request", access.aligned_transactions,
                  [](const AccessPlace& p) { return p.request; });
    }
    if (executed_.aligned && access.covers_lines) check_covered(access, places);
    check_span(access, places);
  }

  Places places_of(const std::vector<const ir::Access*>& group) const {
    Places places;
    for (const ir::Access* access : group) {
      const Places& own = executed_.by_instruction.at(access->instruction).places;
      places.insert(places.end(), own.begin(), own.end());
    }
    return places;
  }

  void check_block(const std::vector<const ir::Access*>& group) {
    const ir::Access& first = *group.front();
    check_lines(first, places_of(group), "a block together", first.of_block->lines,
                [](const AccessPlace& p) { return p.block; });
    findings_.together += group.size() > 1 ? 1 : 0;
  }

  // A cache of a thread's own that has room for as many lines as are open, and keeps those that are asked for soonest,
  // needs no more visits than any other way to cut the requests.
  void check_walk(const std::vector<const ir::Access*>& group) {
    const ir::Access& first = *group.front();
    Places places = places_of(group);
    std::sort(places.begin(), places.end());
    std::map<std::pair<uint32_t, unsigned>, std::vector<int64_t>> threads;
    for (const AccessPlace* place : places) threads[{place->warp, place->lane}].push_back(line_of(place->address));
    bool is_again = false;
    for (const auto& [thread, lines] : threads) {
      std::vector<size_t> next(lines.size(), lines.size());
      std::map<int64_t, size_t> soonest;
      for (size_t i = lines.size(); i-- > 0;) {
        const auto [later, fresh] = soonest.try_emplace(lines[i], i);
        if (!fresh) next[i] = std::exchange(later->second, i);
      }
      std::map<int64_t, size_t> open;  // when they are asked for again
      int64_t visits = 0;
      for (size_t i = 0; i < lines.size(); ++i) {
        visits += open.erase(lines[i]) == 0 ? 1 : 0;
        if (next[i] == lines.size()) continue;
        open[lines[i]] = next[i];
        if (static_cast<int64_t>(open.size()) <= first.walk->open) continue;
        open.erase(std::max_element(open.begin(), open.end(),
                                    [](const auto& a, const auto& b) { return a.second < b.second; }));
      }
      if (visits > first.walk->visits) {
        return fail(first, std::to_string(visits) + " visits of lines, " + std::to_string(first.walk->open) +
                               " at a time, not " + std::to_string(first.walk->visits));
      }
      is_again = is_again || lines.size() > 1;
    }
    findings_.walks += is_again ? 1 : 0;
  }

  void check_dense(const std::vector<const ir::Access*>& group) {
    const ir::Access& first = *group.front();
    const auto begin = base(first);
    if (!begin || !first.span) return fail(first, "dense, and it is not known where");
    ir::ByteSpan range = *first.span;
    std::set<std::pair<uint32_t, int64_t>> requests;
    for (const ir::Access* access : group) {
      range.first = std::min(range.first, access->span->first);
      range.end = std::max(range.end, access->span->end);
      for (const AccessPlace* place : executed_.by_instruction.at(access->instruction).places) {
        requests.emplace(place->request, line_of(place->address));
      }
    }
    std::map<int64_t, int64_t> of_line;
    for (const auto& [request, line] : requests) ++of_line[line];
    const int64_t least = line_of(*begin + static_cast<uint64_t>(range.first));
    const int64_t most = line_of(*begin + static_cast<uint64_t>(range.end) - 1);
    if (static_cast<int64_t>(of_line.size()) != most - least + 1) {
      return fail(first, "dense, but it leaves out " +
                             std::to_string(most - least + 1 - static_cast<int64_t>(of_line.size())) + " lines");
    }
    int64_t highest = 0;
    for (const auto& [line, count] : of_line) highest = std::max(highest, count);
    const auto all = static_cast<int64_t>(requests.size());
    if (highest * static_cast<int64_t>(of_line.size()) > 2 * all) {
      fail(first, "dense, but " + std::to_string(highest) + " requests of a line, " + std::to_string(all) + " of " +
                      std::to_string(of_line.size()));
    }
    findings_.dense += static_cast<int>(group.size());
  }

  const frontend::AnalyzedKernel& analyzed_;
  const ExecutedAccesses& executed_;
  AccessFindings& findings_;
};

}  // namespace

void compare_accesses(const frontend::AnalyzedKernel& analyzed, const ExecutedAccesses& executed,
                      AccessFindings& findings) {
  AccessComparison(analyzed, executed, findings).run();
}

}  // namespace warpspan::reference
