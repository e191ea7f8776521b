// SPDX-License-Identifier: GPL-3.0-or-later
// The report of rta as a page. It has all that the text has with --explain and --timeline, and the slowest runs that
// were found.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "app/reports/html/charts.hpp"
#include "app/reports/html/page.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/response_times/response_formats.hpp"
#include "app/reports/response_times/response_words.hpp"
#include "app/reports/response_times/timeline_picture.hpp"
#include "app/reports/xml.hpp"
#include "support/checked.hpp"

namespace warpspan::app {

namespace {

namespace rt = solver::response_times;
using support::Int128;

constexpr size_t most_sums = 256;     // tasks whose bounds are shown as sums
constexpr size_t most_terms = 24;     // of a sum; the rest is one more
constexpr size_t longest_name = 200;  // bytes of a name, of a task or of a kernel

class Page {
 public:
  explicit Page(const ResponseReport& report) : report_(report) {}

  std::string run() const {
    return html_page("Response times of " + file(), timeline_style(),
                     head() + tasks() + utilisation() + runs() + sums() + assumptions() + run_section(report_.run),
                     "docs/response-times.md");
  }

 private:
  std::string file() const { return html_text(short_text(report_.file, longest_name)); }

  std::string name_of(size_t task) const { return short_text(report_.workload.tasks[task].name, longest_name); }

  std::string time(int64_t time) const { return time_text(time, report_); }

  std::string or_dash(const std::optional<int64_t>& value) const { return value ? time(*value) : "-"; }

  std::string head() const {
    return "<main>\n<h1>Response times of tasks on one GPU</h1>\n<p class=\"source\">" + file() + "; " +
           html_text(gpu_text(report_)) + "</p>\n" + verdict();
  }

  int64_t count(TaskVerdict verdict) const {
    return std::count_if(report_.tasks.begin(), report_.tasks.end(),
                         [verdict](const TaskResponse& task) { return task.verdict == verdict; });
  }

  std::string verdict() const {
    std::vector<std::string> words;
    if (const int64_t tasks = count(TaskVerdict::misses); tasks > 0) {
      words.push_back(counted(tasks, "task") + (tasks == 1 ? " misses its deadline" : " miss their deadlines"));
    }
    if (const int64_t tasks = count(TaskVerdict::may_miss); tasks > 0) {
      words.push_back(counted(tasks, "task") + " may miss " + (tasks == 1 ? "its deadline" : "their deadlines"));
    }
    if (const int64_t tasks = count(TaskVerdict::no_bound); tasks > 0) {
      words.push_back(counted(tasks, "task") + (tasks == 1 ? " has" : " have") + " no bound");
    }
    const char* kind = count(TaskVerdict::misses) > 0 ? "bad" : words.empty() ? "good" : "unsure";
    const bool some = std::any_of(report_.workload.tasks.begin(), report_.workload.tasks.end(),
                                  [](const rt::Task& task) { return rt::deadline_of(task).has_value(); });
    if (words.empty()) words.emplace_back(some ? "All deadlines are met" : "No task has a deadline; all have bounds");
    return verdict_line(kind, joined(words) + ".");
  }

  static const char* kind_of(TaskVerdict verdict) {
    switch (verdict) {
      case TaskVerdict::meets: return "good";
      case TaskVerdict::misses: return "bad";
      case TaskVerdict::may_miss:
      case TaskVerdict::no_bound: return "unsure";
      case TaskVerdict::bounded: break;
    }
    return "";
  }

  std::string tasks() const {
    std::string rows;
    for (size_t i = 0; i < report_.tasks.size(); ++i) {
      const rt::Task& task = report_.workload.tasks[i];
      const TaskResponse& found = report_.tasks[i];
      rows += "<tr><th scope=\"row\">" + colour_key(colour_class(i)) + html_text(name_of(i)) + "</th>" +
              number_cell(std::to_string(task.stream)) + number_cell(std::to_string(task.priority)) +
              number_cell(or_dash(task.period)) + number_cell(or_dash(rt::deadline_of(task))) +
              number_cell(or_dash(found.bound)) + number_cell(or_dash(found.slowest)) +
              html_cell(html_text(verdict_text(found)), kind_of(found.verdict)) + "</tr>\n";
    }
    const std::string searched =
        report_.runs == 0
            ? "No run was searched for slow responses."
            : fmt::format(
                  "The slowest responses are those of {} in which nothing takes longer than its most time; the "
                  "worst response lies between them and the bounds.",
                  counted(report_.runs, "run"));
    return "<h2>Tasks</h2>\n" + html_table("No response is longer than its bound. " + searched,
                                           table_head({{"", "task"},
                                                       {"number", "stream"},
                                                       {"number", "priority"},
                                                       {"number", "period"},
                                                       {"number", "deadline"},
                                                       {"number", "bound"},
                                                       {"number", "slowest found"},
                                                       {"", "verdict"}}),
                                           rows);
  }

  std::string utilisation() const {
    constexpr int64_t whole = 1'000'000;
    std::string out = "<h2>Utilisation</h2>\n";
    const std::vector<Share> shares = shares_of(report_);
    for (const Share& share : shares) {
      std::vector<BarPart> parts;
      Int128 all = 0;
      for (size_t i = 0; i < share.tasks.size(); ++i) {
        if (share.tasks[i] == 0) continue;
        parts.push_back({colour_class(i), name_of(i) + " " + share_text(share.tasks[i]), share.tasks[i]});
        all += share.tasks[i];
      }
      const std::string title = share.of + ": " + share_text(share.millionths);
      out += "<h3>" + html_text(title) + "</h3>\n" + stacked_bar(title, parts, std::max<Int128>(all, whole), whole);
    }
    std::vector<HeadCell> head = {{"", "task"}};
    for (const Share& share : shares) head.emplace_back("number", html_text(share.of));
    std::string rows;
    for (size_t i = 0; i < report_.tasks.size(); ++i) {
      rows += "<tr><th scope=\"row\">" + colour_key(colour_class(i)) + html_text(name_of(i)) + "</th>";
      for (const Share& share : shares) rows += number_cell(share_text(share.tasks[i]));
      rows += "</tr>\n";
    }
    return out + html_table(
                     "What each task takes in the long run, if everything takes its most time and releases are a "
                     "period apart; of a task without period nothing.",
                     table_head(head), rows);
  }

  std::string runs() const {
    std::string out = "<h2>Runs</h2>\n";
    if (report_.timeline) {
      out +=
          scrolled(timeline_svg(report_, *report_.timeline, whole_view(report_, *report_.timeline, most_times_title)));
    }
    for (size_t i = 0; i < report_.tasks.size(); ++i) {
      if (!report_.tasks[i].slowest_run) continue;
      const SlowestRun& slowest = *report_.tasks[i].slowest_run;
      TimelineView view;
      const int64_t release = slowest.timeline.releases[slowest.job].time;
      std::tie(view.from, view.to) = shown_around({release, slowest.timeline.run.finish[slowest.job]});
      view.title = fmt::format("The slowest response found of {}: {}, released at {}", short_text(name_of(i), 40),
                               exact_time(*report_.tasks[i].slowest, report_), exact_time(release, report_));
      view.most_tasks = view.most_lanes = 24;
      out += scrolled(timeline_svg(report_, slowest.timeline, view));
    }
    for (const std::string& sentence : report_.not_drawn) out += paragraph(sentence);
    return out;
  }

  static std::string paragraph(const std::string& sentence) {
    return "<p>" + html_text(short_text(sentence, 2 * longest_name)) + ".</p>\n";
  }

  std::string sums() const {
    std::string out = "<h2>What the bounds are the sums of</h2>\n";
    size_t left_out = 0, shown = 0;
    for (size_t i = 0; i < report_.tasks.size(); ++i) {
      if (!report_.tasks[i].bound) {
        out += shown < most_sums ? no_sum(i) : "";
      } else if (shown == most_sums) {
        ++left_out;
      } else {
        out += sum(i);
        ++shown;
      }
    }
    if (left_out > 0) {
      out += paragraph(counted(static_cast<int64_t>(left_out), "more sum") +
                       " not shown: --explain --format json has all");
    }
    return out;
  }

  std::string no_sum(size_t task) const {
    return "<h3>" + html_text(name_of(task)) + "</h3>\n" + paragraph("No bound: " + report_.tasks[task].reason);
  }

  // The largest terms, in their order, and what the others are together.
  std::vector<rt::Term> largest(const std::vector<rt::Term>& terms, support::Integer& others) const {
    std::vector<size_t> order(terms.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      const bool below_a = terms[a].time < 0, below_b = terms[b].time < 0;  // never left out
      return below_a != below_b ? below_a : terms[a].time > terms[b].time;
    });
    for (size_t i = most_terms; i < order.size(); ++i) others += terms[order[i]].time;
    order.resize(std::min(order.size(), most_terms));
    std::sort(order.begin(), order.end());
    std::vector<rt::Term> kept;
    for (const size_t i : order) kept.push_back(terms[i]);
    return kept;
  }

  std::string sum(size_t task) const {
    const TaskResponse& found = report_.tasks[task];
    support::Integer others;
    const std::vector<rt::Term> terms = largest(found.terms, others);
    std::vector<BarPart> parts;
    std::string rows;
    Int128 all = 0;
    const auto add = [&](const std::string& kind, const std::string& words, int64_t size) {
      rows += "<tr>" + number_cell(time(size)) + html_cell(colour_key(kind) + html_text(words)) + "</tr>\n";
      if (size <= 0) return;
      parts.push_back({kind, words + ": " + exact_time(size, report_), size});
      all += size;
    };
    for (const rt::Term& term : terms) {
      const bool own = term.reason == rt::Reason::own || term.reason == rt::Reason::own_blocks;
      const std::string kind = own                                         ? colour_class(task)
                               : term.reason == rt::Reason::released_later ? "room"
                                                                           : colour_class(term.task);
      add(kind, short_text(term_text(term, report_), longest_name), term.time);
    }
    if (const int64_t rest = others.value().value_or(INT64_MAX); rest > 0) {
      add("rest", counted(static_cast<int64_t>(found.terms.size() - most_terms), "smaller part"), rest);
    }
    const std::string title = name_of(task) + ": " + time(*found.bound);
    const auto deadline = rt::deadline_of(report_.workload.tasks[task]);
    std::string caption = "Exactly " + exact_time(*found.bound, report_);
    if (deadline) caption += "; the deadline is " + time(*deadline) + (*deadline < all ? ", the red line" : "");
    return "<h3>" + html_text(title) + "</h3>\n" +
           stacked_bar(title, parts, std::max<Int128>(all, 1), deadline ? Int128{*deadline} : all) +
           html_table(html_text(caption), table_head({{"number", "time"}, {"", "what takes it"}}), rows);
  }

  std::string assumptions() const {
    std::string out = "<h2>Assumptions</h2>\n<ul class=\"words\">\n";
    for (const std::string& one : report_.assumptions) {
      out += "<li>" + html_text(short_text(one, 20 * longest_name)) + "</li>\n";
    }
    return out + "</ul>\n</main>\n";
  }

  const ResponseReport& report_;
};

}  // namespace

std::string to_html(const ResponseReport& report, const TextStyle&) {
  return report.tasks.empty() ? std::string() : Page(report).run();
}

}  // namespace warpspan::app
