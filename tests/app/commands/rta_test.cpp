// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan rta: bounds of the samples, what is refused and where, and the kernels of files.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.hpp"
#include "tests/paths.hpp"

namespace {

using namespace warpspan::test;
using Json = nlohmann::json;

const std::string gpu = "[gpu]\nmultiprocessors = 2\nblocks = 4\n";  // 3 lines
const std::string task = "[[task]]\nname = \"a\"\nstream = 1\n";     // 3 more
const std::string on_tx2 = "[gpu]\nmachine = \"tx2\"\n";
const std::string saxpy = "{ kernel = \"saxpy\", file = \"k.ptx\", block = 256, grid = 4, args = { 3 = 1024 } }";

// The command on a file of this text, beside which k.ptx is.
ProgramRun run(const std::string& text, std::vector<std::string> words = {}) {
  const TemporaryFolder folder;
  write_file(folder.file("tasks.toml"), text);
  write_file(folder.file("k.ptx"), read_file(warpspan::test::source_dir() + "/samples/saxpy.ptx"));
  words.insert(words.begin(), {"rta", "tasks.toml"});
  Surroundings around;
  around.folder = folder.path();
  return run_warpspan(words, around);
}

Json json_of(const std::string& text, int status = 0, std::vector<std::string> words = {"--format", "json"}) {
  const ProgramRun result = run(text, std::move(words));
  INFO(text << result.err);
  CHECK(result.status == status);
  return Json::parse(result.out);
}

std::string work(const std::string& operations) { return "work = [" + operations + "]\n"; }

// One error, at the place, with a caret.
void check_refused(const std::string& text, const std::string& error, int status = 2) {
  const ProgramRun result = run(text);
  INFO(text << result.err);
  CHECK(result.status == status);
  CHECK(result.out.empty());
  CHECK(result.err.rfind(error, 0) == 0);
  size_t errors = 0;
  for (size_t at = 0; (at = result.err.find("error: ", at)) != std::string::npos; ++at) ++errors;
  CHECK(errors == 1);
  CHECK(contains(result.err, "^\n"));
}

}  // namespace

TEST_CASE("rta: what a task says of its kernel and is not so is an error where it stands", "[rta]") {
  const std::vector<std::pair<std::string, std::string>> claims = {
      {"args = { 3 = 1024, width = 1920 }", "kernel 'saxpy' has no parameter 'width'"},
      {"args = { 3 = 1024 }, buffers = { image = 4096 }", "kernel 'saxpy' has no parameter 'image'"},
      {"args = { 3 = 1024 }, buffers = { 1 = 16 }", "this launch accesses bytes 0 to 4095 of"},
      {"args = { 3 = 1024 }, loop_bounds = { \"$L__BB0_9\" = 4 }", "'$L__BB0_9' names no loop"},
      {"args = { 3 = 1024 }, waits = { \"$L__BB0_9\" = \"2us\" }", "'$L__BB0_9' names no loop"},
      {"args = { 3 = 1024 }, calls = { vprintf = \"20 us\" }", "no kernel calls a function 'vprintf'"},
      {"args = { 3 = 1024 }, recursion = { f = 2 }", "no kernel calls a function 'f' recursively"},
      {"args = { 3 = 1024 }, registers = 1", "a thread may use 16 (--registers)"},
  };
  for (const auto& [claim, error] : claims) {
    std::string operation = saxpy;
    operation.replace(operation.find("args = { 3 = 1024 }"), std::string("args = { 3 = 1024 }").size(), claim);
    const ProgramRun result = run(on_tx2 + task + work(operation));
    INFO(claim << "\n" << result.err);
    CHECK((result.status == 2 || result.status == 3));
    CHECK(result.out.empty());
    CHECK(contains(result.err, error));
    const bool is_at_key = !contains(error, "accesses") && !contains(error, "may use");
    CHECK((!is_at_key || result.err.rfind("tasks.toml:6:", 0) == 0));
  }
}

TEST_CASE("rta: kernels of a published example end when they should", "[rta]") {
  const ProgramRun result = run_warpspan({"rta", "samples/rta/tx2.toml", "--timeline", "--format", "json"});
  REQUIRE(result.status == 0);
  const Json report = Json::parse(result.out);
  const std::vector<int64_t> published = {4, 10, 12, 11};
  CHECK(report.at("time_unit").is_null());
  REQUIRE(report.at("tasks").size() == published.size());
  for (size_t i = 0; i < published.size(); ++i) {
    INFO(i);
    const Json& one = report["tasks"][i];
    CHECK(report["timeline"]["jobs"][i].at("end") == published[i]);
    CHECK(one.at("slowest").get<int64_t>() >= published[i]);
    CHECK(one.at("bound").get<int64_t>() >= one.at("slowest").get<int64_t>());
    CHECK(one.at("verdict") == "bounded");
  }
  CHECK(report["timeline"]["blocks"].size() == 2 + 7 + 2 + 5);
  const std::string text = run_warpspan({"rta", "samples/rta/tx2.toml", "--timeline"}).out;
  CHECK(contains(text, "multiprocessor 0  |AAAABBBBBB\n"));
  CHECK(contains(text, "a column is 1 unit of time\n"));
}

TEST_CASE("rta: the sample with kernels of files meets its deadlines", "[rta]") {
  const ProgramRun result = run_warpspan({"rta", "samples/rta/tasks.toml", "--explain", "--format", "json"});
  INFO(result.err);
  REQUIRE(result.status == 0);
  const Json report = Json::parse(result.out);
  CHECK(report.at("machine") == "tx2");
  CHECK(report.at("time_unit") == "ps");
  CHECK(report.at("whole_gpu") == true);
  for (const Json& one : report.at("tasks")) {
    CHECK(one.at("verdict") == "meets");
    CHECK(one.at("slowest").get<int64_t>() <= one.at("bound").get<int64_t>());
    int64_t sum = 0;
    for (const Json& term : one.at("terms")) sum += term.at("time").get<int64_t>();
    CHECK(sum == one.at("bound").get<int64_t>());
  }
  // 1 MiB at 5 GB/s
  CHECK(report["tasks"][0]["work"][0].at("time") == 209'715'200);
  const std::string text = run_warpspan({"rta", "samples/rta/tasks.toml"}).out;
  CHECK(contains(text, "meets its deadline"));
  CHECK(contains(text, "kernels of different streams never run at the same time"));
  CHECK(contains(text, "in full with --explain"));
}

TEST_CASE("rta: each kernel of a file stands with its own bound, and where the rules were found", "[rta]") {
  const std::string text = run_warpspan({"rta", "samples/rta/tasks.toml"}).out;
  CHECK(contains(text, "\n  task    kernel            its own bound"));
  CHECK(contains(text, "\n  camera  saxpy  "));
  CHECK(contains(text, " cycles  samples/rta/../saxpy.ptx\n"));
  CHECK(contains(text, "as found on the\n    Jetson TX2\n"));
  const std::string other = run("[gpu]\nmachine = \"orin\"\n" + task + work(saxpy)).out;
  CHECK(contains(other, "Jetson TX2; no source known here saw these rules hold on a board of the machine 'orin'\n"));
  CHECK_FALSE(contains(run_warpspan({"rta", "samples/rta/tx2.toml"}).out, "its own bound"));
  const ProgramRun late = run_warpspan({"rta", "samples/rta/late.toml"});
  CHECK(contains(late.out, "  to see why     --explain has what each bound is the sum of"));
  CHECK_FALSE(contains(text, "to see why"));
}

TEST_CASE("rta: a kernel of a file has the bound that analyze reports", "[rta]") {
  const ProgramRun analyzed = run_warpspan({"analyze", "samples/saxpy.ptx", "--block", "256", "--grid", "4", "--arg",
                                            "3=1024", "--machine", "tx2", "--format", "json"});
  const Json kernel = Json::parse(analyzed.out).at("kernels").at(0);
  const Json report = json_of(on_tx2 + task + work(saxpy));
  const Json& one = report.at("tasks").at(0);
  const auto cycles = one["work"][0].at("cycles").get<int64_t>();
  CHECK(contains(kernel.dump(), ":" + std::to_string(cycles)));
  CHECK(one.at("bound").get<int64_t>() == (cycles * 10'000 + 12) / 13);  // at 1300 MHz, rounded up
  CHECK(one["work"][0].at("blocks") == 1);
}

TEST_CASE("rta: a kernel beside others that is alone on the GPU takes as long as its rounds of blocks", "[rta]") {
  const std::string given = "{ blocks = 17, time = 5 }, { blocks = 16, time = 5 }";
  const Json report = json_of(gpu + "exclusive = true\n" + task + work(given));
  CHECK(report["tasks"][0].at("bound") == 15 + 10);
  CHECK(report["tasks"][0].at("slowest") == 15 + 10);
}

TEST_CASE("rta: no run of kernels in one stream is longer than the bound of the GPU as one place", "[rta]") {
  uint32_t state = 7;
  const auto number = [&state](uint32_t most) {
    state = state * 1664525 + 1013904223;
    return std::to_string(1 + (state >> 8) % most);
  };
  for (int set = 0; set < 20; ++set) {
    std::string tasks;
    for (const char* name : {"a", "b", "c"}) {
      tasks += "[[task]]\nname = \"" + std::string(name) + "\"\nstream = 1\n" +
               work("{ blocks = " + number(20) + ", threads = " + number(96) + ", time = " + number(9) +
                    " }, { blocks = " + number(20) + ", threads = " + number(96) + ", time = " + number(9) + " }");
    }
    const Json parts = json_of(gpu + "threads = 256\n" + tasks);
    const Json whole = json_of(gpu + "threads = 256\nexclusive = true\n" + tasks);
    for (size_t i = 0; i < 3; ++i) {
      CHECK(parts["tasks"][i].at("slowest").get<int64_t>() <= whole["tasks"][i].at("bound").get<int64_t>());
    }
  }
}

TEST_CASE("rta: the exit status tells whether deadlines are met", "[rta]") {
  const std::string one = work("{ blocks = 8, time = 5 }");
  const auto verdict = [](const Json& report) { return report["tasks"][0].at("verdict").get<std::string>(); };
  CHECK(verdict(json_of(gpu + task + "period = 5\n" + one)) == "meets");
  CHECK(verdict(json_of(gpu + task + "period = 9\ndeadline = 4\n" + one, 1)) == "misses");
  CHECK(verdict(json_of(gpu + task + "period = 9\ndeadline = 4\n" + one, 1, {"--runs", "0", "--format", "json"})) ==
        "may-miss");
  const Json overloaded = json_of(gpu + task + "period = 4\n" + one, 1, {"--runs", "0", "--format", "json"});
  CHECK(verdict(overloaded) == "no-bound");
  CHECK(contains(overloaded["tasks"][0].at("reason"), "its jobs may pile up"));
  CHECK(overloaded["tasks"][0].at("slowest").is_null());
  CHECK(overloaded.at("status") == "over-budget");
  CHECK(contains(run(gpu + task + "period = 4\n" + one, {"--runs", "0"}).out, "no bound: its jobs may pile up"));
}

TEST_CASE("rta: what is wrong in a tasks file has one error at its place", "[rta]") {
  const std::string one = work("{ blocks = 1, time = 3 }");
  check_refused(gpu + "blokcs = 3\n" + task + one, "tasks.toml:4:1: error: unknown key 'blokcs' in [gpu]\n");
  check_refused(gpu + task + "period = 0\n" + one, "tasks.toml:7:10: error: 'period' must be more than 0\n");
  check_refused(gpu + task + "offset = -1\n" + one, "tasks.toml:7:10: error: 'offset' must not be negative\n");
  check_refused(gpu + task + "period = \"3 us\"\n" + one,
                "tasks.toml:8:30: error: 'time' has no unit, as other times do\n");
  check_refused(gpu + task + work("{ blocks = 1, time = 3 }, { blocks = 1, time = \"4 us\" }"),
                "tasks.toml:7:56: error: 'time' has a unit, and times before it have none\n");
  check_refused(gpu + "[[task]]\nname = \"a\"\nstream = \"x\"\n" + one,
                "tasks.toml:6:10: error: 'stream' must be an integer, not a text\n");
  check_refused(gpu + "null_stream = \"legcy\"\n" + task + one,
                "tasks.toml:4:15: error: 'null_stream': expected none or legacy, got 'legcy'\n");
  check_refused(gpu + task + work("{ blocks = 1 }"),
                "tasks.toml:7:9: error: missing key 'time' in a kernel given by its blocks\n");
  check_refused(gpu + task + work("{}"), "tasks.toml:7:9: error: an operation is a copy, ");
  check_refused(gpu + task + work("{ copy = \"to-host\", bytes = 3 }"),
                "tasks.toml:7:37: error: a copy in bytes, and no rate\n");
  check_refused(gpu + task + work("{ blocks = 1, time = \"3 cycles\" }"),
                "tasks.toml:7:30: error: 'time': how long '3 cycles' take depends on a clock\n");
  check_refused(gpu + task + work("{ blocks = 1, threads = 64, registers = 32, time = 1 }"),
                "tasks.toml:7:49: error: 'registers' are those of a whole block");
  check_refused(gpu + task + one + task + one, "tasks.toml:9:8: error: another task is called 'a'\n");
  check_refused(gpu + "threads = 64\n" + task + work("{ blocks = 1, threads = 65, time = 1 }"),
                "tasks.toml:8:9: error: a block needs 96 threads, and a multiprocessor has 64\n");
  check_refused(on_tx2 + task + work("{ blocks = 1, shared = 0, time = 1 }"),
                "tasks.toml:6:9: error: [gpu] limits 'threads' and 'registers', and the kernel does not say");
  check_refused("[gpu]\nmultiprocessors = 2\n" + task + one,
                "tasks.toml:1:1: error: nothing in [gpu] limits how many blocks run at once\n");
  check_refused("[gpu\n", "tasks.toml:1:5: error: not a TOML file: ");
  check_refused(
      "[gpu]\nmachine = \"tx3\"\n" + task + work("{ blocks = 1, threads = 1, shared = 0, registers = 1, time = 3 }"),
      "tasks.toml:2:11: error: unknown machine 'tx3'\n");
}

TEST_CASE("rta: what is wrong with kernels of files is told where it is", "[rta]") {
  check_refused(on_tx2 + task + work("{ kernel = \"saxp\", file = \"k.ptx\", block = 32, grid = 1 }"),
                "tasks.toml:6:9: error: k.ptx: the file has no kernel 'saxp'\n");
  check_refused(on_tx2 + task + work("{ file = \"none.ptx\", block = 32, grid = 1 }"),
                "tasks.toml:6:9: error: cannot read 'none.ptx'");
  check_refused(on_tx2 + task + work("{ file = \"k.ptx\", block = 32 }"),
                "tasks.toml:6:9: error: missing key 'grid' in a kernel of a file\n");
  check_refused(on_tx2 + task + work("{ file = \"k.ptx\", block = 32, grid = 1 }"),
                "k.ptx:42:2: error: no bound for the loop '$L__BB0_2' of kernel 'saxpy'", 3);
  check_refused(gpu + task + work(saxpy), "tasks.toml:7:9: error: a kernel of a file, and no machine to bound it on\n");
  check_refused(on_tx2 + "blocks = 4\n" + task + work(saxpy),
                "tasks.toml:1:1: error: kernels of files are bounded on ");
  const std::string other = "[[task]]\nname = \"b\"\nstream = 2\n" +
                            work("{ blocks = 1, threads = 32, shared = 0, registers = 2048, time = \"1 us\" }");
  check_refused(on_tx2 + task + work(saxpy) + other,
                "tasks.toml:10:9: error: kernels in streams 1 and 2 may run at the same time");
  CHECK(json_of(on_tx2 + "exclusive = true\n" + task + work(saxpy) + other).at("whole_gpu") == true);
}

TEST_CASE("rta: a kernel in several places is bounded and read once, and the run is made again from its report") {
  const TemporaryFolder folder;
  write_file(folder.file("tasks.toml"),
             on_tx2 + task + work(saxpy + ", " + saxpy) + "[[task]]\nname = \"b\"\nstream = 1\n" + work(saxpy));
  write_file(folder.file("k.ptx"), read_file(warpspan::test::source_dir() + "/samples/saxpy.ptx"));
  Surroundings around;
  around.folder = folder.path();
  const ProgramRun made = run_warpspan(
      {"rta", "tasks.toml", "--format", "json", "--output", "rta.json", "--runs", "20", "--explain"}, around);
  INFO(made.err);
  REQUIRE(made.status == 0);
  const std::string text = read_file(folder.file("rta.json"));
  const Json report = Json::parse(text);
  const auto cycles = report["tasks"][0]["work"][0].at("cycles").get<int64_t>();
  CHECK(report["tasks"][0]["work"][1].at("cycles") == cycles);
  CHECK(report["tasks"][1]["work"][0].at("cycles") == cycles);
  const Json& run = report.at("run");
  CHECK(run.at("command") == "rta");
  CHECK(run.at("arguments") == Json({"--runs=20", "--explain", "tasks.toml"}));
  REQUIRE(run.at("inputs").size() == 2);
  CHECK(run["inputs"][0].at("file") == "tasks.toml");
  CHECK(run["inputs"][1].at("file") == "k.ptx");
  REQUIRE(run.at("machines").size() == 1);
  CHECK(run["machines"][0].at("name") == "tx2");
  const ProgramRun again = run_warpspan({"rerun", "rta.json"}, around);
  CHECK(again.status == 0);
  CHECK(again.out == text);
  write_file(folder.file("k.ptx"), read_file(folder.file("k.ptx")) + "\n");
  const ProgramRun changed = run_warpspan({"rerun", "rta.json"}, around);
  CHECK(changed.status == 2);
  CHECK(changed.out.empty());
  CHECK(contains(changed.err, "'k.ptx' has changed since the report was made"));
}

TEST_CASE("rta: the report tells what each task takes of each resource, and of what there is too little") {
  const std::string copies = "{ blocks = 8, time = 5 }, { copy = \"to-host\", time = 2 }";
  const std::string more = "[[task]]\nname = \"b\"\nstream = 2\nperiod = 16\n" + work("{ blocks = 4, time = 4 }");
  const std::string text = run(gpu + "copy_engines = 2\n" + task + "period = 20\n" + work(copies) + more).out;
  CHECK(contains(text,
                 "  utilisation    kernels 37.5 %: a 25.0 %, b 12.5 %\n"
                 "                 copy engine 0 0.0 %\n"
                 "                 copy engine 1 10.0 %: a 10.0 %\n"));
  const std::string over = gpu + task + "period = 4\n" + work("{ blocks = 8, time = 5 }");
  CHECK(contains(json_of(over, 1)["tasks"][0].at("reason"),
                 "; utilisation above 1: operations of stream 1, one after another, need 125.0 % of the time"));
}

TEST_CASE("rta: too many tasks are refused at once", "[rta]") {
  std::string text = gpu;
  for (int i = 0; i < 1'000'000; ++i) text += "[[task]]\n";
  check_refused(text, "tasks.toml:4100:1: error: the file has 1000000 tasks\n");
}

TEST_CASE("rta: streams of one number have one priority, and wrong words are told", "[rta]") {
  const std::string one = work("{ blocks = 1, time = 3 }");
  check_refused(gpu + task + one + "[[task]]\nname = \"b\"\nstream = 1\npriority = 1\n" + one,
                "tasks.toml:11:12: error: the priority is 1, but stream 1 has priority 0\n");
  CHECK(contains(run_warpspan({"rta"}).err, "no tasks file is given"));
  CHECK(contains(run_warpspan({"rta", "a", "b"}).err, "give one tasks file at a time"));
  CHECK(contains(run_warpspan({"rta", "a", "--runs", "-1"}).err, "--runs: expected a number"));
  CHECK(run_warpspan({"rta", "nowhere.toml"}).status == 2);
}

TEST_CASE("rta: work too large for a search or a timeline is bounded all the same", "[rta]") {
  const std::string large = task + work("{ blocks = 3_000_000_000, time = 1000 }");
  const Json report = json_of(gpu + large);
  CHECK(report["tasks"][0].at("bound").get<int64_t>() == 375'000'000'000);
  CHECK(report.at("runs") == 0);
  const ProgramRun drawn = run(gpu + large, {"--timeline"});
  CHECK(drawn.status == 2);
  CHECK(contains(drawn.err, "the timeline has more than 1000000 blocks"));
}
