// SPDX-License-Identifier: GPL-3.0-or-later
// What elements of a model become, and what is refused, in the spellings of all versions.
#include "frontend/amalthea/gpu_tasks.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "tests/frontend/amalthea/small_model.hpp"

using namespace warpspan;
using namespace warpspan::amalthea;

namespace {

using test::access;
using test::call;
using test::property;
using test::SmallModel;
using test::ticks;
using test::time;

std::string text_of(const Value& value) {
  struct Text {
    std::string operator()(int64_t number) const { return std::to_string(number); }
    std::string operator()(bool truth) const { return truth ? "true" : "false"; }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(const Path& path) const { return "path " + path.text; }
    std::string operator()(Picoseconds time) const { return std::to_string(time.value) + "ps"; }
    std::string operator()(const std::vector<int64_t>& numbers) const {
      std::string text;
      for (const int64_t number : numbers) text += std::to_string(number) + "/";
      return text;
    }
    std::string operator()(const Pairs& pairs) const {
      std::string text;
      for (const auto& [name, to] : pairs) text += name + ":" + to + "/";
      return text;
    }
    std::string operator()(const std::vector<std::string>& texts) const {
      std::string text;
      for (const std::string& one : texts) text += one + "/";
      return text;
    }
  };
  return std::visit(Text(), value);
}

std::string text_of(const std::vector<Entry>& entries) {
  std::string text;
  for (const Entry& entry : entries) text += (text.empty() ? "" : " ") + entry.key + "=" + text_of(entry.value);
  return text;
}

struct Outcome {
  std::string tasks;  // a line for the GPU, each task and each operation
  std::vector<std::string> errors, notes;
};

Outcome outcome_of(const std::string& text) {
  const support::SourceFile file("m.amxmi", text);
  Outcome outcome;
  const auto keep = [&outcome](const support::Diagnostics& all) {
    for (const support::Diagnostic& one : all) {
      CHECK(one.cause == support::Cause::usage);
      auto& to = one.severity == support::Severity::error ? outcome.errors : outcome.notes;
      to.push_back(std::to_string(one.location.line) + ": " + one.message);
    }
  };
  const auto model = read_model(file);
  if (!model) {
    keep(model.errors());
    return outcome;
  }
  const auto tasks = gpu_tasks(file, *model);
  if (!tasks) {
    keep(tasks.errors());
    return outcome;
  }
  keep(tasks->notes);
  outcome.tasks = "gpu " + text_of(tasks->gpu) + "\n";
  for (const GpuTask& task : tasks->tasks) {
    outcome.tasks += "task " + text_of(task.entries) + "\n";
    for (const Operation& one : task.work) outcome.tasks += "  " + text_of(one.entries) + "\n";
  }
  return outcome;
}

std::string tasks_of(const std::string& text) {
  const Outcome outcome = outcome_of(text);
  for (const std::string& error : outcome.errors) UNSCOPED_INFO(error);
  CHECK(outcome.errors.empty());
  return outcome.tasks;
}

// The operations alone.
std::string work_of(const SmallModel& model) {
  const std::string tasks = tasks_of(model.text());
  const size_t work = tasks.find("\n  ");
  return work == std::string::npos ? tasks : tasks.substr(work + 1);
}

// The one error.
std::string error_of(const std::string& text) {
  const Outcome outcome = outcome_of(text);
  INFO(outcome.tasks);
  REQUIRE_FALSE(outcome.errors.empty());
  for (const std::string& error : outcome.errors) UNSCOPED_INFO(error);
  CHECK(outcome.errors.size() == 1);
  return outcome.errors.front();
}
std::string error_of(const SmallModel& model) { return error_of(model.text()); }

const std::string small_tasks =
    "gpu multiprocessors=2 blocks=4 copy_rate=1000\n"
    "task name=a stream=1 period=10000000000ps\n"
    "  copy=to-device bytes=1024\n"
    "  blocks=8 time=1000000ps\n"
    "  copy=to-host bytes=5\n";

std::string runnable(const std::string& name, const std::string& inner) {
  return "<runnables name=\"" + name + "\">" + inner + "</runnables>";
}

std::string graph(const std::string& items) { return "<activityGraph>" + items + "</activityGraph>"; }

}  // namespace

TEST_CASE("a task of a GPU becomes a task with copies around its kernel") {
  const Outcome outcome = outcome_of(SmallModel().text());
  CHECK(outcome.errors.empty());
  CHECK(outcome.notes.empty());
  CHECK(outcome.tasks == small_tasks);
}

TEST_CASE("all versions of APP4MC say the same in their own words") {
  for (const char* version : {"0.9.0", "0.9.3", "0.9.9", "1.0.0", "1.2.0", "2.2.0", "3.3.0"}) {
    SmallModel model;
    model.version = version;
    CHECK(tasks_of(model.text()) == small_tasks);
  }
  const std::string accesses[] = {
      "<runnableItems xsi:type=\"am:LabelAccess\" data=\"in?type=Label\" access=\"read\"/>",
      "<runnableItems xsi:type=\"am:LabelAccess\" data=\"out?type=Label\" access=\"write\"/>"};
  const std::string ipc =
      "<featureCategories name=\"Instructions\" featureType=\"performance\"><features name=\"IPC_2\" value=\"2.0\"/>"
      "</featureCategories>";
  const std::string older_ipc =
      "<features name=\"IPC\" featureType=\"performance\"><value xsi:type=\"am:DoubleObject\" "
      "value=\"2.0\"/></features>";
  const auto older = [&](const std::string& graph_of_task, const std::string& execution) {
    std::string text = SmallModel().text();
    const auto replace = [&text](const std::string& from, const std::string& to) {
      const size_t at = text.find(from);
      REQUIRE(at != std::string::npos);
      text.replace(at, from.size(), to);
    };
    replace("<activityGraph>\n" + call("kernel") + "\n</activityGraph>", graph_of_task);
    replace("<activityGraph>\n" + SmallModel().items + "\n</activityGraph>", accesses[0] + execution + accesses[1]);
    replace("1.0.0", "0.9.2");
    return text;
  };
  const std::string sequence =
      "<callGraph><graphEntries xsi:type=\"am:CallSequence\" name=\"c\"><calls xsi:type=\"am:TaskRunnableCall\" "
      "runnable=\"kernel?type=Runnable\"/></graphEntries></callGraph>";
  CHECK(tasks_of(older(sequence,
                       "<runnableItems xsi:type=\"am:Ticks\"><default xsi:type=\"am:DiscreteValueUniform"
                       "Distribution\" lowerBound=\"1\" upperBound=\"1000\"/></runnableItems>")) == small_tasks);
  // Instructions become ticks by what the definition refers to.
  const auto with_rate = [](std::string text, const std::string& feature, const std::string& reference) {
    text.replace(text.find("puType"), 0, "features=\"" + reference + "?type=HwFeature\" ");
    return text.replace(text.find("</hwModel>"), 0, feature);
  };
  for (const std::string need :
       {"<runnableItems xsi:type=\"am:ExecutionNeed\"><default key=\"Instructions\"><value "
        "xsi:type=\"am:NeedDeviation\">"
        "<deviation><lowerBound xsi:type=\"am:LongObject\" value=\"1\"/><upperBound xsi:type=\"am:LongObject\" "
        "value=\"2000\"/></deviation></value></default></runnableItems>",
        "<runnableItems xsi:type=\"am:ExecutionNeed\"><needs key=\"Instructions\"><value "
        "xsi:type=\"am:DiscreteValueConstant\" value=\"2000\"/></needs></runnableItems>",
        "<runnableItems xsi:type=\"am:RunnableInstructions\"><default xsi:type=\"am:InstructionsDeviation\"><deviation>"
        "<lowerBound xsi:type=\"am:LongObject\" value=\"1\"/><upperBound xsi:type=\"am:LongObject\" value=\"2000\"/>"
        "</deviation></default></runnableItems>",
        "<runnableItems xsi:type=\"am:RunnableInstructions\"><default xsi:type=\"am:InstructionsConstant\" "
        "value=\"2000\"/></runnableItems>"}) {
    INFO(need);
    CHECK(tasks_of(with_rate(older(sequence, need), ipc, "Instructions/IPC_2")) == small_tasks);
    CHECK(tasks_of(with_rate(older(sequence, need), older_ipc, "IPC")) == small_tasks);
    const std::string error = error_of(older(sequence, need));
    CHECK(error.find("how many instructions 'G' does in a tick is not told") != std::string::npos);
  }
  SmallModel references;  // as elements, in groups, with names that had to be encoded
  references.task_attributes = "";
  references.task += "<stimuli xsi:type=\"am:PeriodicStimulus\" href=\"amlt:/#p+%C3%A9?type=PeriodicStimulus\"/>";
  references.calls =
      "<items xsi:type=\"am:Group\" name=\"g\" ordered=\"true\"><items xsi:type=\"am:RunnableCall\"><runnable "
      "href=\"amlt:/#kernel?type=Runnable\"/></items></items>";
  references.stimuli = test::stimulus("p \u00e9", "PeriodicStimulus", time("recurrence", "10", "ms"));
  CHECK(tasks_of(references.text()) == small_tasks);
}

TEST_CASE("the most ticks count, those of the GPU before the default") {
  const auto time_of = [](const std::string& execution) {
    SmallModel model;
    model.items = execution;
    const std::string work = work_of(model);
    return work.substr(work.find("time=") + 5);
  };
  const auto one = [](const std::string& deviation) {
    return "<items xsi:type=\"am:Ticks\">" + deviation + "</items>";
  };
  const std::string own =
      "<extended key=\"G?type=ProcessingUnitDefinition\"><value xsi:type=\"am:DiscreteValueConstant\" "
      "value=\"7\"/></extended>";
  CHECK(time_of(ticks("3")) == "3000ps\n");
  CHECK(time_of(one("<default xsi:type=\"am:DiscreteValueConstant\" value=\"9\"/>" + own)) == "7000ps\n");
  CHECK(time_of(one(own)) == "7000ps\n");
  CHECK(time_of(one("<default xsi:type=\"am:DiscreteValueGaussDistribution\" mean=\"4.0\" sd=\"1.0\" "
                    "lowerBound=\"1\" upperBound=\"8\"/>")) == "8000ps\n");
  CHECK(time_of(one("<default xsi:type=\"am:DiscreteValueHistogram\"><entries occurrences=\"1\" lowerBound=\"1\" "
                    "upperBound=\"5\"/><entries occurrences=\"9\" lowerBound=\"1\" upperBound=\"4\"/></default>")) ==
        "5000ps\n");
  const auto refused = [&](const std::string& execution) {
    SmallModel model;
    model.items = execution;
    return error_of(model);
  };
  CHECK(refused(one("<default xsi:type=\"am:DiscreteValueGaussDistribution\" mean=\"4.0\" sd=\"1.0\"/>")) ==
        "10: the most that runnable 'kernel' takes is not told by 'DiscreteValueGaussDistribution'");
  CHECK(refused(one("<default xsi:type=\"am:SomethingNew\" upperBound=\"4\"/>")) ==
        "10: the most that runnable 'kernel' takes is not told by 'SomethingNew'");
  CHECK(refused(one("")) == "10: runnable 'kernel' has no ticks for 'G', and no default");
  CHECK(refused(ticks("0")) == "10: runnable 'kernel' takes no ticks");
  CHECK(refused(ticks("-5")) == "10: the most that runnable 'kernel' takes is not told by 'DiscreteValueConstant'");
  CHECK(refused(ticks("9223372036854775807")) == "10: runnable 'kernel' takes more than 2^63 picoseconds");
  CHECK(refused(one(own + own)) == "10: ticks for the same are told twice");
  CHECK(refused(one("<extended key=\"H?type=ProcessingUnitDefinition\"><value xsi:type=\"am:DiscreteValueConstant\" "
                    "value=\"7\"/></extended>" +
                    own)) == "10: 'H?type=ProcessingUnitDefinition' is not in the model");
  CHECK(refused(ticks("1") + ticks("1")) == "7: runnable 'kernel' has several executions, and a kernel is one");
  CHECK(refused("<items xsi:type=\"am:Ticks\" bonus=\"1\"><default xsi:type=\"am:DiscreteValueConstant\" "
                "value=\"7\"/></items>") == "10: attribute 'bonus' of 'Ticks' in runnable 'kernel' is not understood");
}

TEST_CASE("the slowest frequency of the GPU counts") {
  SmallModel model;
  model.clock += "<possibleValues value=\"0.5\" unit=\"GHz\"/><possibleValues value=\"2000.0\" unit=\"MHz\"/>";
  const Outcome outcome = outcome_of(model.text());
  CHECK(outcome.tasks.find("time=2000000ps") != std::string::npos);
  CHECK(outcome.notes ==
        std::vector<std::string>{
            "19: frequency domain 'clock' has several frequencies: ticks are taken at the slowest, 0.5 GHz"});
  model.clock = "<defaultValue value=\"0.0\" unit=\"GHz\"/>";
  CHECK(error_of(model) == "20: '0.0 GHz' is no frequency");
  model.clock = "<defaultValue value=\"1.0\" unit=\"rpm\"/>";
  CHECK(error_of(model) == "20: '1.0 rpm' is no frequency");
  model.clock = "";
  CHECK(error_of(model) == "19: frequency domain 'clock' has no frequency");
  model.unit_attributes = "";
  CHECK(error_of(model) == "18: the frequency domain of processing unit 'gpu' is missing");
}

TEST_CASE("releases are as far apart as the stimulus says at least") {
  const auto task_of = [](const std::string& type, const std::string& inner) {
    SmallModel model;
    model.stimuli = test::stimulus("p", type, inner);
    const std::string tasks = tasks_of(model.text());
    const size_t begin = tasks.find("stream=1") + 8;
    return tasks.substr(begin, tasks.find('\n', begin) - begin);
  };
  const std::string recurrence = time("recurrence", "10", "us");
  const std::string jitter = "<jitter xsi:type=\"am:TimeBoundaries\">" + time("lowerBound", "1", "us") +
                             time("upperBound", "4", "us") + "</jitter>";
  CHECK(task_of("PeriodicStimulus", recurrence) == " period=10000000ps");
  CHECK(task_of("PeriodicStimulus", time("offset", "3", "ns") + recurrence) == " offset=3000ps period=10000000ps");
  CHECK(task_of("PeriodicStimulus", recurrence + jitter) == " period=7000000ps");
  CHECK(task_of("PeriodicStimulus", recurrence + jitter + time("minDistance", "8", "us")) == " period=8000000ps");
  CHECK(task_of("PeriodicStimulus", recurrence + jitter + time("minDistance", "2", "us")) == " period=7000000ps");
  CHECK(task_of("PeriodicStimulus", recurrence + "<jitter xsi:type=\"am:TimeConstant\">" + time("value", "4", "us") +
                                        "</jitter>") == " period=10000000ps");
  CHECK(task_of("PeriodicStimulus", recurrence + "<jitter xsi:type=\"am:TimeHistogram\"><entries>" +
                                        time("lowerBound", "2", "us") + time("upperBound", "3", "us") +
                                        "</entries><entries>" + time("lowerBound", "1", "us") +
                                        time("upperBound", "2", "us") + "</entries></jitter>") == " period=8000000ps");
  CHECK(task_of("RelativePeriodicStimulus", "<nextOccurrence xsi:type=\"am:TimeBoundaries\">" +
                                                time("lowerBound", "6", "us") + time("upperBound", "9", "us") +
                                                "</nextOccurrence>") == " period=6000000ps");
  CHECK(task_of("SingleStimulus", time("occurrence", "6", "us")) == " offset=6000000ps");

  const auto refused = [](const std::string& type, const std::string& inner) {
    SmallModel model;
    model.stimuli = test::stimulus("p", type, inner);
    return error_of(model);
  };
  CHECK(refused("PeriodicStimulus", "") == "24: the recurrence of stimulus 'p' is missing");
  CHECK(refused("PeriodicStimulus", time("recurrence", "0", "ms")) ==
        "24: the recurrence of stimulus 'p' has to be more than 0");
  CHECK(refused("PeriodicStimulus", time("recurrence", "1.5", "ms")) ==
        "24: the recurrence of stimulus 'p' '1.5 ms' is no time");
  CHECK(refused("PeriodicStimulus", time("recurrence", "3", "us") + jitter) ==
        "24: the jitter of stimulus 'p' lets two releases fall together");
  CHECK(refused("PeriodicStimulus", recurrence + "<jitter xsi:type=\"am:TimeGaussDistribution\" sd=\"1\"/>") ==
        "24: the upper bound of the jitter of stimulus 'p' is missing");
  CHECK(refused("PeriodicStimulus", recurrence + "<drift/>") ==
        "24: element 'drift' of stimulus 'p' is not understood");
  for (const char* type : {"InterProcessStimulus", "EventStimulus", "ArrivalCurveStimulus", "CustomStimulus"}) {
    CHECK(refused(type, "").find("2: task 'a' is released by a stimulus of type '" + std::string(type) + "'") == 0);
  }
  SmallModel model;
  model.stimuli = test::stimulus("p", "InterProcessStimulus", "");
  model.task += property("period", "1.5 ms");
  CHECK(tasks_of(model.text()).find(" period=1500000000ps") != std::string::npos);
  model.stimuli = SmallModel().stimuli;
  CHECK(error_of(model) == "3: task 'a' has a period in its stimulus 'p' as well");
  model.task = property("stream", "1") + property("period", "0 ms");
  model.stimuli = test::stimulus("p", "InterProcessStimulus", "");
  CHECK(error_of(model) == "3: 'warpspan.period' has to be a time, such as \"33 ms\"");
  model = {};
  model.task_attributes = "";
  CHECK(error_of(model) == "2: task 'a' has no stimulus: when it is released is not told");
  model.task_attributes = "stimuli=\"p?type=PeriodicStimulus p?type=PeriodicStimulus\"";
  CHECK(error_of(model) == "2: task 'a' has 2 stimuli");
  model.task_attributes = "stimuli=\"q?type=PeriodicStimulus\"";
  CHECK(error_of(model) == "2: 'q?type=PeriodicStimulus' is not in the model");
}

TEST_CASE("the least upper limit of a response time is the deadline") {
  const auto requirement = [](const std::string& limit, const std::string& metric, const std::string& value) {
    return "<requirements xsi:type=\"am:ProcessRequirement\" name=\"r\" process=\"a?type=Task\"><limit "
           "xsi:type=\"am:TimeRequirementLimit\" limitType=\"" +
           limit + "\" metric=\"" + metric + "\">" + time("limitValue", value, "ms") + "</limit></requirements>";
  };
  SmallModel model;
  model.constraints = requirement("UpperLimit", "ResponseTime", "9") + requirement("UpperLimit", "ResponseTime", "8") +
                      requirement("LowerLimit", "ResponseTime", "2") + requirement("UpperLimit", "Lateness", "1");
  const Outcome outcome = outcome_of(model.text());
  CHECK(outcome.tasks.find(" deadline=8000000000ps\n") != std::string::npos);
  CHECK(outcome.notes ==
        std::vector<std::string>(
            2, "26: requirement 'r' of task 'a' is no upper limit of a response time: it is left out"));
  model.constraints = requirement("UpperLimit", "ResponseTime", "0");
  CHECK(error_of(model) == "26: the limit of requirement 'r' has to be more than 0");
}

TEST_CASE("a copy reads a label on one side and writes it on the other") {
  const auto work = [](const std::string& items, const std::string& labels) {
    SmallModel model;
    model.items = items;
    model.labels = labels;
    return work_of(model);
  };
  const auto label = [](const std::string& name, const std::string& bytes, const std::string& inner = "") {
    return "<labels name=\"" + name + "\">" + inner + "<size value=\"" + bytes + "\" unit=\"byte\"/></labels>";
  };
  const std::string four = label("h", "10") + label("d", "10") + label("x", "20") + label("y", "20");
  const std::string kernel = "  blocks=8 time=1000ps\n";
  CHECK(work(access("h", "read") + access("x", "read") + ticks("1"), four) ==
        "  copy=to-device bytes=10\n  copy=to-device bytes=20\n" + kernel);
  CHECK(work(access("h", "read") + access("d", "write") + ticks("1") + access("x", "read") + access("y", "write"),
             four) == "  copy=to-device bytes=10\n" + kernel + "  copy=to-host bytes=20\n");
  CHECK(work(access("h", "read") + access("x", "read") + access("d", "write") + access("y", "write") + ticks("1"),
             four) == "  copy=to-device bytes=10\n  copy=to-device bytes=20\n" + kernel);
  // What stays on the GPU is not copied.
  const std::string kept = label("h", "10") + label("d", "10", property("memory", "device")) + label("x", "20");
  CHECK(work(access("h", "read") + access("d", "read") + ticks("1") + access("d", "write"), kept) ==
        "  copy=to-device bytes=10\n" + kernel);
  CHECK(work(access("h", "read") + access("d", "write") + ticks("1") + access("d", "read") + access("h", "write"),
             kept) == "  copy=to-device bytes=10\n" + kernel + "  copy=to-host bytes=10\n");

  const auto refused = [&](const std::string& items, const std::string& labels) {
    SmallModel model;
    model.items = items;
    model.labels = labels;
    return error_of(model);
  };
  CHECK(refused(access("h", "read") + access("x", "write") + ticks("1"), four) ==
        "10: a copy of label 'h' (10 bytes) to label 'x' (20 bytes)");
  CHECK(refused(access("h", "read") + access("d", "read") + access("x", "write") + ticks("1"), four) ==
        "10: 2 labels are read and 1 written for copies: which belong together is not told");
  CHECK(refused(access("h", "read") + ticks("1"), "<labels name=\"h\"/>") ==
        "13: label 'h' has no size, and is copied in line 10");
  CHECK(refused(access("h", "read") + ticks("1"), label("h", "0")) == "13: '0 byte' is no size of a copy");
  CHECK(refused(access("h", "read") + ticks("1"), four + label("h", "1")) ==
        "13: a label 'h' is there twice, first in line 13");
  CHECK(refused(access("q", "read") + ticks("1"), four) == "10: 'q?type=Label' is not in the model");
  CHECK(refused(access("h", "_undefined_") + ticks("1"), four) ==
        "10: 'LabelAccess' in runnable 'kernel' is not understood on a GPU");
  CHECK(refused("<items xsi:type=\"am:LabelAccess\" data=\"h?type=Label\" access=\"read\"><statistic/></items>" +
                    ticks("1"),
                four) == "10: element 'statistic' of 'LabelAccess' in runnable 'kernel' is not understood");
  SmallModel model;
  model.gpu = property("multiprocessors", "2");
  CHECK(error_of(model) == "15: labels are copied, and how fast the GPU copies is not told");
}

TEST_CASE("runnables of copies alone are before all kernels or behind all, or say where they are") {
  SmallModel model;
  model.items = ticks("1");
  model.more_software = runnable("up", graph(access("in", "read"))) + runnable("down", graph(access("out", "write")));
  model.calls = call("up") + call("kernel") + call("kernel") + call("down");
  CHECK(work_of(model) ==
        "  copy=to-device bytes=1024\n  blocks=8 time=1000ps\n  blocks=8 time=1000ps\n  copy=to-host bytes=5\n");
  model.calls = call("kernel") + call("down") + call("kernel");
  CHECK(error_of(model).find("12: label accesses in runnable 'down', and kernels before and behind them in task 'a'") ==
        0);
  for (const auto& [value, work] : std::vector<std::pair<std::string, std::string>>{
           {"to-host", "  copy=to-host bytes=5\n"}, {"to-device", "  copy=to-device bytes=5\n"}, {"none", ""}}) {
    model.more_software = runnable("down", property("copy", value) + graph(access("out", "write")));
    CHECK(work_of(model) == "  blocks=8 time=1000ps\n" + work + "  blocks=8 time=1000ps\n");
  }
  model.more_software = runnable("down", property("copy", "up") + graph(access("out", "write")));
  CHECK(error_of(model) == "12: 'warpspan.copy' has to be to-device, to-host or none");
  model.more_software = runnable("up", property("copy", "to-device") + graph(access("in", "read")));
  model.calls = call("up");
  CHECK(work_of(model) == "  copy=to-device bytes=1024\n");
}

TEST_CASE("runnables that call others are followed, and circles refused") {
  SmallModel model;
  model.more_software = runnable("b", graph(call("kernel") + call("c"))) + runnable("c", graph(call("kernel")));
  model.calls = call("b");
  model.items = ticks("1");
  CHECK(work_of(model) == "  blocks=8 time=1000ps\n  blocks=8 time=1000ps\n");
  model.more_software = runnable("b", graph(call("c"))) + runnable("c", graph(call("b")));
  CHECK(error_of(model) == "12: runnable 'b' calls itself, here or through others");
  std::string chain;
  for (int i = 0; i < 100; ++i)
    chain += runnable("c" + std::to_string(i), graph(call(i == 99 ? "kernel" : "c" + std::to_string(i + 1))));
  model.more_software = chain;
  model.calls = call("c0");
  CHECK(error_of(model) == "12: calls from runnable 'c62' are more than 64 deep");
  std::string doubled;
  for (int i = 0; i < 40; ++i) {
    const std::string next = i == 39 ? "kernel" : "c" + std::to_string(i + 1);
    doubled += runnable("c" + std::to_string(i), graph(call(next) + call(next)));
  }
  model.more_software = doubled;
  CHECK(error_of(model).find("12: the tasks on the GPU have more than 100000 steps") == 0);
  model = {};
  model.calls = call("nothing");
  CHECK(error_of(model) == "5: 'nothing?type=Runnable' is not in the model");
}

TEST_CASE("work that is no fixed list is refused") {
  for (const char* type : {"ProbabilitySwitch", "ModeSwitch", "WaitEvent", "SemaphoreAccess", "ChannelSend",
                           "ModeLabelAccess", "SchedulePoint", "WhileLoop"}) {
    SmallModel model;
    model.calls += "<items xsi:type=\"am:" + std::string(type) + "\"/>";
    CHECK(error_of(model) == "5: '" + std::string(type) + "' in task 'a' is not understood on a GPU");
  }
  SmallModel model;
  model.calls = "<items xsi:type=\"am:Group\" ordered=\"false\">" + call("kernel") + "</items>";
  CHECK(error_of(model) == "5: 'Group' in task 'a' is not understood on a GPU");
  model = {};
  model.calls += ticks("1");
  CHECK(error_of(model) == "5: task 'a' has ticks of its own, and nothing tells its blocks");
  model = {};
  model.calls =
      "<items xsi:type=\"am:RunnableCall\" runnable=\"kernel?type=Runnable\"><counter prescaler=\"2\"/></items>";
  CHECK(error_of(model) == "5: element 'counter' of 'RunnableCall' in task 'a' is not understood");
  model = {};
  model.task += "<localLabels name=\"l\"/>";
  CHECK(error_of(model) == "3: element 'localLabels' of task 'a' is not understood");
}

TEST_CASE("kernels of files have the keys of a launch") {
  SmallModel model;
  model.kernel = property("file", "k.ptx") + property("kernel", "saxpy") + property("block", "16,16") +
                 property("grid", "4") + property("args", "3=1024, s+8:4=0xff") +
                 property("loop_bounds", "k.cu:12=64") + property("buffers", "x=4096") +
                 property("assume", "keeps-constants, warm-code") + property("facts", "k.toml") +
                 property("registers", "32") + property("shared", "0");
  model.items = "";
  CHECK(work_of(model) ==
        "  file=path k.ptx kernel=saxpy block=16/16/ grid=4/ args=3:1024/s+8:4:0xff/ loop_bounds=k.cu:12:64/ "
        "buffers=x:4096/ registers=32 shared=0 assume=keeps-constants/warm-code/ facts=path k.toml\n");
  model.items = access("in", "read");
  CHECK(error_of(model) == "7: where in runnable 'kernel' its kernel runs is not told");
  model.items = access("in", "read") + ticks("5");
  const Outcome outcome = outcome_of(model.text());
  CHECK(outcome.errors.empty());
  CHECK(outcome.notes == std::vector<std::string>{
                             "10: the ticks of runnable 'kernel' are not used: its kernel is bounded from its file"});
  model.items = "";
  model.kernel = property("file", "k.ptx");
  CHECK(error_of(model) == "7: runnable 'kernel' is a kernel, and how many blocks it has is not told");
  model.kernel = property("file", "k.ptx") + property("grid", "4") + property("blocks", "4");
  CHECK(error_of(model) == "8: runnable 'kernel' is a kernel of a file, and has 'warpspan.blocks'");
  for (const char* grid : {"", "4,", "a", "1,2,3,4", "4;4", "-1"}) {
    model.kernel = property("file", "k.ptx") + property("grid", grid);
    CHECK(error_of(model) ==
          "8: 'warpspan.grid' of runnable 'kernel' has to be one to three numbers, such as \"16,16\"");
  }
  for (const char* args : {"3", "=3", "3=", "3=1,3=2", ","}) {
    model.kernel = property("file", "k.ptx") + property("grid", "4") + property("args", args);
    CHECK(error_of(model).find("8: 'warpspan.args' of runnable 'kernel' has to be names with values") == 0);
  }
}

TEST_CASE("what decides a response time and is missing is asked for") {
  SmallModel model;
  model.kernel = "";
  CHECK(error_of(model) == "10: runnable 'kernel' is a kernel, and how many blocks it has is not told");
  model = {};
  model.task = "";
  CHECK(error_of(model) == "2: the stream of task 'a' is not told");
  model = {};
  model.gpu = "";
  CHECK(error_of(model) == "15: how many blocks the GPU 'G' holds is not told");
  model = {};
  model.items = "";
  CHECK(error_of(model) == "7: runnable 'kernel' has blocks, and no ticks that tell the time of one");
  model = {};
  model.allocation =
      "<taskAllocation task=\"a?type=Task\" scheduler=\"s?type=TaskScheduler\"><schedulingParameters priority=\"3\"/>"
      "</taskAllocation>";
  CHECK(error_of(model) == "28: what scheduling parameters of task 'a' mean for a stream of the GPU is not told");
  model.task += property("priority", "-3");
  CHECK(tasks_of(model.text()).find("stream=1 priority=-3") != std::string::npos);
}

TEST_CASE("tasks are on the GPU by their scheduler; others are left out, and named") {
  const std::string host =
      "<definitions xsi:type=\"am:ProcessingUnitDefinition\" name=\"C\" puType=\"CPU\"/><structures "
      "name=\"x\"><modules "
      "xsi:type=\"am:ProcessingUnit\" name=\"cpu\" definition=\"C?type=ProcessingUnitDefinition\"/></structures>";
  const std::string other_task = "<tasks name=\"b\"><activityGraph>" + call("work") + "</activityGraph></tasks>" +
                                 runnable("work", graph(ticks("5") + "<items xsi:type=\"am:Anything\"/>"));
  SmallModel model;
  model.more_hardware = host;
  model.more_software = other_task;
  Outcome outcome = outcome_of(model.text());
  CHECK(outcome.tasks == small_tasks);
  CHECK(outcome.notes == std::vector<std::string>{"12: task 'b' is allocated to nothing: it is left out"});
  std::string text = model.text();
  text.replace(text.find("</operatingSystems>"), 0, "<taskSchedulers name=\"t\"/>");
  const std::string to_host =
      "<schedulerAllocation scheduler=\"t?type=TaskScheduler\" responsibility=\"cpu?type=ProcessingUnit\"/>"
      "<taskAllocation task=\"b?type=Task\" scheduler=\"t?type=TaskScheduler\"/>";
  text.replace(text.find("</mappingModel>"), 0, to_host);
  outcome = outcome_of(text);
  CHECK(outcome.tasks == small_tasks);
  CHECK(outcome.notes == std::vector<std::string>{"12: task 'b' runs on no GPU: it is left out"});

  const auto changed = [&text](const std::string& from, const std::string& to) {
    std::string result = text;
    REQUIRE(result.find(from) != std::string::npos);
    return result.replace(result.find(from), from.size(), to);
  };
  CHECK(error_of(changed(call("work"), call("kernel"))) ==
        "12: task 'b' runs on no GPU, and calls 'kernel?type=Runnable', which belongs to one");
  CHECK(
      error_of(changed(call("work"), "<items xsi:type=\"am:ProbabilitySwitch\"><entries><items xsi:type=\"am:Group\">" +
                                         call("kernel") + "</items></entries></items>")) ==
      "12: task 'b' runs on no GPU, and calls 'kernel?type=Runnable', which belongs to one");
  CHECK(error_of(changed("<tasks name=\"b\">", "<tasks name=\"b\">" + property("stream", "2"))) ==
        "12: task 'b' runs on no GPU, and has 'warpspan.stream'");
  CHECK(error_of(changed("responsibility=\"gpu?type=ProcessingUnit\"",
                         "responsibility=\"gpu?type=ProcessingUnit cpu?type=ProcessingUnit\""))
            .find("a GPU and something else together serve the same tasks") != std::string::npos);
  CHECK(error_of(changed("</mappingModel>",
                         "<runnableAllocation entity=\"kernel?type=Runnable\" "
                         "scheduler=\"t?type=TaskScheduler\"/></mappingModel>"))
            .find("runnable 'kernel' of a task on the GPU has an allocation of its own") != std::string::npos);
  CHECK(error_of(changed("puType=\"GPU\"", "puType=\"CPU\""))
            .find("task 'a' runs on no GPU, and calls 'kernel?type=Runnable'") != std::string::npos);
  CHECK(error_of(changed("scheduler=\"t?type", "scheduler=\"u?type"))
            .find("'u?type=TaskScheduler' is not in the model") != std::string::npos);
  model = {};
  model.allocation += model.allocation;
  CHECK(error_of(model) == "28: task 'a' is allocated twice");
  model = {};
  model.allocation = "";
  model.task = "";
  model.kernel = "";
  CHECK(error_of(model) == "1: no task of the model runs on a GPU");
}

TEST_CASE("properties belong to the elements that they say something of") {
  SmallModel model;
  model.task += property("blocks", "8");
  CHECK(error_of(model) == "3: 'warpspan.blocks' means nothing here");
  model = {};
  model.stimuli = test::stimulus("p", "PeriodicStimulus", property("stream", "1") + time("recurrence", "1", "ms"));
  CHECK(error_of(model) == "24: 'warpspan.stream' means nothing here");
  model = {};
  model.task += property("stream", "2");
  CHECK(error_of(model) == "3: 'warpspan.stream' stands twice in 'a'");
  model = {};
  model.task = "<customProperties key=\"warpspan.stream\"><value xsi:type=\"am:ListObject\"/></customProperties>";
  CHECK(error_of(model) == "3: 'warpspan.stream' of task 'a' has to be an integer");
  model.task =
      "<customProperties key=\"warpspan.stream\"><value xsi:type=\"am:IntegerObject\" value=\"4\"/></customProperties>"
      "<customProperties key=\"osekTaskGroup\"><value xsi:type=\"am:StringObject\" value=\"1\"/></customProperties>";
  const Outcome outcome = outcome_of(model.text());
  CHECK(outcome.tasks.find("stream=4 ") != std::string::npos);
  CHECK(outcome.notes ==
        std::vector<std::string>{"3: 'customProperties' is not read: it changes no response time on the GPU"});
}

TEST_CASE("other roots, versions and parts are refused") {
  SmallModel model;
  for (const char* version : {"0.7.2", "0.8.3", "4.0.0", "10.1", "", "1.0.0/x"}) {
    model.version = version;
    CHECK(error_of(model).find("1: the version of the model is not known: ") == 0);
  }
  CHECK(error_of("<xmi/>") == "1: the root is <xmi>");
  std::string text = SmallModel().text();
  CHECK(error_of(text.insert(text.find("<swModel>"), "<newModel/>")) == "1: 'newModel' is no part of a model");
  text = SmallModel().text();
  CHECK(error_of(text.insert(text.find("<tasks"), "words ")) == "2: text between elements");
}

TEST_CASE("errors and notes of a large model are limited, and told to be") {
  SmallModel model;
  for (int i = 0; i < 1000; ++i) model.more_software += "<tasks name=\"t" + std::to_string(i) + "\"/>";
  const Outcome outcome = outcome_of(model.text());
  CHECK(outcome.tasks == small_tasks);
  REQUIRE(outcome.notes.size() == 101);
  CHECK(outcome.notes.back() == "0: 900 more notes are not shown");
  for (int i = 0; i < 1000; ++i) model.more_software += "<tasks name=\"t" + std::to_string(i) + "\"/>";
  CHECK(outcome_of(model.text()).errors.size() == 101);
}
