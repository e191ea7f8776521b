// SPDX-License-Identifier: GPL-3.0-or-later
// Random kernels that a GPU runs, and runs of theirs against their bounds: scripts/attack-device.
//
// suite_machine_code "[device-kernels]" makes them: WARPSPAN_TIMED_FIRST and _COUNT, seeds of each family; _FAMILY, one
// of them; _FOLDER, which gets a cubin of each and kernels.csv. "[device-runs]" compares all that ran, not every 40th
// seed.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <numeric>
#include <sstream>

#include "frontend/object/cubin.hpp"
#include "support/sha256.hpp"
#include "support/source_file.hpp"
#include "tests/machine_code/cases.hpp"
#include "tests/machine_code/interpreter/interpreter.hpp"
#include "tests/machine_code/random_compiled.hpp"
#include "tests/machine_code/timing/assembler.hpp"
#include "tests/machine_code/timing/bounds.hpp"
#include "tests/paths.hpp"
#include "tests/thinned.hpp"

using namespace warpspan;
using namespace machine_code;

namespace {

constexpr int architecture = 90;
constexpr uint64_t array = 0x7f0000000000;           // where the interpreter has it
constexpr int64_t array_bytes = int64_t{256} << 20;  // of what the first pointer leads to
constexpr int64_t most_cycles = 600'000'000;         // of the smallest bound of what is run
constexpr uint64_t first_of_large = 1000;            // a seed: from it on launches fill the machine, with longer loops

std::string level_of(uint64_t seed) {
  if (seed % 4 == 0) return "-O1";
  return seed >= first_of_large && seed % 4 == 1 ? "-O2" : "-O3";
}

// A number that the analysis is told is most often that of a loop's turns.
void lengthen(TimedKernel& kernel, reference::Random& random) {
  const uint64_t times = random.pick<uint64_t>({1, 8, 32});
  for (size_t i = 1; i < kernel.values.size(); ++i) {
    if (kernel.told[i]) kernel.values[i] *= times;
  }
}

// With blocks that fill a part of the machine, all of it, or all of it several times.
TimedKernel device_kernel(const TimedFamily& family, uint64_t seed) {
  TimedKernel kernel = family.make(seed);
  reference::Random random(std::accumulate(family.name, family.name + std::strlen(family.name), 1000 * seed));
  kernel.values.front() = array;
  kernel.told.front() = false;  // where an array lies is not known
  kernel.grid = {random.pick<int64_t>({1, 1, 1, 2, 33, 132, 264, 264, 528, 2112}), 1, 1};
  if (seed >= first_of_large) {
    kernel.grid.x = random.pick<int64_t>({1, 132, 132, 264, 528, 1056, 2112, 4224});
    lengthen(kernel, random);
  }
  kernel.tells_grid = true;
  kernel.buffer_bytes = array_bytes;
  return kernel;
}

std::string family_and_seed(const TimedFamily& family, uint64_t seed) {
  return std::string(family.name) + "," + std::to_string(seed);
}

bool is_outside(const Access& access, const object::Function& function) {
  constexpr uint64_t stack_top = 0x10000;  // of the interpreter
  const uint64_t end = access.address + static_cast<uint64_t>(access.bytes);
  switch (access.space) {
    case Space::global: return access.address < array || end > array + array_bytes;
    case Space::shared: return end > function.shared_bytes;
    case Space::local: return end > stack_top;
  }
  return true;
}

// Why it is not run: what the interpreter says, or that it accesses what is not its own. Of the first block and the
// last.
std::string trouble(const TimedKernel& kernel, const object::Cubin& cubin, const object::Function& function) {
  const auto program = prepare(cubin, kernel.kernel);
  if (!program) return "decoder";
  Launch launch;
  launch.block = kernel.block;
  launch.grid = kernel.grid;
  if (kernel.grid.x > 1) launch.blocks.push_back({kernel.grid.x - 1, 0, 0});
  launch.parameters = parameter_bytes(function, kernel.values);
  launch.most_steps = 400'000;
  launch.notes_accesses = launch.clears_registers = launch.clears_own_memory = true;
  launch.passes_unknown = kernel.only_numbers;
  auto memory = kernel.only_numbers ? reference::Memory(1) : reference::Memory::zeros();
  const Record record = machine_code::run(*program, launch, memory);
  if (!record.stopped.empty()) return "interpreter: " + record.stopped.substr(0, 40);
  for (const Access& access : record.accesses) {
    if (is_outside(access, function)) return "accesses outside of its memory";
  }
  return {};
}

std::string hexadecimal_bytes(uint64_t value, uint32_t bytes) {
  std::string text;
  for (uint32_t i = 0; i < bytes; ++i) {
    constexpr const char* digits = "0123456789abcdef";
    const uint64_t byte = i < 8 ? value >> (8 * i) & 0xff : 0;
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

// As scripts/measured/launch.cpp takes them.
std::string argument_words(const TimedKernel& kernel, const object::Function& function) {
  const std::string array_word = "array:" + std::to_string(array_bytes) + ":zeros";
  std::map<uint32_t, std::string> words;
  for (const object::Parameter& parameter : function.parameters) {
    const uint64_t value = parameter.ordinal < kernel.values.size() ? kernel.values[parameter.ordinal] : 0;
    words[parameter.ordinal] =
        parameter.ordinal == 0 ? array_word : "bytes:" + hexadecimal_bytes(value, parameter.size);
  }
  std::string text;
  for (const auto& [ordinal, word] : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// "nothing:123 spread:99"
std::string ladder_text(const std::vector<timing::Rung>& ladder) {
  std::string text;
  for (const timing::Rung& rung : ladder) {
    if (!rung.makespan) continue;
    const std::string_view name =
        rung.assumption ? timing::assumption_names()[static_cast<size_t>(*rung.assumption)] : "nothing";
    text += (text.empty() ? "" : " ") + std::string(name) + ":" + std::to_string(*rung.makespan);
  }
  return text;
}

std::string extent_text(const ir::Extent& extent) {
  return std::to_string(extent.x) + " " + std::to_string(extent.y) + " " + std::to_string(extent.z);
}

class Writer {
 public:
  explicit Writer(const std::filesystem::path& folder) : folder_(folder), table_(folder / "kernels.csv") {
    table_ << "family,seed,level,sha256,block,grid,arguments,code,ptx\n";
  }

  void add(const TimedFamily& family, uint64_t seed) {
    const std::string refused = added(family, seed);
    if (!refused.empty()) ++refusals_[std::string(family.name) + ": " + refused];
  }

  void tell() const {
    for (const auto& [reason, count] : refusals_) std::cout << count << " " << reason << "\n";
  }

 private:
  std::string added(const TimedFamily& family, uint64_t seed) {
    const TimedKernel kernel = device_kernel(family, seed);
    const std::string bytes = assembled("ptxas", kernel, architecture, level_of(seed));
    if (bytes.empty()) return "ptxas";
    const auto cubin = object::read_cubin({"k.cubin", bytes});
    if (!cubin) return "cubin";
    const auto function = std::find_if(cubin->functions.begin(), cubin->functions.end(),
                                       [&](const object::Function& each) { return each.name == kernel.kernel; });
    const auto machine = timing::machine_for_target("sm_90");
    const auto ladder = machine_code_bounds(kernel, bytes, *machine);
    if (!ladder) return "bound: " + ladder.errors().front().message.substr(0, 60);
    if (ladder->back().makespan.value_or(most_cycles) >= most_cycles) return "too long";
    const std::string reason = trouble(kernel, *cubin, *function);
    if (!reason.empty()) return reason;
    const std::string name = std::string(family.name) + "." + std::to_string(seed) + ".cubin";
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    table_ << family_and_seed(family, seed) << "," << level_of(seed) << "," << support::sha256(bytes) << ","
           << extent_text(kernel.block) << "," << extent_text(kernel.grid) << "," << argument_words(kernel, *function)
           << "," << ladder_text(*ladder) << "," << ladder_text(ptx_bounds(kernel, architecture).ladder) << "\n"
           << std::flush;
    return {};
  }

  std::filesystem::path folder_;
  std::ofstream table_;
  std::map<std::string, int> refusals_;
};

// A line of samples/measured/random.csv.
struct Run {
  std::string family, level, sha256;
  uint64_t seed = 0;
  int64_t cycles = 0;
};

std::vector<Run> runs() {
  std::vector<Run> all;
  std::ifstream file(test::source_dir() + "/samples/measured/random.csv");
  std::string line;
  for (std::getline(file, line); std::getline(file, line);) {
    std::vector<std::string> words;
    std::istringstream words_of(line);
    for (std::string word; std::getline(words_of, word, ',');) words.push_back(word);
    all.push_back({words[0], words[2], words[3], std::stoull(words[1]), std::stoll(words[6])});
  }
  return all;
}

const TimedFamily& family_of(const Run& run) {
  const auto& all = timed_families();
  return *std::find_if(all.begin(), all.end(), [&](const TimedFamily& each) { return each.name == run.family; });
}

int64_t smallest(const std::vector<timing::Rung>& ladder) {
  int64_t bound = INT64_MAX;
  for (const timing::Rung& rung : ladder) bound = std::min(bound, rung.makespan.value_or(INT64_MAX));
  return bound;
}

// Of the machine code that ran, in a cubin, and of its PTX.
void check_bounds(const Run& run, const TimedKernel& kernel, const std::string& bytes) {
  const auto ladder = machine_code_bounds(kernel, bytes, *timing::machine_for_target("sm_90"));
  INFO(run.family << " " << run.seed << " took " << run.cycles);
  if (ladder) CHECK(smallest(*ladder) >= run.cycles);
  CHECK(smallest(ptx_bounds(kernel, architecture).ladder) >= run.cycles);
}

// Every so many of them, where nobody asks for all.
void check_compiled(uint64_t every) {
  if (!is_at_hand("ptxas")) return;
  for (const Run& run : runs()) {
    if (run.seed % every != 0) continue;
    const TimedKernel kernel = device_kernel(family_of(run), run.seed);
    const std::string bytes = assembled("ptxas", kernel, architecture, run.level);
    // Another version of ptxas makes other code of the same kernel, of which there is no run.
    if (support::sha256(bytes) == run.sha256) check_bounds(run, kernel, bytes);
  }
}

}  // namespace

TEST_CASE("time of machine code: the random kernels nearest to their bounds ran no longer on an H100") {
  int compared = 0;
  for (const Run& run : runs()) {
    const auto file = support::read_source(test::source_dir() + "/samples/measured/random/" + run.family + "." +
                                           std::to_string(run.seed) + ".cubin");
    if (!file) continue;
    CHECK(support::sha256(file->bytes()) == run.sha256);
    check_bounds(run, device_kernel(family_of(run), run.seed), std::string(file->bytes()));
    ++compared;
  }
  CHECK(compared >= 60);
}

TEST_CASE("time of machine code: no random kernel ran longer on an H100 than its bounds") { check_compiled(40); }
TEST_CASE("all random kernels that ran", "[.][device-runs]") { check_compiled(1); }

TEST_CASE("random kernels for a GPU", "[.][device-kernels]") {
  const char* folder = std::getenv("WARPSPAN_TIMED_FOLDER");
  if (folder == nullptr) return;
  const char* only = std::getenv("WARPSPAN_TIMED_FAMILY");
  const uint64_t first = test::number_from("WARPSPAN_TIMED_FIRST", 1);
  const uint64_t count = test::number_from("WARPSPAN_TIMED_COUNT", 10);
  Writer writer(folder);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    for (const TimedFamily& family : timed_families()) {
      if (only == nullptr || std::string(only) == family.name) writer.add(family, seed);
    }
  }
  writer.tell();
}
