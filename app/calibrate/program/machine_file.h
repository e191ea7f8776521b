// SPDX-License-Identifier: MIT-0
// From results to a machine file. The rules, which docs/calibration.md explains:
//
//   taken    the figure is what was measured, also where it is less than the base's
//   raised   it is the larger of both: the base's also stands for what no kernel here tries
//   lowered  the smaller one: bytes of caches
//   compared a measurement that contradicts the base makes the program end without a file: too much rests on the figure
class MachineFile {
 public:
  MachineFile(const Base& base, Results& results) : base_(base), results_(results) {}

  std::string text();

 private:
  Number base(const std::string& name) const;
  std::string base_text(const std::string& name) const;
  void report(const std::string& what, const Seen& seen, const std::string& stated, const std::string& then);
  void put(const std::string& table, const std::string& line, const std::string& source);
  bool measured(const std::string& name, const std::string& what);
  Number excess(const std::string& what, const Seen& seen, Number stated, Number beside);
  void put_latency(const std::string& table, const std::string& figure, Number more, const std::string& source);
  void compare_occupancy(const std::string& what, const Seen& seen, Number stated);

  void check_limits();
  void board();
  void arithmetic();
  void chain(const std::string& chain, const std::string& table, Number count, const std::string& beside);
  void loads();
  void put_times();
  void shared_memory();
  void units();
  void code();
  void dispatch();
  void check_line(const std::string& what, Number milli, const std::string& cache);
  void memory_lines();
  void l2_lines();
  void l2_size();
  void host();

  const Base& base_;
  Results& results_;
  Number clock_khz_ = 1;
  Number more_load_ = 0, more_average_ = 0, more_second_cache_ = 0;  // cycles by which these times are raised
  std::string comment_, host_;
  std::vector<std::string> order_;  // of tables
  std::map<std::string, std::string> lines_, sources_;
};

// As a machine file takes it.
static std::string whole(Number value) {
  if (value < 0 || value > 1000000000) errors.push_back("a figure of " + std::to_string(value) + " is out of range");
  return std::to_string(value);
}

static std::string in_thousandths(Number value) {
  char text[64];
  std::snprintf(text, sizeof text, "%lld.%03lld", value / 1000, value % 1000);
  return text;
}

Number MachineFile::base(const std::string& name) const {
  for (const BaseFigure* figure = base_.figures; *figure->name != '\0'; ++figure) {
    if (name == figure->name) return figure->value;
  }
  errors.push_back("the program lacks the figure '" + name + "' of " + base_.machine);
  return 1;
}

std::string MachineFile::base_text(const std::string& name) const {
  for (const BaseFigure* figure = base_.figures; *figure->name != '\0'; ++figure) {
    if (name == figure->name) return figure->text;
  }
  return "";
}

void MachineFile::report(const std::string& what, const Seen& seen, const std::string& stated,
                         const std::string& then) {
  char line[400];
  std::snprintf(line, sizeof line, "#   %-42s %14s %14s %14s %12s  %s\n", what.c_str(),
                seen.any ? in_thousandths(seen.least).c_str() : "-",
                seen.any ? in_thousandths(seen.median).c_str() : "-",
                seen.any ? in_thousandths(seen.most).c_str() : "-", stated.c_str(), then.c_str());
  comment_ += line;
}

void MachineFile::put(const std::string& table, const std::string& line, const std::string& source) {
  if (lines_.count(table) == 0) order_.push_back(table);
  lines_[table] += line + "\n";
  if (source.empty()) return;
  std::string& sources = sources_[table];
  sources += sources.empty() ? "[CALIBRATION] " + source : "; " + source;
}

// Whether there is such a result; what was not measured leaves the base as it is.
bool MachineFile::measured(const std::string& name, const std::string& what) {
  if (results_.has(name) || results_.has(name + ".64") || results_.has(name + ".128")) return true;
  report(what, Seen(), "", "not measured: the base's stands");
  return false;
}

// Cycles by which what was seen is more than what the base states, `beside` being what the base's figure contains
// besides.
Number MachineFile::excess(const std::string& what, const Seen& seen, Number stated, Number beside) {
  if (!seen.any) return 0;
  const Number more = std::max<Number>(0, seen.whole() + beside - stated);
  const std::string with = beside == 0 ? "" : ", with " + std::to_string(beside) + " for what stands before it";
  report(
      what, seen, std::to_string(stated),
      more == 0 ? "the base's stands" + with : "RAISED by " + std::to_string(more) + with + ": contradicts the base");
  return more;
}

void MachineFile::put_latency(const std::string& table, const std::string& figure, Number more,
                              const std::string& source) {
  if (more == 0) return;
  const std::string name = "latency." + figure;
  put("operation." + table,
      "latency = [" + std::to_string(base(name + ".best")) + ", " + std::to_string(base(name + ".average")) + ", " +
          whole(base(name + ".worst") + more) + "]",
      source);
}

// No unit is occupied for longer than the fastest repetition shows. An eighth is left for where it begins and ends: on
// an H100 64 operations more took 8.24 to 9.01 cycles each of a unit that takes 8.00 in runs of thousands.
void MachineFile::compare_occupancy(const std::string& what, const Seen& seen, Number stated) {
  if (!seen.any) return;
  const bool right = seen.least <= stated * 1000 + stated * 1000 / 8;
  report(what, seen, std::to_string(stated), right ? "the base's stands" : "CONTRADICTS the base");
  if (right) return;
  errors.push_back(what + ": at least " + in_thousandths(seen.least) + " cycles were measured, and " + base_.machine +
                   " states " + std::to_string(stated) + ": its figures are not safe for this device");
}

// --- What the device reports of itself

void MachineFile::check_limits() {
  const Number threads = 32;
  const struct {
    const char* result;
    Number least, most;
  } limits[] = {
      {"device.threads_per_multiprocessor", base("limits.warps") * threads, base("limits.warps") * threads},
      {"device.threads_per_block", base("limits.threads_per_block"), base("limits.threads_per_block")},
      {"device.blocks_per_multiprocessor", base("limits.blocks.least"), base("limits.blocks.most")},
      {"device.registers_per_multiprocessor", base("limits.registers"), base("limits.registers")},
      {"device.registers_per_block", base("limits.registers_per_block"), base("limits.registers_per_block")},
      {"device.shared_per_multiprocessor", base("limits.shared_bytes.least"), base("limits.shared_bytes.most")},
      {"device.shared_per_block", base("limits.shared_bytes_per_block"), base("limits.shared_bytes_per_block")},
  };
  for (const auto& limit : limits) {
    const Number value = results_.one(limit.result);
    if (value >= limit.least && value <= limit.most) continue;
    errors.push_back(std::string(limit.result) + " is " + std::to_string(value) + ", and " + base_.machine +
                     " states " + std::to_string(limit.least) +
                     (limit.least == limit.most ? "" : " to " + std::to_string(limit.most)));
  }
}

void MachineFile::board() {
  const Seen clock = seen_of(results_, "clock.khz");
  clock_khz_ = std::max<Number>(1, clock.least / 1000);
  const Number stated = results_.one("device.clock_khz");
  report("clock under load, kHz", clock, std::to_string(stated), "taken: the slowest");
  const Number most_khz = 10000000;
  if (clock.any && (clock.most / 1000 > std::min(stated, most_khz) * 11 / 10 || clock.least / 1000 < stated / 10)) {
    errors.push_back("clock.khz is " + std::to_string(clock.least / 1000) + " to " + std::to_string(clock.most / 1000) +
                     ", and the device states " + std::to_string(stated));
  }
  put("board", "multiprocessors = " + whole(results_.one("device.multiprocessors")),
      "properties of the device; the slowest clock seen under load");
  put("board", "clock_khz = " + whole(clock_khz_), "");
}

// --- Latencies

// A chain whose longer kernel has so many operations, or pairs of them, more than the shorter one.
void MachineFile::chain(const std::string& chain, const std::string& table, Number count, const std::string& beside) {
  const std::string what = chain + " in a chain";
  if (!measured("chain." + chain, what)) return;
  const Seen seen = difference_of(results_, "chain." + chain, count);
  Number others = 0;
  if (!beside.empty()) others = base("latency." + beside + ".worst");
  put_latency(table, table, excess(what, seen, base("latency." + table + ".worst") + others, 0),
              "the most of a chain of " + chain);
}

void MachineFile::arithmetic() {
  Number more = 0, each = 0;
  for (const char* name : {"fp32", "int_add", "int_mul", "logic", "shift", "compare"}) {
    const std::string what = std::string(name) + " in a chain";
    if (!measured(std::string("chain.") + name, what)) continue;
    const Seen seen = difference_of(results_, std::string("chain.") + name);
    more = std::max(more, excess(what, seen, base("latency.arithmetic.worst"), 0));
    each = std::max(each, seen.whole());
  }
  put_latency("arithmetic", "arithmetic", more, "the most of chains of arithmetic");
  const struct {
    const char *chain, *table;
    Number count;
    const char* beside;  // the table of the other one of a pair
  } chains[] = {{"predicate", "predicates", pairs, "arithmetic"},
                {"vote", "vote", pairs, "predicates"},
                {"fp16", "fp16", operations, ""},
                {"fp64", "fp64", operations, ""},
                {"special", "special", operations, ""},
                {"convert", "convert", operations, ""},
                {"shuffle", "shuffle", operations, ""},
                {"barrier", "barrier", operations, ""},
                {"fence_block", "fence_block", operations, ""},
                {"fence_device", "fence_device", operations, ""},
                {"fence_system", "fence", operations, ""}};
  for (const auto& row : chains) chain(row.chain, row.table, row.count, row.beside);
  // Each machine instruction of a sequence takes no less than one of a chain.
  if (each > base("sequence.latency")) {
    put("sequence", "latency = " + whole(each), "the most of chains of arithmetic");
  }
  for (const char* name : {"special", "fp64"}) {
    if (!results_.has(std::string("chain.") + name + ".128")) continue;
    const std::string key = std::string(name) == "fp64" ? "double" : name;
    const Number most = difference_of(results_, std::string("chain.") + name).whole();
    if (most <= base("sequence.latency") + base("sequence." + key)) continue;
    put("sequence", key + " = " + whole(most - base("sequence.latency")), "the most of a chain of " + key);
  }
}

void MachineFile::loads() {
  if (measured("memory.load", "load from memory")) {
    const Seen clocks = seen_of(results_, "memory.nothing");
    Seen load = seen_of(results_, "memory.load");
    if (load.any && load.least <= clocks.least) {
      errors.push_back("memory.load: a load took " + in_thousandths(load.least) + " cycles, and no load " +
                       in_thousandths(clocks.least) + ": the clocks do not enclose it");
    }
    load.least -= clocks.least;
    load.median -= clocks.least;
    load.most -= clocks.least;
    more_load_ = excess("load from memory", load, base("latency.load.global.worst"), base("address.load.global"));
  }
  if (measured("chain.load_l2", "load from the L2, of each multiprocessor")) {
    const Seen seen = difference_of(results_, "chain.load_l2");
    more_second_cache_ = excess("load from the L2, of each multiprocessor", seen, base("times.second_cache"), 0);
  }
  put_times();
  for (const char* cache : {"L1", "constant"}) {
    const std::string name = std::string("chain.load_") + (*cache == 'L' ? "l1" : cache);
    const std::string what = std::string("load from the ") + cache + " cache";
    if (!measured(name, what)) continue;
    const std::string table = std::string("data_cache.") + cache, hit = std::string("data.") + cache + ".hit";
    const Number more = excess(what, difference_of(results_, name), base(hit), base("address.load.global"));
    if (more > 0) put(table, "hit = " + whole(base(hit) + more), "the most of a chain of loads");
  }
}

// Memory does not become faster with the clock of the multiprocessors: at a faster one than the base's its times have
// more cycles. And the L2 is not slower than memory: what is slower there is slower of a load from memory, too.
void MachineFile::put_times() {
  const auto at_this_clock = [this](const std::string& name) {
    const Number stated = base("times." + name);
    return std::max(stated, (stated * clock_khz_ + base("clock_khz") - 1) / base("clock_khz"));
  };
  const Number second_cache = std::max(at_this_clock("second_cache"), base("times.second_cache") + more_second_cache_);
  more_second_cache_ = second_cache - base("times.second_cache");
  const Number average = std::max(at_this_clock("load_average"), base("times.load_average") + more_second_cache_);
  const Number load = std::max(at_this_clock("load"), base("times.load") + std::max(more_load_, more_second_cache_));
  const Number loop = std::max(at_this_clock("loop"), base("times.loop") + load - base("times.load"));
  more_average_ = average - base("times.load_average");
  more_load_ = load - base("times.load");
  if (more_load_ > 0 || more_second_cache_ > 0) put("times", "# measured, or those of a faster clock: see above", "");
  if (more_load_ > 0) put("times", "load = " + whole(load), "");
  if (more_average_ > 0) put("times", "load_average = " + whole(average), "");
  if (more_load_ > 0) put("times", "loop = " + whole(loop), "");
  if (more_second_cache_ > 0) put("times", "second_cache = " + whole(second_cache), "");
  if (clock_khz_ > base("clock_khz")) {
    comment_ += "#   (times of memory and the L2 have the more cycles, as the clock is faster than the " +
                std::to_string(base("clock_khz")) + " kHz of " + base_.machine + ")\n";
  }
}

void MachineFile::shared_memory() {
  const std::string name = "chain.load_shared_ways_";
  Seen alone;
  if (measured(name + "1", "load from shared memory")) {
    alone = difference_of(results_, name + "1");
    put_latency(
        "\"load.shared\"", "load.shared",
        excess("load from shared memory", alone, base("latency.load.shared.worst"), base("address.load.shared")),
        "the most of a chain of loads");
  }
  for (const Number ways : {2, 4, 8, 16, 32}) {
    const std::string what = "a way of a bank conflict, of " + std::to_string(ways);
    if (!alone.any || !measured(name + std::to_string(ways), what)) continue;
    Seen way = difference_of(results_, name + std::to_string(ways));
    for (Number* value : {&way.least, &way.median, &way.most}) {
      *value = std::max<Number>(0, *value - alone.median) / (ways - 1);
    }
    compare_occupancy(what, way, base("latency.load.shared.way"));
  }
  const struct {
    const char *chain, *table, *figure;
  } atomics[] = {{"atomic_shared", "\"atomic.shared\"", "atomic.shared"},
                 {"atomic_global", "global_atomic", "global_atomic"}};
  for (const auto& atomic : atomics) {
    const std::string what = std::string(atomic.chain) + ", 32 lanes on one word";
    if (!measured(std::string("chain.") + atomic.chain, what)) continue;
    Number more = excess(what, difference_of(results_, std::string("chain.") + atomic.chain),
                         base(std::string("latency.") + atomic.figure + ".worst"), base("address.load.global"));
    // The figure of the base follows from its load, which may be raised above.
    if (more > 0 && atomic.chain == std::string("atomic_global")) more = std::max(more, more_load_);
    put_latency(atomic.table, atomic.figure, more, "the most of a chain, 32 lanes on one word");
  }
}

// --- Units: cycles of a scheduler for one instruction, with four warps on it

void MachineFile::units() {
  const Number warps = 16;
  const struct {
    const char *unit, *table;
  } all[] = {{"fp32", "arithmetic"}, {"logic", "arithmetic"}, {"special", "special"},
             {"fp64", "fp64"},       {"shuffle", "shuffle"},  {"load_shared", "load.shared"}};
  for (const auto& unit : all) {
    const std::string what = std::string("cycles of a scheduler for ") + unit.unit;
    if (!measured(std::string("unit.") + unit.unit, what)) continue;
    compare_occupancy(
        what, difference_of(results_, std::string("unit.") + unit.unit, operations * warps / base("schedulers")),
        base(std::string("interval.") + unit.table));
  }
}

// --- Code: what a line takes more where the caches before it lack it

void MachineFile::code() {
  const Number line = base("code.line_instructions");
  if (!measured("code.512.again", "straight code")) return;
  const Seen there = seen_of(results_, "code.512.again");
  Number known_l0 = 0, known_l1 = 0, known_l2 = 0;
  for (const Number size : {2048, 4096, 16384}) {
    for (const char* iteration : {"again", "first"}) {
      const std::string name = "code." + std::to_string(size) + "." + iteration;
      const std::string what = "a line of " + std::to_string(size / 64) + " KiB of code, " + iteration;
      if (!measured(name, what)) continue;
      Seen more = seen_of(results_, name);
      for (Number* value : {&more.least, &more.median, &more.most}) {
        *value = std::max<Number>(0, *value - there.least * (size / 512)) / (size / line);
      }
      const bool first = *iteration == 'f';
      const Number bytes = size * 16;
      Number stated = 0;
      Number* last = nullptr;
      const struct {
        const char* name;
        Number* known;
      } caches[] = {{"L0", &known_l0}, {"L1", &known_l1}, {"L2", &known_l2}};
      for (const auto& cache : caches) {
        const Number beside = 1024;  // code around the straight code
        if (!first && bytes + beside <= base(std::string("code.") + cache.name + ".bytes")) break;
        stated += base(std::string("code.") + cache.name + ".miss");
        last = cache.known;
      }
      const Number excess_here = excess(what, more, stated, 0);
      if (excess_here == 0) continue;
      if (last == nullptr) {
        errors.push_back(what + ": more than none, though " + base_.machine + " has a first cache of " +
                         std::to_string(base("code.L0.bytes")) + " bytes");
        continue;
      }
      *last = std::max(*last, excess_here);
    }
  }
  const struct {
    const char* name;
    Number more, beside;  // the base's figures of the last two follow from times that may be raised above
  } caches[] = {{"L0", known_l0, 0},
                {"L1", known_l1, more_load_ - more_average_ + more_second_cache_},
                {"L2", known_l2, more_average_ - more_second_cache_}};
  for (const auto& cache : caches) {
    if (cache.more == 0) continue;
    const std::string name = std::string("code.") + cache.name, table = std::string("code_cache.") + cache.name;
    const Number more = cache.more + cache.beside;
    put(table, "miss = " + whole(base(name + ".miss") + more), "lines of straight code");
    put(table, "holds = { fetch = " + whole(base(name + ".holds") + more) + base_text(name + ".holds") + " }", "");
  }
}

// --- Blocks

void MachineFile::dispatch() {
  if (measured("dispatch.latency", "from a block's end to the next one")) {
    const Seen latency = seen_of(results_, "dispatch.latency");
    report("from a block's end to the next one", latency, "", "taken: the most");
    put("dispatch", "latency = " + whole(latency.whole()),
        "from the end of a block of 1024 threads to the first instruction of the last warp of the next one");
  }
  if (!measured("dispatch.interval_ps", "from block to block, ps")) return;
  const Seen interval = seen_of(results_, "dispatch.interval_ps");
  report("from block to block, ps", interval, "", "taken: the most");
  const Number ps_of_khz = 1000000000;
  if (interval.whole() > ps_of_khz) errors.push_back("dispatch.interval_ps is more than a millisecond");
  put("dispatch",
      "interval = " + whole((std::min(interval.whole(), ps_of_khz) * clock_khz_ + ps_of_khz - 1) / ps_of_khz),
      "time of 131072 almost empty blocks of 256 threads less that of 65536");
  put("dispatch", "warps = 8", "");
}

// --- Lines of memory and of the L2

// A miss of code takes no less than the line that it fetches: a base that states less is none for this device.
void MachineFile::check_line(const std::string& what, Number milli, const std::string& cache) {
  const Number stated = base("code." + cache + ".miss");
  if (milli <= stated * 1000) return;
  errors.push_back(what + ": a line takes " + in_thousandths(milli) + " cycles, and a miss of code all in all " +
                   std::to_string(stated) + " in " + base_.machine);
}

void MachineFile::memory_lines() {
  const Number line_bytes = 128, ps_of_second = 1000000;  // of megabytes per second
  const Seen random = seen_of(results_, "rate.random_megabytes");
  const Seen dense = seen_of(results_, "rate.dense_megabytes");
  if (!random.any || !dense.any) return;
  report("random lines, MB/s", random, "", "taken: 85 % of the least");
  report("dense lines, MB/s", dense, "", "taken: the least of copy, scale and triad");
  const Number stream = std::max<Number>(1, dense.least / 1000);
  const Number spread = std::max<Number>(1, std::min(stream, random.least / 1000 * 85 / 100));
  Number bank = base("lines.memory.ps");
  if (measured("lines.same_bank_ps", "lines of one stride, ps")) {
    bank += excess("lines of one stride, ps", seen_of(results_, "lines.same_bank_ps"), bank, 0);
  }
  bank = std::max(bank, (line_bytes * ps_of_second + spread - 1) / spread);
  const Number ps_of_khz = 1000000000;
  check_line("memory", std::min<Number>(bank, ps_of_khz) * clock_khz_ / (ps_of_khz / 1000) + 1, "L2");
  put("lines.memory", "reach = " + std::to_string(results_.one("rate.bytes")), "");
  if (bank > base("lines.memory.ps")) {
    put("lines.memory.same_bank", "ps = " + whole(bank), "the slowest of many strides");
  }
  put("lines.memory.spread", "megabytes_per_second = " + whole(spread), "85 % of the slowest rate of random lines");
  put("lines.memory.stream", "megabytes_per_second = " + whole(stream), "the slowest of copy, scale and triad");
}

void MachineFile::l2_lines() {
  const Number line_milli = 128 * 1000;  // bytes of a thousand lines
  const Seen all = seen_of(results_, "rate.l2_bytes_of_1000_cycles");
  if (!all.any) return;
  report("bytes of 1000 cycles from the L2", all, "", "taken: 85 % of the least");
  const Number bytes = std::max<Number>(1, all.least / 1000 * 85 / 100);
  Number slice = base("lines.network.milli");
  if (measured("lines.one_slice_milli", "one line for all, cycles")) {
    const Seen times = seen_of(results_.of("lines.one_slice_milli"));
    const bool more = times.most > slice;
    report("one line for all, cycles", times, in_thousandths(slice),
           more ? "RAISED: contradicts the base" : "the base's stands");
    slice = std::max(slice, times.most);
  }
  slice = std::max(slice, (line_milli * 1000 + bytes - 1) / bytes);
  check_line("the L2", slice, "L1");
  if (slice > base("lines.network.milli")) {
    put("lines.network.same_bank", "cycles = \"" + std::to_string(slice) + "/1000\"", "all read one line of the L2");
  }
  put("lines.network.spread", "cycles = \"" + std::to_string(line_milli) + "/" + std::to_string(bytes) + "\"",
      "85 % of what all multiprocessors together read from the L2");
  if (!measured("rate.port_bytes_of_1000_cycles", "the same, one multiprocessor")) return;
  const Seen port = seen_of(results_, "rate.port_bytes_of_1000_cycles");
  if (!port.any) return;
  const Number line = (line_milli * 1000 + port.least / 1000 - 1) / std::max<Number>(1, port.least / 1000);
  const bool more = line > base("lines.network_port.milli");
  check_line("the L2, one multiprocessor", line, "L1");
  report("the same, one multiprocessor", port, "", more ? "RAISED: contradicts the base" : "the base's stands");
  if (more) {
    put("lines.network_port.same_bank", "cycles = \"" + std::to_string(line) + "/1000\"",
        "what one multiprocessor reads from the L2");
  }
}

void MachineFile::l2_size() {
  const Number bytes = results_.one("device.l2_bytes") / (base_.sees_half_of_l2 ? 2 : 1);
  for (const char* kind : {"data", "code"}) {
    const Number stated = base(std::string(kind) + ".L2.bytes");
    if (bytes >= stated) continue;
    if (bytes < 65536) errors.push_back("device.l2_bytes is less than 64 KiB for each multiprocessor");
    put(std::string(kind) + "_cache.L2", "bytes = " + whole(bytes), "properties of the device");
  }
}

// What tasks of `warpspan rta` need besides.
void MachineFile::host() {
  const Number engines = results_.one("device.copy_engines");
  if (results_.has("host.launch_ps")) {
    const Seen launch = seen_of(results_, "host.launch_ps");
    host_ +=
        "# From the launch of an empty kernel to its end, as the host sees it: " + in_thousandths(launch.most / 1000) +
        " ns at most, " + in_thousandths(launch.median / 1000) + " as a rule.\n";
  }
  if (!results_.has("host.to_device_megabytes") || !results_.has("host.to_host_megabytes")) return;
  const Number slowest =
      std::min(seen_of(results_, "host.to_device_megabytes").least, seen_of(results_, "host.to_host_megabytes").least) /
      1000;
  host_ += "# For [gpu] of a tasks file of warpspan rta, copies of 64 MiB between pinned memory and the device:\n";
  host_ += "#   copy_engines = " + std::string(engines >= 2 ? "2" : "1") + "\n";
  host_ += "#   copy_rate = " + std::to_string(slowest * 1000000) + "\n";
}

std::string MachineFile::text() {
  const std::string device = results_.text("device.name");
  check_limits();
  board();
  loads();
  arithmetic();
  shared_memory();
  units();
  code();
  dispatch();
  memory_lines();
  l2_lines();
  l2_size();
  host();
  const Number repetitions = results_.one("program.repetitions");
  const std::string source = std::string(program_version) + " calibrate on " + device + ", compute capability " +
                             std::to_string(base_.capability / 10) + "." + std::to_string(base_.capability % 10) +
                             ", driver " + std::to_string(results_.one("device.driver")) + ", runtime " +
                             std::to_string(results_.one("device.runtime")) + ", " + std::to_string(repetitions) +
                             " repetitions";
  results_.refuse_what_nobody_asked_for();
  std::string text =
      "# " + source + ".\n#\n# Latencies of operations are those of machine instructions, in cycles.\n#\n";
  char head[400];
  std::snprintf(head, sizeof head, "#   %-42s %14s %14s %14s %12s\n", "measured", "least", "median", "most",
                (std::string("in ") + base_.machine).c_str());
  text += head + comment_ + "#\n" + host_ + "\n";
  text +=
      "name = \"calibrated\"\ndescription = \"" + device + ", calibrated\"\nbased_on = \"" + base_.machine + "\"\n\n";
  text += "[sources]\nCALIBRATION = \"" + source + "\"\n";
  for (const std::string& table : order_) {
    text += "\n[" + table + "]\n" + lines_[table];
    if (table == "times" || table == "lines.memory") continue;  // these have no standing of their own
    text += "standing = \"measured\"\nsource = \"" + sources_[table] + "\"\n";
  }
  return text;
}

// Empty after an error.
static std::string machine_file(Results& results) {
  const Number capability = results.one("device.capability");
  std::string known;
  for (const Base& base : bases) {
    if (base.capability == capability) return MachineFile(base, results).text();
    known += std::string(known.empty() ? "" : ", ") + base.target;
  }
  errors.push_back("the device has compute capability " + std::to_string(capability / 10) + "." +
                   std::to_string(capability % 10) + ", and this program is for " + known +
                   ": write one for it with 'warpspan calibrate'");
  return "";
}
