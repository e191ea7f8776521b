// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/costs/reuse.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>

#include "tests/random_numbers.hpp"
#include "tests/thinned.hpp"
#include "tests/timing/costs/line_machine.hpp"

using namespace warpspan;
using namespace warpspan::timing;

TEST_CASE("what fits is fetched once, however often it is asked for") {
  CHECK(most_fetches({{50, 1000000}, {49, 1000000}}, 100) == 1);
  CHECK(most_fetches({}, 100) == 1);
  // One line too many, and lines of everything may be pushed out all the time.
  CHECK(most_fetches({{50, 1000}, {50, 1000}}, 100) == 21);
}

TEST_CASE("a stream of lines of unknown place pushes a table out as often as it fills the cache") {
  CHECK(most_fetches({{10, 1000000}, {std::nullopt, 1000}}, 100) == 1 + 1000 / 90);
  CHECK(most_fetches({{std::nullopt, 1000}}, 100) == 11);
  CHECK(most_fetches({{std::nullopt, 99}}, 100) == 1);
  CHECK(most_fetches({{100, 100}}, 100) == 2);
  CHECK_FALSE(most_fetches({{std::nullopt, INT64_MAX}, {std::nullopt, INT64_MAX}}, 100));
}

TEST_CASE("requests for a few lines of a large object push no more than these out") {
  CHECK(most_fetches({{1000, 1000000, {{{10, 1000000}}}}}, 100) == 1);
  CHECK(most_fetches({{1000, 1000100, {{{10, 1000000}, {std::nullopt, 100}}}}}, 100) == 2);
  // What all of it has may be less than what its parts have.
  CHECK(most_fetches({{60, 2000, {{{50, 1000}, {50, 1000}}}}}, 80) == 1);
}

namespace {

// A cache that drops a line as soon as it may: `capacity` different others were asked for since its last request. What
// it drops is written back if it was stored to.
class LeastCache {
 public:
  explicit LeastCache(size_t capacity) : capacity_(capacity) {}

  // How many lines memory is asked for by a request of a line; lines that are left in the end are not written back.
  int serves(int line, bool stores) {
    const bool fetched = fetches(line);
    const int written = fetched && dirty_.erase(line) > 0 ? 1 : 0;
    if (stores) dirty_.insert(line);
    return written + (fetched ? 1 : 0);
  }
  int64_t dirty() const { return static_cast<int64_t>(dirty_.size()); }

  bool fetches(int line) {
    const auto last = last_.find(line);
    bool hit = false;
    if (last != last_.end()) {
      const std::set<int> since(asked_.begin() + static_cast<std::ptrdiff_t>(last->second) + 1, asked_.end());
      hit = since.size() < capacity_;
    }
    last_[line] = asked_.size();
    asked_.push_back(line);
    return !hit;
  }

 private:
  size_t capacity_;
  std::map<int, size_t> last_;
  std::vector<int> asked_;
  std::set<int> dirty_;
};

}  // namespace

TEST_CASE("no line is fetched more often by a cache that keeps no more than it must") {
  std::mt19937 random(14);
  const auto below = [&](size_t n) { return static_cast<int>(random() % n); };
  size_t reached = 0, again = 0;
  for (int round = 0; round < 4000; ++round) {
    const int capacity = 1 + below(12);
    std::vector<Requests> sets;
    std::vector<std::pair<int, int>> lines;  // first and how many, by set; of what has any lines they never end
    for (int s = 0; s < 1 + below(4); ++s) {
      const int count = 1 + below(10);
      const bool any = below(4) == 0;
      sets.push_back({any ? std::nullopt : std::optional<int64_t>(count), 0});
      lines.emplace_back(1000 * s, any ? 1000 : count);
    }
    LeastCache cache(static_cast<size_t>(capacity));
    std::map<int, int64_t> fetched;
    const int manner = below(3), requests = 20 + below(150), hot = below(sets.size());
    std::vector<int> next(sets.size());
    for (int i = 0; i < requests; ++i) {
      // In turn over one set and back to a line, at random, or all sets round and round.
      const int s = manner == 0 && i % (capacity + 1) == 0 ? hot : below(sets.size());
      const int place = manner == 1                              ? below(static_cast<size_t>(lines[s].second))
                        : manner == 0 && i % (capacity + 1) == 0 ? 0
                                                                 : next[s]++ % lines[s].second;
      ++sets[s].all;
      if (cache.fetches(lines[s].first + place)) ++fetched[lines[s].first + place];
    }
    const auto most = most_fetches(sets, capacity);
    REQUIRE(most);
    for (const auto& [line, count] : fetched) {
      INFO("round " << round << " line " << line);
      REQUIRE(count <= *most);
      reached += count == *most && count > 1 ? 1 : 0;
      again += count > 1 ? 1 : 0;
    }
  }
  CHECK(reached > 20);
  CHECK(again > 1000);
}

TEST_CASE("lines that threads walk along are fetched no more often than visits of them allow") {
  test::Random random(test::first_seed(16, 2000));
  int64_t reached = 0, fewer = 0, lost_some = 0;
  for (int round = 0; round < test::thinned_seeds(2000); ++round) {
    const int64_t room = 2 + test::below(random, 14), kept = 1 + test::below(random, room);
    const int64_t lost = test::below(random, 2) * test::below(random, 200);
    const int64_t threads = 1 + test::below(random, 6), stay = 1 + test::below(random, 8);
    const int64_t lines = 4 + test::below(random, 40), wide = 1 + test::below(random, 2);
    const int64_t table = 1 + test::below(random, 4);  // of what is asked for besides
    // Each thread goes on to the next line after `stay` requests, from a place of its own; `wide` lines at a time.
    std::vector<int64_t> place, asked(static_cast<size_t>(threads));
    for (int64_t t = 0; t < threads; ++t) place.push_back(test::below(random, lines));
    Requests walked{lines, 0, {}, Visits{0, threads * wide}}, others{table, 0};
    std::vector<std::set<int64_t>> visited(static_cast<size_t>(threads));
    LeastCache large(static_cast<size_t>(room)), small(static_cast<size_t>(kept));
    int64_t of_walks = 0, of_others = 0, may_be_lost = 0;
    for (int64_t i = 0; i < 20 + test::below(random, 300); ++i) {
      const bool is_other = test::below(random, 5) == 0;
      const auto t = static_cast<size_t>(test::below(random, threads));
      int64_t line = 1000 + test::below(random, table);
      if (!is_other) {
        const int64_t at = place[t] + asked[t]++ / stay + test::below(random, wide);
        visited[t].insert(at);
        line = at % lines;
      }
      (is_other ? others : walked).all += 1;
      const bool is_gone = large.fetches(static_cast<int>(line)), is_weak = small.fetches(static_cast<int>(line));
      const bool is_lost = is_weak && !is_gone && may_be_lost++ % 512 < lost;
      if (is_gone || is_lost) (is_other ? of_others : of_walks) += 1;
    }
    for (const auto& of_thread : visited) walked.visits->all += static_cast<int64_t>(of_thread.size());
    const auto least = most_fetches({walked, others}, room), most = most_fetches({walked, others}, kept);
    REQUIRE(least);
    REQUIRE(most);
    const auto bound = fetches_with_losses(walked, *least, *most, lost);
    const auto of_table = fetches_with_losses(others, *least, *most, lost);
    REQUIRE(bound);
    REQUIRE(of_table);
    INFO("round " << round);
    REQUIRE(of_walks <= bound->all);
    REQUIRE(of_others <= of_table->all);
    reached += of_walks == bound->all ? 1 : 0;
    lost_some += lost > 0 && of_walks > lines ? 1 : 0;
    Requests without = walked;
    without.visits.reset();
    const auto known = fetches_with_losses(without, *least, *most, lost);
    fewer += known && bound->all < known->all ? 1 : 0;
  }
  CHECK(reached > test::thinned_seeds(2000) / 100);
  CHECK(fewer > test::thinned_seeds(2000) / 20);
  CHECK(lost_some > 0);
}

TEST_CASE("lines that blocks ask for as long as they run are fetched no more often than visits of blocks allow") {
  test::Random random(test::first_seed(17, 2000));
  int64_t reached = 0, fewer = 0;
  for (int round = 0; round < test::thinned_seeds(2000); ++round) {
    const int64_t capacity = 2 + test::below(random, 14), places = 1 + test::below(random, 5);
    const int64_t own = 1 + test::below(random, 4), step = 1 + test::below(random, own),
                  table = 1 + test::below(random, 4);
    // Blocks whose lines overlap with those of the next one, each asking for its own in any order, as often as it
    // likes.
    std::vector<std::pair<int64_t, int64_t>> resident(static_cast<size_t>(places));  // first line, requests left
    int64_t blocks = 0;
    Requests of_blocks{std::nullopt, 0}, others{table, 0};
    LeastCache cache(static_cast<size_t>(capacity));
    int64_t fetched = 0;
    for (int64_t i = 0; i < 40 + test::below(random, 300); ++i) {
      if (test::below(random, 6) == 0) {
        ++others.all;
        cache.fetches(static_cast<int>(1000000 + test::below(random, table)));
        continue;
      }
      auto& [first, left] = resident[static_cast<size_t>(test::below(random, places))];
      if (left == 0) {
        left = 1 + test::below(random, 40);
        first = step * blocks++;
      }
      --left;
      ++of_blocks.all;
      fetched += cache.fetches(static_cast<int>(first + test::below(random, own))) ? 1 : 0;
    }
    Requests known = of_blocks;
    known.partitions = {{of_blocks}, {{{std::nullopt, of_blocks.all, {}, Visits{blocks * own, places * own}}}}};
    const auto most = most_fetches({known, others}, capacity);
    REQUIRE(most);
    const auto bound = fetches_with_losses(known, *most, *most, 0),
               without = fetches_with_losses(of_blocks, *most, *most, 0);
    REQUIRE(bound);
    REQUIRE(without);
    INFO("round " << round);
    REQUIRE(fetched <= bound->all);
    reached += fetched == bound->all ? 1 : 0;
    fewer += bound->all < without->all ? 1 : 0;
  }
  CHECK(reached > test::thinned_seeds(2000) / 100);
  CHECK(fewer > test::thinned_seeds(2000) / 20);
}

TEST_CASE("memory serves no more than accesses to parts of an object are counted with, whichever of them are kept") {
  std::mt19937 random(15);
  const auto below = [&](size_t n) { return static_cast<int>(random() % n); };
  struct Part {
    int first, count;
    bool stores;
    int64_t asked = 0;
  };
  size_t reached = 0, again = 0;
  for (int round = 0; round < 6000; ++round) {
    const int capacity = 1 + below(12), size = 1 + below(40);
    std::vector<Part> parts;
    for (int p = 0; p < 1 + below(4); ++p) {
      const int count = 1 + below(static_cast<size_t>(size));
      parts.push_back({below(static_cast<size_t>(size - count + 1)), count, below(2) == 0});
    }
    LeastCache cache(static_cast<size_t>(capacity));
    int64_t served = 0;
    const int manner = below(3), requests = 20 + below(150);
    std::vector<int> next(parts.size());
    for (int i = 0; i < requests; ++i) {
      const auto p = static_cast<size_t>(manner == 2 && i % 2 == 0 ? 0 : below(parts.size()));
      Part& part = parts[p];
      const int place = manner == 0 ? below(static_cast<size_t>(part.count)) : next[p]++ % part.count;
      ++part.asked;
      served += cache.serves(part.first + place, part.stores);
    }
    served += cache.dirty();
    Requests object{size, requests};
    object.partitions.emplace_back();
    for (const Part& part : parts) object.partitions[0].push_back({part.count, part.asked});
    const auto most = most_fetches({object}, capacity);
    REQUIRE(most);
    for (int kept = 0; kept < 1 << parts.size(); ++kept) {
      int64_t counted = 0;
      for (size_t p = 0; p < parts.size(); ++p) {
        const int64_t lines = (kept >> p) % 2 == 1 ? parts[p].count * *most : parts[p].asked;
        counted += lines * (parts[p].stores ? 2 : 1);
      }
      INFO("round " << round << " kept " << kept);
      REQUIRE(served <= counted);
      if (kept > 0) reached += served == counted ? 1 : 0;
    }
    again += *most > 1 ? 1 : 0;
  }
  CHECK(reached > 500);
  CHECK(again > 1000);
}

TEST_CASE("what is lost: no more lines are fetched than losses allow, by a cache that loses what it may") {
  CHECK(fetches_with_losses({10, 1000}, 2, 2, 24) == Fetches{2, 20});
  CHECK(fetches_with_losses({1000, 100000}, 1, 5, 24) == Fetches{5, 1000 + 8 * 24});
  CHECK(fetches_with_losses({1000, 600}, 1, 5, 24) == Fetches{5, 600});
  CHECK_FALSE(fetches_with_losses({INT64_MAX / 2, 1}, 1, 3, 24));
  test::Random random(test::first_seed(15, 300));
  int64_t reached = 0, more = 0;
  for (int round = 0; round < test::thinned_seeds(300); ++round) {
    const int64_t room = 2 + test::below(random, 12), lines = 1 + test::below(random, 3 * room);
    const int64_t kept = 1 + test::below(random, room), lost = test::below(random, 60);
    const int64_t requests = 200 + test::below(random, 1500), skew = 1 + test::below(random, 3);
    LeastCache large(static_cast<size_t>(room)), small(static_cast<size_t>(kept));
    int64_t fetched = 0, between = 0;
    for (int64_t i = 0; i < requests; ++i) {
      int64_t line = test::below(random, lines);
      for (int64_t again = 1; again < skew; ++again) line = std::min(line, test::below(random, lines));
      const bool is_gone = large.fetches(static_cast<int>(line)), may_be_lost = small.fetches(static_cast<int>(line));
      // The first of each 512 that may be lost are.
      const bool is_lost = may_be_lost && !is_gone && between++ % 512 < lost;
      fetched += is_gone || is_lost ? 1 : 0;
    }
    const std::vector<Requests> sets = {{lines, requests}};
    const auto least = most_fetches(sets, room), most = most_fetches(sets, kept);
    REQUIRE(least);
    REQUIRE(most);
    const auto bound = fetches_with_losses(sets.front(), *least, *most, lost);
    REQUIRE(bound);
    INFO("round " << round);
    REQUIRE(fetched <= bound->all);
    reached += fetched == bound->all ? 1 : 0;
    more += fetched > lines ? 1 : 0;
  }
  CHECK(reached > 0);
  CHECK(more > test::thinned_seeds(300) / 10);
}

namespace {

// A load of a table of 100 lines, and one of unknown place; 800,000 warps of two transactions each.
struct TableAndStream {
  test::TestKernel k = test::build_kernel({{"", {}}});
  Load load;
  Machine machine = test::line_machine();

  TableAndStream() {
    for (const std::optional<int64_t> lines : {std::optional<int64_t>(100), std::optional<int64_t>()}) {
      ir::Instruction instruction;
      instruction.operation = test::add_operation(k.kernel, ir::OperationKind::load_global, 4);
      k.kernel.instructions.push_back(instruction);
      k.flow.transactions.push_back(2);
      ir::Access access;
      access.instruction = static_cast<ir::InstructionId>(k.kernel.instructions.size() - 1);
      access.object = static_cast<ir::ObjectId>(k.flow.objects.size());
      access.grid_lines = access.fewest_grid_lines = lines;
      k.flow.objects.push_back({"p", std::nullopt});
      k.flow.accesses.push_back(access);
    }
    k.kernel.blocks[0].count = static_cast<uint32_t>(k.kernel.instructions.size());
    load.device_blocks = 100000;
    load.warps_per_block = 8;
    machine.data_caches[1].bytes = 64 << 20;
  }

  LineFetches fetches(bool is_aligned = false, bool is_spread = true, bool has_losses = false) const {
    const auto found = fetches_of_lines(k.kernel, k.flow, footprint(k.kernel, k.flow, load, machine), load, machine, 8,
                                        is_aligned, is_spread);
    if (found.empty()) return {};
    return has_losses ? found.back() : found.front();
  }
};

// Of the table's lines, each so often; of nothing else.
LineFetches of_table(int64_t times) { return {{{times, 100 * times}, {}}, {}, {}}; }

}  // namespace

TEST_CASE("a table beside a stream of unknown place: as often as the stream and its page tables fill the cache") {
  const TableAndStream a;
  // 262,144 lines persist, of which 2,059 may be code and constants; 1.6 million requests and 8 million for page
  // tables.
  CHECK(a.fetches() == of_table(1 + 9600000 / (262144 - 2059 - 100 - 500)));
  // Where its lines lie side by side, its entries of page tables do.
  TableAndStream together;
  together.k.flow.accesses[0].span = ir::ByteSpan{0, 12673};
  CHECK(together.fetches().objects[0].times == 1 + 9600000 / (262144 - 2059 - 100 - 12));
  // What is aligned asks for fewer.
  together.k.flow.accesses[1].aligned_transactions = 1;
  CHECK(together.fetches(true).objects[0].times == 1 + 4800000 / (262144 - 2059 - 100 - 12));
  CHECK(together.fetches() != together.fetches(true));
}

TEST_CASE("frames of local memory lie side by side: each has its page tables, not each of its lines") {
  TableAndStream a;
  a.k.kernel.operations[a.k.kernel.instructions[1].operation].kind = ir::OperationKind::load_local;
  for (ir::Operation& operation : a.k.kernel.operations) operation.machine.emplace();
  a.k.kernel.frames = {{"k", 4 * 30}};
  a.k.flow.accesses.pop_back();
  a.k.flow.accesses[0].span = ir::ByteSpan{0, 12673};
  a.k.flow.transactions[1] = 32;
  a.load.device_blocks = 125;
  // 1000 warps with frames of 32 lines, each on two pages of five levels.
  const int64_t lines = 32000 + 10000, all = 100 + 12 + 2059 + lines;
  a.machine.data_caches[1].bytes = (all + 1) * 128 * a.machine.data_caches[1].persistent.denominator;
  CHECK(a.fetches() == of_table(1));
  a.machine.data_caches[1].bytes = (all - 1) * 128 * a.machine.data_caches[1].persistent.denominator;
  CHECK(a.fetches().objects[0].times > 1);
}

TEST_CASE("a row of a large matrix: its lines are kept though the matrix is not") {
  TableAndStream a;
  a.k.flow.accesses[1].object = 0;
  a.k.flow.accesses[1].grid_lines = a.k.flow.accesses[1].fewest_grid_lines = 1000000;
  a.k.flow.accesses[1].span = ir::ByteSpan{0, 128000000};
  a.k.flow.accesses[0].span = ir::ByteSpan{0, 12673};
  // 62 pages of the matrix: ten lines of entries, and of the levels above.
  const int64_t most = 1 + 1600000 / (262144 - 2059 - 100 - (63 * 16 / 128 + 2 + 10));
  CHECK(a.fetches() == LineFetches{{{}, {}}, {{0, {most, 100 * most}}}, {}});
  // Of lines that it stores to, as many are written back.
  a.k.kernel.operations[a.k.kernel.instructions[0].operation].kind = ir::OperationKind::store_global;
  CHECK(a.fetches() == LineFetches{{{}, {}}, {{0, {2 * most, 200 * most}}}, {}});
  a.load.device_blocks = 10;
  CHECK(a.fetches().accesses.empty());
}

TEST_CASE("loads of a block are visits of its lines, while it is resident") {
  TableAndStream a;
  a.k.flow.accesses[0].grid_lines = a.k.flow.accesses[0].fewest_grid_lines = 1000000;
  a.k.flow.accesses[0].span = ir::ByteSpan{0, 128000000};
  a.k.flow.accesses[0].of_block = ir::Access::OfBlock{5, 0};
  a.k.flow.accesses.pop_back();
  a.k.kernel.blocks[0].count = 1;
  a.load.residency.blocks = {1, 4};
  a.machine.multiprocessors = 10;
  // 131,072 lines persist, of which 2,059 may be code and constants. 500,000 visits, 200 of them open at a time, and 20
  // lines of page tables: three windows, and no fourth.
  a.machine.data_caches[1].bytes = 32 << 20;
  const LineFetches found = a.fetches();
  REQUIRE(found.objects.size() == 2);
  CHECK(found.objects[0].times == 4);
  CHECK(found.objects[0].all == 500000 + 3 * 200);
  CHECK(found.objects[1].times == 0);
  a.k.kernel.operations[a.k.kernel.instructions[0].operation].kind = ir::OperationKind::store_global;
  CHECK(a.fetches().empty());
}

TEST_CASE("of more accesses than are counted by themselves those of each object are counted all the same") {
  TableAndStream a;
  a.k.flow.accesses[0].span = ir::ByteSpan{0, 12673};
  const ir::Access of_table = a.k.flow.accesses[0];
  for (int more = 0; more < 300; ++more) {
    a.k.kernel.instructions.push_back(a.k.kernel.instructions[0]);
    a.k.flow.transactions.push_back(2);
    ir::Access access = of_table;
    access.instruction = static_cast<ir::InstructionId>(a.k.kernel.instructions.size() - 1);
    a.k.flow.accesses.push_back(access);
  }
  a.k.kernel.blocks[0].count = static_cast<uint32_t>(a.k.kernel.instructions.size());
  const Fetches of_lines = a.fetches().objects[0];
  CHECK(of_lines.times > 1);
  CHECK(of_lines.all == 100 * of_lines.times);
}

TEST_CASE("where the cache has room for what it keeps but for losses, most lines are fetched less often") {
  TableAndStream a;
  const auto most = a.fetches().objects[0].times;
  a.machine.data_caches[1].mostly_persistent = {1, 1};
  a.machine.data_caches[1].lost = 24;
  REQUIRE(a.machine.data_caches[1].persistent == support::Rational{1, 2});
  REQUIRE(states_losses(a.machine));
  const int64_t least = 1 + 9600000 / (2 * 262144 - 2059 - 100 - 500);
  // Each of 100 lines may be lost each time, 24 of 512 times.
  const int64_t lost = (100 * (most - 1) + 511) / 512 * 24;
  CHECK(a.fetches(false, true, true) == LineFetches{{{most, 100 * least + lost}, {}}, {}, {}});
  a.machine.data_caches[1].lost = 512;
  CHECK(a.fetches(false, true, true) == a.fetches());
}

TEST_CASE("nothing is counted so where it saves nothing, nor where requests cannot be counted") {
  TableAndStream few;
  few.load.device_blocks = 1;
  CHECK(few.fetches().empty());
  TableAndStream small;
  small.machine.data_caches[1].bytes = 1 << 18;
  CHECK(small.fetches().empty());
  TableAndStream otherwise;
  otherwise.k.kernel.operations[otherwise.k.kernel.instructions.back().operation].text =
      "ld.global.L1::no_allocate.u32";
  CHECK(otherwise.fetches().empty());
  // An atomic whose machine code is a loop asks again and again.
  for (const bool repeats : {false, true}) {
    TableAndStream atomic;
    const auto kind = ir::OperationKind::atomic_global;
    atomic.k.kernel.operations[atomic.k.kernel.instructions.back().operation].kind = kind;
    auto& figures = atomic.machine.otherwise[static_cast<size_t>(kind)];
    if (repeats) figures->retries.emplace_back();
    CHECK(atomic.fetches().empty() == repeats);
  }
  TableAndStream prefetch;
  prefetch.k.flow.transactions.back() = 0;
  CHECK(prefetch.fetches().empty());
}

TEST_CASE("few lines that are asked for hardly more often than fetched count where memory serves each of them once") {
  TableAndStream a;
  a.load.device_blocks = 6;  // 96 requests for 100 lines
  CHECK(a.fetches().empty());
  a.machine.resources[test::memory_of_lines].lines->once = {{lines_of_once, {{400, 1}, {}}}};
  CHECK(a.fetches() == LineFetches{{{1, 96}, {}}, {}, {}});
  CHECK(a.fetches(false, false).empty());
  // 16 in 640 cycles, and 24 for as many at the rate of random ones.
  a.load.device_blocks = 1;
  CHECK(a.fetches() == LineFetches{{{1, 16}, {}}, {}, {}});
  a.machine.resources[test::memory_of_lines].lines->once = {{lines_of_once, {{615, 1}, {}}}};
  CHECK_FALSE(a.fetches().empty());
  a.machine.resources[test::memory_of_lines].lines->once = {{lines_of_once, {{616, 1}, {}}}};
  CHECK(a.fetches().empty());
}

TEST_CASE("memory serves a store of few lines twice, which is what being kept is compared with") {
  TableAndStream a;
  a.load.device_blocks = 6;
  a.k.kernel.operations[a.k.kernel.instructions[0].operation].kind = ir::OperationKind::store_global;
  // 192 lines in 7680 cycles; as many in 288 and twice what is stated.
  a.machine.resources[test::memory_of_lines].lines->once = {{lines_of_once, {{3600, 1}, {}}}};
  CHECK(a.fetches() == LineFetches{{{1, 96}, {}}, {}, {}});
  a.machine.resources[test::memory_of_lines].lines->once = {{lines_of_once, {{3700, 1}, {}}}};
  CHECK(a.fetches().empty());
}

// Memory in which n different lines, each served once, take just n times the rate and what is stated for n of them.
TEST_CASE("lines that are served several times: each of these times of as many different lines as may be") {
  test::Random random(test::first_seed(58, 2000));
  int64_t reached = 0;
  for (int round = 0; round < test::thinned_seeds(2000); ++round) {
    LineTimes memory;
    int64_t cycles = 1 + test::below(random, 20);
    for (const int64_t size : sizes_of_once) {
      cycles += test::below(random, 20);
      if (size == lines_of_once || test::below(random, 2) == 0) memory.once[size] = {{cycles, 1}, {}};
    }
    std::vector<FetchedLines> kinds;
    std::vector<int64_t> served_again(6);  // how many lines are served for the i-th time
    for (int64_t kind = 0; kind < 1 + test::below(random, 3); ++kind) {
      const int64_t lines = 1 + test::below(random, 700), times = 1 + test::below(random, 5);
      int64_t all = 0;
      for (int64_t line = 0; line < lines; ++line) {
        const int64_t own = test::below(random, 4) == 0 ? test::below(random, times + 1) : times;
        for (int64_t i = 0; i < own; ++i) ++served_again[static_cast<size_t>(i)];
        all += own;
      }
      kinds.push_back({lines, {times, all}});
    }
    support::Integer besides;
    for (const int64_t lines : served_again) besides += memory.once_for(lines, 1);
    const auto slowest = besides.value(), bound = beyond_rate(kinds, memory, 1).value();
    INFO("round " << round);
    REQUIRE(slowest);
    REQUIRE(bound);
    REQUIRE(*slowest <= *bound);
    reached += *slowest == *bound ? 1 : 0;
  }
  CHECK(reached > test::thinned_seeds(2000) / 10);
}

// Banks that serve a line at a time each, of different lines `kept` in one bank at most: how long all take, each asked
// for `times` times, in any order.
TEST_CASE("lines of banks, each served several times: within what one time of each takes, so often") {
  test::Random random(test::first_seed(57, 2000));
  int64_t reached = 0;
  for (int round = 0; round < test::thinned_seeds(2000); ++round) {
    const int64_t banks = 1 + test::below(random, 8), in_bank = 1 + test::below(random, 6);
    const int64_t row = 1 + test::below(random, 20), most = 1 + test::below(random, 4);
    int64_t slowest = 0, served_once = 0;
    for (int64_t bank = 0; bank < banks; ++bank) {
      const int64_t lines = test::below(random, in_bank + 1);
      int64_t busy = 0;
      for (int64_t line = 0; line < lines; ++line) busy += row * (1 + test::below(random, most));
      slowest = std::max(slowest, busy);
      served_once = std::max(served_once, lines * row);
    }
    INFO("round " << round);
    REQUIRE(slowest <= most * served_once);
    if (served_once > 0) reached += slowest == most * served_once ? 1 : 0;
  }
  CHECK(reached > test::thinned_seeds(2000) / 10);
}
