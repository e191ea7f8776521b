#include "tests/machine_code/facts_accesses.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace warpspan::machine_code {

namespace {

constexpr int64_t line_bytes = 128;

int64_t line_of(uint64_t address) { return static_cast<int64_t>(address / line_bytes); }

class Footprints {
 public:
  Footprints(const frontend::AnalyzedKernel& analyzed, const FactsSubject& subject, const Record& record,
             FactsCheck& result)
      : analyzed_(analyzed), subject_(subject), record_(record), result_(result) {
    for (const Access& access : record.accesses) {
      if (access.space == Space::global) by_line_[access.instruction + 1].push_back(&access);
    }
    for (const ir::Instruction& instruction : analyzed.kernel.instructions) ++copies_[instruction.line];
  }

  void run() {
    std::map<ir::InstructionId, std::vector<const ir::Access*>> dense;
    for (const ir::Access& access : analyzed_.flow.accesses) {
      // Of a subroutine's copies it is not known which one was executed.
      if (copies_[line(access)] > 1) continue;
      if (access.dense) dense[access.dense_with].push_back(&access);
      if (by_line_.count(line(access)) > 0) check(access, by_line_[line(access)]);
    }
    if (!record_.stopped.empty() || !subject_.whole_grid) return;
    for (const auto& [first, group] : dense) check_dense(group);
  }

 private:
  using Places = std::vector<const Access*>;

  uint32_t line(const ir::Access& access) const { return analyzed_.kernel.instructions[access.instruction].line; }

  void fail(const ir::Access& access, const std::string& what) {
    result_.violations.push_back("access of line " + std::to_string(line(access)) + " (" + access.form + "): " + what);
  }

  std::optional<uint64_t> base(const ir::Access& access) const {
    if (access.object == ir::no_object) return std::nullopt;
    const std::string& name = analyzed_.flow.objects[access.object].name;
    for (const auto& [parameter, pointer] : subject_.pointers) {
      if (name == subject_.kernel + "_param_" + std::to_string(parameter)) return pointer;
    }
    return std::nullopt;
  }

  // Different lines with the same key, at most.
  template <typename Key>
  void check_lines(const ir::Access& access, const Places& places, const std::string& of, std::optional<int64_t> most,
                   const Key& key) {
    std::map<uint32_t, std::set<int64_t>> lines;
    for (const Access* place : places) lines[key(*place)].insert(line_of(place->address));
    for (const auto& [number, own] : lines) {
      if (!most || static_cast<int64_t>(own.size()) <= *most) continue;
      return fail(access, std::to_string(own.size()) + " lines of " + of + ", not " + std::to_string(*most));
    }
  }

  // Each line of a request, but those at the ends of the span.
  void check_covered(const ir::Access& access, const Places& places) {
    const auto begin = base(access);
    if (!begin || !access.span) return fail(access, "covers lines, and it is not known where");
    const int64_t first = line_of(*begin + static_cast<uint64_t>(access.span->first));
    const int64_t last = line_of(*begin + static_cast<uint64_t>(access.span->end - 1));
    std::map<std::pair<uint32_t, int64_t>, std::map<uint64_t, int64_t>> bytes;  // by address
    for (const Access* p : places) bytes[{p->request, line_of(p->address)}][p->address] = p->bytes;
    for (const auto& [where, own] : bytes) {
      if (where.second == first || where.second == last) continue;
      int64_t sum = 0;
      for (const auto& [address, length] : own) sum += length;
      if (sum != line_bytes) return fail(access, std::to_string(sum) + " bytes of a line it covers");
    }
  }

  void check_span(const ir::Access& access, const Places& places) {
    const auto begin = base(access);
    if (!begin || !access.span) return;
    for (const Access* place : places) {
      const auto first = static_cast<int64_t>(place->address - *begin);
      if (first >= access.span->first && first + place->bytes <= access.span->end) continue;
      return fail(access, "byte " + std::to_string(first) + " is outside of " + std::to_string(access.span->first) +
                              " to " + std::to_string(access.span->end));
    }
  }

  void check(const ir::Access& access, const Places& places) {
    ++result_.accesses;
    if (access.span) ++result_.with_span;
    if (access.warp_lines && access.block_lines && access.grid_lines) ++result_.with_lines;
    check_lines(access, places, "a warp", access.warp_lines, [](const Access& p) { return p.warp; });
    check_lines(access, places, "a block", access.block_lines, [](const Access& p) { return p.block; });
    check_lines(access, places, "the grid", access.grid_lines, [](const Access&) { return 0U; });
    const std::string_view name = analyzed_.kernel.operation(analyzed_.kernel.instructions[access.instruction]).text;
    const bool is_atomic = name.starts_with("ATOM") || name.starts_with("RED");
    if (subject_.aligned && !is_atomic) {
      check_lines(access, places, "a request", access.aligned_transactions, [](const Access& p) { return p.request; });
    }
    if (subject_.aligned && access.covers_lines) check_covered(access, places);
    check_span(access, places);
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
      for (const Access* place : by_line_[line(*access)]) requests.emplace(place->request, line_of(place->address));
    }
    std::map<int64_t, int64_t> of_line;
    for (const auto& [request, number] : requests) ++of_line[number];
    const int64_t least = line_of(*begin + static_cast<uint64_t>(range.first));
    const int64_t most = line_of(*begin + static_cast<uint64_t>(range.end) - 1);
    const int64_t missing = most - least + 1 - static_cast<int64_t>(of_line.size());
    if (missing != 0) return fail(first, "dense, but it leaves out " + std::to_string(missing) + " lines");
    int64_t highest = 0;
    for (const auto& [number, count] : of_line) highest = std::max(highest, count);
    const auto all = static_cast<int64_t>(requests.size());
    if (highest * static_cast<int64_t>(of_line.size()) > 2 * all) {
      fail(first, "dense, but " + std::to_string(highest) + " requests of a line, " + std::to_string(all) + " of " +
                      std::to_string(of_line.size()));
    }
    result_.dense += static_cast<int>(group.size());
  }

  const frontend::AnalyzedKernel& analyzed_;
  const FactsSubject& subject_;
  const Record& record_;
  FactsCheck& result_;
  std::map<uint32_t, Places> by_line_;
  std::map<uint32_t, int> copies_;
};

}  // namespace

void check_footprints(const frontend::AnalyzedKernel& analyzed, const FactsSubject& subject, const Record& record,
                      FactsCheck& check) {
  Footprints(analyzed, subject, record, check).run();
}

}  // namespace warpspan::machine_code
