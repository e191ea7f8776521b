// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan rta as a picture and as a page: what they show, whatever the names are, and of runs of any size.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "app/reports/response_times/response_formats.hpp"
#include "tests/app/markup.hpp"
#include "tests/app/run_program.hpp"

namespace {

using namespace warpspan;
using namespace warpspan::test;
using Json = nlohmann::json;

const std::string gpu = "[gpu]\nmultiprocessors = 2\nblocks = 4\n";

std::string task(const std::string& name, const std::string& work, const std::string& more = "") {
  return "[[task]]\nname = \"" + name + "\"\nstream = 1\n" + more + "work = [" + work + "]\n";
}

ProgramRun run(const std::string& tasks, std::vector<std::string> words) {
  const TemporaryFolder folder;
  write_file(folder.file("tasks.toml"), tasks);
  words.insert(words.begin(), {"rta", "tasks.toml"});
  Surroundings around;
  around.folder = folder.path();
  return run_warpspan(words, around);
}

}  // namespace

TEST_CASE("rta: the picture has each block where and when it runs") {
  const ProgramRun picture = run_warpspan({"rta", "samples/rta/tx2.toml", "--format", "svg"});
  REQUIRE(picture.status == 0);
  CHECK(is_well_formed(picture.out));
  const Json report = Json::parse(run_warpspan({"rta", "samples/rta/tx2.toml", "--timeline", "--format", "json"}).out);
  const Json& timeline = report.at("timeline");
  REQUIRE(timeline.at("blocks").size() == 16);
  for (const Json& block : timeline["blocks"]) {
    const size_t job = block.at("job");
    const Json& of_task = report["tasks"][job];  // each has one job
    const std::string words = of_task.at("name").get<std::string>() + ", job 1: kernel of " +
                              of_task["work"][0].at("blocks").dump() + " blocks, block " +
                              std::to_string(block.at("block").get<int>() + 1) + " of " +
                              of_task["work"][0]["blocks"].dump() + ", on multiprocessor " + block.at("place").dump() +
                              ", " + block.at("start").dump() + " to " + block.at("end").dump() + "</title>";
    CHECK(count(picture.out, words) == 1);
    // Of 860 pixels from 200 on, which are 12 units, in hundredths rounded down.
    const int64_t x = 20000 + block["start"].get<int64_t>() * 86000 / 12;
    const std::string at = std::to_string(x / 100) + "." + std::to_string(x % 100 + 100).substr(1);
    const std::string element = picture.out.substr(picture.out.rfind('\n', picture.out.find(words)) + 1, 60);
    CHECK(contains(element, " x=\"" + at + "\" "));
    CHECK(contains(element, "class=\"t" + std::to_string(job) + "\""));
  }
  CHECK(count(picture.out, ", on multiprocessor ") == 16);
  CHECK(count(picture.out, ": released at 0</title><path") == 4);
}

TEST_CASE("rta: a file's name chooses the picture and the page, which are the same each time") {
  const TemporaryFolder folder;
  for (const std::string format : {"svg", "html"}) {
    const ProgramRun named = run_warpspan({"rta", "samples/rta/late.toml", "--output", folder.file("a." + format)});
    CHECK(named.status == 1);
    CHECK(named.out.empty());
    const ProgramRun chosen = run_warpspan({"rta", "samples/rta/late.toml", "--format", format});
    CHECK(chosen.out == read_file(folder.file("a." + format)));
    CHECK(is_well_formed(chosen.out));
    CHECK(count(chosen.out, "<script") == (format == "html" ? 1 : 0));  // its own
    CHECK_FALSE(contains(chosen.out, "url("));
    CHECK(count(chosen.out, "http") == count(chosen.out, "xmlns=\"http://www.w3.org/"));  // nothing is fetched
  }
}

TEST_CASE("rta: the page has what the report has, and the run in which a deadline is missed") {
  const ProgramRun page = run_warpspan({"rta", "samples/rta/late.toml", "--format", "html"});
  const Json report = Json::parse(run_warpspan({"rta", "samples/rta/late.toml", "--explain", "--format", "json"}).out);
  CHECK(contains(page.out, "1 task misses its deadline.</p>"));
  CHECK(contains(page.out, ": misses its deadline at 11 ms by 500 us</title>"));
  CHECK(contains(page.out, "The slowest response found of detect: 11.5 ms, released at 0</title>"));
  CHECK(count(page.out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"timeline\"") == 4);
  size_t terms = 0;
  for (const Json& one : report.at("tasks")) terms += one.at("terms").size();
  CHECK(count(page.out, "\"><title>its own blocks and copies: ") == 3);
  CHECK(count(page.out, "\" height=\"22\"><title>") == terms + 6);  // and six shares of resources
  for (const Json& sentence : report.at("assumptions")) {
    CHECK(contains(page.out, "<li>" + sentence.get<std::string>() + "</li>"));
  }
  CHECK(contains(page.out, "<html lang=\"en\""));
  CHECK(count(page.out, "<table ") == count(page.out, "<caption>") + 1);  // the hash of the tasks file needs none
}

TEST_CASE("rta: any name makes a picture and a page that are well-formed, or a clear error") {
  const std::string work = "{ blocks = 3, time = 5 }";
  std::string tasks = gpu;
  int number = 0;
  const auto add = [&](const std::string& name) {
    tasks += task(name + std::to_string(number++), work, "period = 9000\ndeadline = 2\n");
  };
  for (const char* name : {"</svg>", "</title></svg><script>alert(1)</script>", "<!--", "]]>", "&amp;&bogus;",
                           "'\\\" onload='", "\\uFFFE", "\\uFFFF", "\\U0001F600", "", "?>", "}</style>"}) {
    add(name);
  }
  add(std::string(10'000, 'x'));
  std::string wide;
  for (int i = 0; i < 3000; ++i) wide += "\xf0\x9f\x98\x80";
  add(wide);
  uint32_t state = 11;
  for (int i = 0; i < 40; ++i) {
    std::string name;
    for (int k = 0; k < 30; ++k) {
      state = state * 1664525 + 1013904223;
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04X", 0x3000 + (state >> 12) % 0xA800);
      name += escape;
    }
    add(name);
  }
  for (const char* format : {"svg", "html"}) {
    const ProgramRun made = run(tasks, {"--format", format, "--runs", "20"});
    INFO(made.err);
    CHECK(made.status == 1);
    CHECK(is_well_formed(made.out));
    CHECK(count(made.out, "<script") == (std::string(format) == "html" ? 1 : 0));
    CHECK_FALSE(contains(made.out, "\x1b"));
    CHECK_FALSE(contains(made.out, std::string(1000, 'x')));
    CHECK(count(made.out, "</svg>") == count(made.out, "<svg "));
  }
  for (const char* control : {"\\u0000", "\\u001b[31m", "\\u202e", "\\r\\n", "\\u0085"}) {
    const ProgramRun refused = run(gpu + task(control, work), {"--format", "html"});
    CHECK(refused.status == 2);
    CHECK(refused.out.empty());
    CHECK(contains(refused.err, "error: a control character in "));
  }
  for (const char* broken : {"\xff", "\xc3", "\xed\xa0\x80"}) {
    const ProgramRun refused = run(gpu + task(broken, work), {"--format", "html"});
    CHECK(refused.status == 2);
    CHECK(refused.out.empty());
    CHECK(contains(refused.err, "error: not a TOML file: "));
  }
}

TEST_CASE("rta: names that no tasks file can hold make well-formed pictures and pages, too") {
  namespace rt = solver::response_times;
  uint32_t state = 3;
  for (int round = 0; round < 60; ++round) {
    std::string bytes;
    for (int i = 0; i < 60; ++i) {
      state = state * 1664525 + 1013904223;
      bytes += i % 7 == 0 ? "<&>\"'\x1b/"[(state >> 9) % 7] : static_cast<char>(state >> 13);
    }
    app::ResponseReport report;
    report.file = report.machine = bytes;
    report.workload.gpu.capacity = {4, 0, 0, 0};
    rt::Task task;
    task.name = bytes;
    task.deadline = 3;
    task.operations = {rt::Kernel{6, 2, {1, 0, 0, 0}}, rt::Copy{}};
    report.workload.tasks = {task};
    report.tasks.resize(1);
    report.tasks[0].bound = 5;
    report.tasks[0].terms = {{0, rt::Reason::ahead, 5}};
    report.tasks[0].bounded = {{0, bytes, bytes, 2}};
    report.assumptions = {bytes};
    const std::vector<rt::Release> releases = {{0, 0}, {0, 1}};
    rt::RunOptions options;
    options.keep_blocks = true;
    const auto run = rt::simulate(report.workload, releases, options);
    REQUIRE(run);
    report.timeline = app::Timeline{releases, *run};
    report.tasks[0].slowest_run = app::SlowestRun{*report.timeline, 1};
    report.tasks[0].slowest = run->finish[1] - 1;
    for (const std::string& text : {app::to_svg(report), app::to_html(report)}) {
      INFO(text.substr(0, 300));
      CHECK(is_well_formed(text));
      CHECK_FALSE(contains(text, "\x1b"));
    }
  }
}

TEST_CASE("rta: a large run makes a picture of moderate size, which says what is joined and left out") {
  const std::string many = task("many", "{ blocks = 100_000, time = 3 }", "deadline = 9000\n");
  const ProgramRun dense = run(gpu + many, {"--format", "svg", "--runs", "5"});
  CHECK(dense.status == 1);
  CHECK(dense.out.size() < 1'000'000);
  CHECK(contains(dense.out, "100,000 jobs, blocks and copies are too short for bars of their own"));
  CHECK(contains(dense.out, ": misses its deadline at 9,000 by 28,500</title>"));
  const ProgramRun wide = run("[gpu]\nmultiprocessors = 70\nblocks = 1\n" + many, {"--format", "svg", "--runs", "5"});
  CHECK(contains(wide.out, "22 more rows of blocks on multiprocessors are not shown"));
  CHECK(is_well_formed(wide.out));
  std::string tasks = gpu;
  for (int i = 0; i < 40; ++i) {
    const std::string deadline = i == 39 ? "deadline = 1\n" : "";
    tasks += task("n" + std::to_string(i), "{ blocks = 1, time = 3 }", deadline);
  }
  CHECK(contains(run(tasks, {"--format", "svg", "--runs", "5"}).out,
                 "jobs of 8 more tasks are not shown; 1 of them miss a deadline"));
  const std::string too_large = gpu + task("huge", "{ blocks = 3_000_000, time = 1000 }");
  const ProgramRun refused = run(too_large, {"--format", "svg", "--runs", "5"});
  CHECK(refused.status == 2);
  CHECK(contains(refused.err, "the timeline has more than 1000000 blocks"));
  const ProgramRun page = run(too_large, {"--format", "html", "--runs", "5"});
  CHECK(page.status == 0);
  CHECK(contains(page.out, "<p>the timeline has more than 1000000 blocks.</p>"));
}
