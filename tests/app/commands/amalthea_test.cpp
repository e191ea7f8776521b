// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan amalthea: the sample's tasks file, what rta makes of imported tasks, files that are too much, and mutants.
#include <catch2/catch.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/app/run_program.hpp"
#include "tests/frontend/amalthea/small_model.hpp"
#include "tests/paths.hpp"
#include "tests/thinned.hpp"

namespace {

using namespace warpspan::test;
using Json = nlohmann::json;

const std::string sample = warpspan::test::source_dir() + "/samples/rta/tx2_model.amxmi";

// The command on a model of this text.
ProgramRun run(const std::string& text, std::vector<std::string> words = {}) {
  const TemporaryFolder folder;
  write_file(folder.file("m.amxmi"), text);
  words.insert(words.begin(), {"amalthea", "m.amxmi"});
  Surroundings around;
  around.folder = folder.path();
  return run_warpspan(words, around);
}

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// A small model whose kernel is one of samples/saxpy.ptx, which lies beside the model as k.ptx.
std::string model_of_file() {
  SmallModel model;
  model.kernel = property("file", "k.ptx") + property("kernel", "saxpy") + property("block", "256") +
                 property("grid", "4") + property("args", "3=1024");
  model.items = "";
  model.gpu = property("machine", "tx2");
  return model.text();
}

}  // namespace

TEST_CASE("amalthea: the sample's tasks are those in the repository", "[amalthea]") {
  const ProgramRun result = run_warpspan({"amalthea", sample});
  CHECK(result.status == 0);
  CHECK(result.out == read_file(warpspan::test::source_dir() + "/samples/rta/tx2_model.toml"));
  // What is left out is named at its place.
  CHECK(count(result.err, "note: ") == count(result.err, "\n"));
  for (const char* task : {"Lidar_Grabber", "PRE_Detection_gpu_POST", "EKF", "Planner", "DASM"}) {
    CHECK(contains(result.err, ": note: task '" + std::string(task) + "' runs on no GPU: it is left out\n"));
  }
  CHECK(contains(result.err, "tx2_model.amxmi:6:5: note: "));
  CHECK_FALSE(contains(result.err, "error"));
}

TEST_CASE("amalthea: rta bounds the sample's tasks", "[amalthea]") {
  const TemporaryFolder folder;
  const std::string tasks = folder.file("tasks.toml");
  CHECK(run_warpspan({"amalthea", sample, "--output", tasks}).status == 0);
  const ProgramRun result = run_warpspan({"rta", tasks, "--timeline", "--format", "json"});
  INFO(result.err);
  REQUIRE(result.status == 0);
  const Json report = Json::parse(result.out);
  REQUIRE(report.at("tasks").size() == 4);
  const std::vector<std::string> names = {"Detection", "Localization", "Lane_detection", "SFM"};
  for (size_t i = 0; i < names.size(); ++i) {
    const Json& task = report["tasks"][i];
    CHECK(task.at("name") == names[i]);
    CHECK(task.at("verdict") == "meets");
    CHECK(task.at("slowest").get<int64_t>() <= task.at("bound").get<int64_t>());
  }
  const Json& work = report["tasks"][2].at("work");
  CHECK(work.at(0).at("time") == 150'000'000);  // 750 kB at 5 GB/s
  CHECK(work.at(1).at("time") == 150'000'000);  // 195,000 ticks at 1.3 GHz
  CHECK(work.at(3).at("time") == 409'600);      // 16 kibit are 2048 bytes
}

TEST_CASE("amalthea: a runnable can be a kernel of a file, which rta finds from where the tasks file is",
          "[amalthea]") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.file("models/deep"));
  std::filesystem::create_directory(folder.file("tasks"));
  write_file(folder.file("models/deep/m.amxmi"), model_of_file());
  write_file(folder.file("models/deep/k.ptx"), read_file(warpspan::test::source_dir() + "/samples/saxpy.ptx"));
  Surroundings around;
  around.folder = folder.path();
  for (const std::string to : {"tasks/t.toml", "models/deep/t.toml", "t.toml"}) {
    INFO(to);
    const ProgramRun import = run_warpspan({"amalthea", "models/deep/m.amxmi", "--output", to}, around);
    CHECK(import.status == 0);
    CHECK(import.out.empty());
    const ProgramRun bounded = run_warpspan({"rta", to, "--format", "json"}, around);
    INFO(bounded.err);
    REQUIRE(bounded.status == 0);
    CHECK(Json::parse(bounded.out)["tasks"][0]["work"][0].at("cycles").get<int64_t>() > 1000);
  }
  CHECK(contains(read_file(folder.file("tasks/t.toml")), "file = \"../models/deep/k.ptx\""));
  CHECK(contains(run_warpspan({"amalthea", "models/deep/m.amxmi"}, around).out, "file = \"k.ptx\""));
}

TEST_CASE("amalthea: names are kept as they are", "[amalthea]") {
  SmallModel model;
  std::string text = model.text();
  text.replace(text.find("name=\"a\""), 8, "name=\"Spur &quot;\u00e4&quot; \\ &#x4e2d;\"");
  text.replace(text.find("task=\"a?"), 8, "task=\"Spur+%22%C3%A4%22+%5C+%E4%B8%AD?");
  const TemporaryFolder folder;
  write_file(folder.file("m.amxmi"), "\xef\xbb\xbf" + text);
  const ProgramRun import = run_warpspan({"amalthea", folder.file("m.amxmi"), "--output", folder.file("t.toml")});
  INFO(import.err);
  REQUIRE(import.status == 0);
  const Json report = Json::parse(run_warpspan({"rta", folder.file("t.toml"), "--format", "json"}).out);
  CHECK(report["tasks"][0].at("name") == "Spur \"\u00e4\" \\ \u4e2d");
  // A name that a terminal would act on is none of a tasks file.
  text = model.text();
  text.replace(text.find("name=\"a\""), 8, "name=\"a&#10;b\"");
  text.replace(text.find("task=\"a?"), 8, "task=\"a%0Ab?");
  const ProgramRun refused = run(text);
  CHECK(refused.status == 2);
  CHECK(refused.out.empty());
  CHECK(contains(refused.err, "m.amxmi:2:1: error: as a tasks file: "));
}

TEST_CASE("amalthea: what rta would refuse of the tasks is told at its place in the model", "[amalthea]") {
  SmallModel model;
  model.gpu = property("multiprocessors", "2") + "\n" + property("blocks", "0") + property("copy_rate", "1000");
  ProgramRun result = run(model.text());
  CHECK(result.status == 2);
  CHECK(result.out.empty());
  CHECK(contains(result.err, "m.amxmi:17:1: error: as a tasks file: "));
  model = {};
  model.kernel = property("blocks", "8") + property("threads", "256") + property("registers", "32");
  result = run(model.text());
  CHECK(result.status == 2);
  CHECK(contains(result.err, "m.amxmi:10:"));
  CHECK(contains(result.err, "fewer than its threads"));
}

TEST_CASE("amalthea: nothing is written after an error, and old tasks stay", "[amalthea]") {
  const TemporaryFolder folder;
  SmallModel model;
  model.task = "";
  write_file(folder.file("m.amxmi"), model.text());
  write_file(folder.file("t.toml"), "old");
  const ProgramRun result = run_warpspan({"amalthea", folder.file("m.amxmi"), "--output", folder.file("t.toml")});
  CHECK(result.status == 2);
  CHECK(read_file(folder.file("t.toml")) == "old");
  CHECK(folder.files() == 2);
  CHECK(contains(result.err, "m.amxmi:2:1: error: the stream of task 'a' is not told\n"));
  CHECK(contains(result.err, "^\n"));
  // The help works when it is pasted.
  const std::string help = "  help: write ";
  const size_t begin = result.err.find(help) + help.size();
  model.task = result.err.substr(begin, result.err.find(" in the task") - begin);
  CHECK(run(model.text()).status == 0);
}

TEST_CASE("amalthea: wrong use", "[amalthea]") {
  const auto check = [](const std::vector<std::string>& words, const std::string& error) {
    const ProgramRun result = run_warpspan(words);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    INFO(result.err);
    CHECK(contains(result.err, error));
  };
  check({"amalthea"}, "no model is given");
  check({"amalthea", "a.amxmi", "b.amxmi"}, "give one model at a time");
  check({"amalthea", "missing.amxmi"}, "cannot read 'missing.amxmi'");
  check({"amalthea", "samples/saxpy.ptx"}, "samples/saxpy.ptx:1:1: error: XML: ");
  check({"amalthea", "samples/rta/tx2_model.toml"}, "error: XML: ");
  check({"amalthea", sample, "--output", "/no/such/folder/t.toml"}, "cannot write '/no/such/folder/t.toml'");
  Surroundings around;
  around.input = SmallModel().text();
  CHECK(run_warpspan({"amalthea", "-"}, around).status == 0);
}

TEST_CASE("amalthea: entities are not expanded, files not fetched", "[amalthea]") {
  const std::string laughs =
      "<!DOCTYPE a [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'><!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;'>"
      "<!ENTITY d '&c;&c;&c;&c;&c;&c;&c;&c;'><!ENTITY e '&d;&d;&d;&d;&d;&d;&d;&d;'>]>";
  const ProgramRun result = run(laughs + "<a>&e;</a>");
  CHECK(result.status == 2);
  CHECK(result.err.rfind("m.amxmi:1:", 0) == 0);
  CHECK(contains(result.err, ": error: a document type is refused: it may define entities\n"));
  CHECK(count(result.err, "error: ") == 1);
}

TEST_CASE("amalthea: models of a million tasks are soon refused, or read", "[amalthea]") {
  const auto seconds_of = [](const std::string& text, int status, const std::string& error) {
    const auto begin = std::chrono::steady_clock::now();
    const ProgramRun result = run(text);
    CHECK(result.status == status);
    CHECK(contains(result.err, error));
    CHECK(result.err.size() < 100'000);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const auto with_tasks = [](size_t tasks, const std::string& attributes) {
    SmallModel model;
    for (size_t i = 0; i < tasks; ++i)
      model.more_software += "<tasks name=\"t" + std::to_string(i) + "\"" + attributes + "/>\n";
    return model;
  };
  CHECK(seconds_of(with_tasks(1'000'000, "").text(), 2, "the model has more than 1000000 elements") < 30);
  CHECK(seconds_of(with_tasks(1'000'000, " stimuli=\"p?type=PeriodicStimulus\" preemption=\"preemptive\"").text(), 2,
                   "the model is larger than 64 MB") < 30);
  CHECK(seconds_of(with_tasks(900'000, "").text(), 0, "899900 more notes are not shown") < 30);
  SmallModel model = with_tasks(5000, " stimuli=\"p?type=PeriodicStimulus\"");
  for (size_t i = 0; i < 5000; ++i)
    model.allocation +=
        "<taskAllocation task=\"t" + std::to_string(i) + "?type=Task\" scheduler=\"s?type=TaskScheduler\"/>";
  CHECK(seconds_of(model.text(), 2, "5001 tasks are on the GPU") < 30);
}

TEST_CASE("amalthea: mutants of models are refused, or become tasks that rta reads", "[amalthea]") {
  std::mt19937 random(warpspan::test::first_seed(11, 300));
  const auto number = [&random](size_t below) { return static_cast<size_t>(random()) % below; };
  const std::string bases[] = {read_file(sample), SmallModel().text(), model_of_file()};
  const TemporaryFolder folder;
  write_file(folder.file("k.ptx"), read_file(warpspan::test::source_dir() + "/samples/saxpy.ptx"));
  size_t imported = 0;
  for (int i = 0; i < thinned_seeds(300); ++i) {
    std::string text = bases[number(3)];
    for (size_t changes = 1 + number(3); changes > 0; --changes) {
      const size_t at = number(text.size());
      switch (number(4)) {
        case 0: text[at] = static_cast<char>(number(256)); break;
        case 1: text.erase(at, 1 + number(20)); break;
        case 2: text.insert(at, text, number(text.size()), number(80)); break;
        default: {  // a digit, which keeps the text well-formed
          const size_t digit = text.find_first_of("0123456789", at);
          if (digit != std::string::npos) text[digit] = static_cast<char>('0' + number(10));
        }
      }
    }
    write_file(folder.file("m.amxmi"), text);
    std::filesystem::remove(folder.file("t.toml"));
    const ProgramRun import = run_warpspan({"amalthea", folder.file("m.amxmi"), "--output", folder.file("t.toml")});
    INFO("mutant " << i << "\n" << import.err);
    CHECK((import.status == 0 || import.status == 2));
    CHECK(contains(import.err, "error: ") == (import.status == 2));
    CHECK(std::filesystem::exists(folder.file("t.toml")) == (import.status == 0));
    if (import.status != 0) continue;
    ++imported;
    const ProgramRun bounded = run_warpspan({"rta", folder.file("t.toml"), "--runs", "0"});
    INFO(bounded.err);
    CHECK(bounded.status != 4);
    CHECK(bounded.status >= 0);
    CHECK_FALSE(contains(bounded.err, "TOML"));
  }
  CHECK(static_cast<int>(imported) > warpspan::test::or_half(thinned_seeds(30)));
}
