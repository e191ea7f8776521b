// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/response_times/timeline_picture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/reports/html/charts.hpp"
#include "app/reports/palette.hpp"
#include "app/reports/readable.hpp"
#include "app/reports/response_times/response_words.hpp"
#include "app/reports/response_times/timeline_lanes.hpp"
#include "app/reports/xml.hpp"
#include "support/checked.hpp"

namespace warpspan::app {

namespace {

namespace rt = solver::response_times;
using support::Int128;
using support::Integer;

// Pixels; what begins with x_ or is a place in time is in hundredths of them.
constexpr int64_t width = 1100, plot_left = 200, plot_width = 860, margin = 12;
constexpr int64_t title_height = 34, job_height = 24, lane_height = 16, gap = 6, axis_height = 44, line_height = 18;
constexpr int64_t hundredths = 100;
constexpr int64_t x_of_joined = 4 * hundredths;  // bars narrower than that share one
constexpr int64_t x_of_thinnest = 40;
constexpr int64_t x_of_letter = 7 * hundredths;
constexpr size_t longest_name = 22;   // letters of a name beside a row
constexpr size_t longest_words = 60;  // of a name in a title

// What is drawn as one: a block, a copy or a job, or several of them that are narrow.
struct Bar {
  int64_t start = 0, end = 0;
  int64_t x_start = 0, x_end = 0;
  size_t first = 0;   // of what is drawn
  int64_t count = 1;  // of them
  size_t task = 0;
  bool mixed = false;  // of several tasks
  int64_t missed = 0;  // jobs
};

class TimelineDrawing {
 public:
  TimelineDrawing(const ResponseReport& report, const Timeline& timeline, const TimelineView& view)
      : report_(report), timeline_(timeline), view_(view) {
    numbers_.reserve(timeline.releases.size());
    std::vector<int64_t> known(report.tasks.size(), 0);
    for (const rt::Release& release : timeline.releases) numbers_.push_back(++known[release.task]);
  }

  std::string run(bool document) {
    // One below the other, in this order.
    std::string rows = jobs();
    rows += lanes();
    rows += missed(y_);  // above the blocks
    std::string around = axis(y_);
    around += legend();
    around += notes();
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"timeline\" viewBox=\"0 0 {0} {1}\"{2} role=\"img\">\n",
        width, y_ + margin, document ? fmt::format(" width=\"{}\" height=\"{}\"", width, y_ + margin) : "");
    out += "<title>" + xml_content(view_.title) + "</title>\n";
    if (document) out += "<style>\n" + timeline_style() + "</style>\n";
    out += fmt::format("<rect class=\"page\" width=\"{}\" height=\"{}\"/>\n", width, y_ + margin);
    out += text(margin, 22, xml_content(view_.title), "title");
    return out + around + rows + "</svg>\n";
  }

 private:
  // --- Places.

  int64_t x_at(int64_t time) const {
    const Int128 part = Int128{std::clamp(time, view_.from, view_.to)} - view_.from;
    return plot_left * hundredths + static_cast<int64_t>(part * (plot_width * hundredths) / (view_.to - view_.from));
  }

  bool is_shown(int64_t time) const { return view_.from <= time && time <= view_.to; }

  static std::string text(int64_t x, int64_t y, const std::string& escaped, const char* kind = "",
                          const char* anchor = "start") {
    const std::string of_kind = *kind == '\0' ? "" : fmt::format(" class=\"{}\"", kind);
    return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, of_kind, escaped);
  }

  std::string name_of(size_t task, size_t most) const { return short_text(report_.workload.tasks[task].name, most); }

  std::string time(int64_t at) const { return exact_time(at, report_); }

  // --- Bars.

  // Adds one that starts no sooner than those before it, if it is in the view.
  void add(std::vector<Bar>& bars, Bar bar) const {
    if (bar.end < view_.from || bar.start > view_.to || (bar.end == view_.from && bar.start < bar.end)) return;
    bar.x_start = x_at(bar.start);
    bar.x_end = std::max(x_at(bar.end), bar.x_start + x_of_thinnest);
    if (!bars.empty() && bar.x_end - bars.back().x_start <= x_of_joined) {
      Bar& last = bars.back();
      last.mixed = last.mixed || last.task != bar.task;
      last.end = std::max(last.end, bar.end);
      last.x_end = std::max(last.x_end, bar.x_end);
      last.count += bar.count;
      last.missed += bar.missed;
    } else {
      bars.push_back(bar);
    }
  }

  std::string draw(const Bar& bar, int64_t y, int64_t height, const std::string& words) {
    if (bar.count > 1) joined_ += bar.count;
    const std::string kind = (bar.mixed ? "mixed" : colour_class(bar.task)) + (bar.count > 1 ? " several" : "");
    return fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}</title></rect>\n",
                       kind, pixels(bar.x_start), y, pixels(bar.x_end - bar.x_start), height, xml_content(words));
  }

  std::string several(const Bar& bar, const char* what) const {
    return fmt::format("{} of {}, {} to {}", counted(bar.count, what),
                       bar.mixed ? "several tasks" : name_of(bar.task, longest_words), time(bar.start), time(bar.end));
  }

  // --- Jobs.

  std::optional<int64_t> deadline(size_t job) const {
    const rt::Release& release = timeline_.releases[job];
    const auto after = rt::deadline_of(report_.workload.tasks[release.task]);
    return after ? (Integer(release.time) + *after).value() : std::nullopt;
  }

  bool misses(size_t job) const {
    const auto latest = deadline(job);
    return latest && timeline_.run.finish[job] > *latest;
  }

  // A row for each task: from releases to ends.
  std::string jobs() {
    std::vector<std::vector<size_t>> of_task(report_.tasks.size());
    for (size_t job = 0; job < timeline_.releases.size(); ++job) of_task[timeline_.releases[job].task].push_back(job);
    std::string out;
    for (size_t task = 0; task < of_task.size(); ++task) {
      if (task < view_.most_tasks) {
        out += jobs_of(task, of_task[task]);
      } else {
        ++tasks_left_out_;
        missed_left_out_ += std::count_if(of_task[task].begin(), of_task[task].end(),
                                          [this](size_t job) { return misses(job) && is_shown(*deadline(job)); });
      }
    }
    y_ += gap;
    jobs_end_ = y_;
    return out;
  }

  std::string jobs_of(size_t task, const std::vector<size_t>& jobs) {
    std::string out = fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"10\" height=\"10\"/>\n",
                                  colour_class(task), margin, y_ + 8);
    out += fmt::format("<g><title>{}</title>\n{}</g>\n", xml_content(name_of(task, longest_words)),
                       text(margin + 16, y_ + 17, xml_content(name_of(task, longest_name))));
    std::vector<Bar> bars;
    for (const size_t job : jobs) {
      add(bars, {timeline_.releases[job].time, timeline_.run.finish[job], 0, 0, job, 1, task, false, misses(job)});
    }
    for (const Bar& bar : bars) out += bar.count > 1 ? several_jobs(bar) : job(bar);
    y_ += job_height;
    return out;
  }

  std::string several_jobs(const Bar& bar) {
    const std::string late = bar.missed > 0 ? ", of which " + std::to_string(bar.missed) + " miss the deadline" : "";
    std::string out = draw(bar, y_ + 8, 10, several(bar, "job") + late);
    if (bar.missed > 0) out += late_bar(bar.x_start, bar.x_end, several(bar, "job") + late);
    return out;
  }

  std::string job(const Bar& bar) {
    const int64_t number = numbers_[bar.first];
    const std::string name = fmt::format("{}, job {}", name_of(bar.task, longest_words), number);
    const auto latest = deadline(bar.first);
    std::string words = fmt::format("{}: released at {}, ends at {}, response {}", name, time(bar.start), time(bar.end),
                                    time(bar.end - bar.start));
    std::string out = draw(bar, y_ + 8, 10, words + (latest ? ", deadline at " + time(*latest) : ""));
    if (bar.missed > 0) {
      out += late_bar(x_at(*latest), std::max(bar.x_end, x_at(*latest) + x_of_thinnest),
                      fmt::format("{}: misses its deadline at {} by {}", name, time(*latest), time(bar.end - *latest)));
      if (is_shown(*latest)) late_.push_back(*latest);
    }
    if (is_shown(bar.start)) {
      out += mark("release", x_at(bar.start), y_ + 4, 15, name + ": released at " + time(bar.start));
    }
    if (latest && is_shown(*latest)) {
      out += mark(bar.missed > 0 ? "deadline missed" : "deadline", x_at(*latest), y_ + 8, 14,
                  name + ": deadline at " + time(*latest));
    }
    return out;
  }

  std::string late_bar(int64_t from, int64_t to, const std::string& words) const {
    return fmt::format("<rect class=\"late\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"10\"><title>{}</title></rect>\n",
                       pixels(from), y_ + 8, pixels(to - from), xml_content(words));
  }

  // A line with a head, upwards for a release and downwards for a deadline.
  static std::string mark(const char* kind, int64_t x, int64_t y, int64_t height, const std::string& words) {
    const bool up = std::string_view(kind) == "release";
    const int64_t tip = up ? y : y + height, base = up ? y + 5 : y + height - 5;
    const std::string at = pixels(x);
    return fmt::format(
        "<g class=\"{0}\"><title>{1}</title><path d=\"M{2} {3}V{4}\"/><path d=\"M{5} {6}L{2} {7}L{8} {6}\"/></g>\n",
        kind, xml_content(words), at, y, y + height, pixels(x - 3 * hundredths), base, tip, pixels(x + 3 * hundredths));
  }

  // --- Blocks and copies.

  std::string lanes() {
    std::string out;
    size_t drawn = 0;
    for (const Lane& lane : lanes_of(report_.workload, timeline_)) {
      if (!lane.copies && drawn == view_.most_lanes) {
        ++lanes_left_out_;
        continue;
      }
      drawn += lane.copies ? 0 : 1;
      if (lane.first) {
        y_ += gap;
        const char* place = lane.copies ? "copy engine " : report_.whole_gpu ? "GPU " : "multiprocessor ";
        const bool alone = report_.whole_gpu && !lane.copies;
        out += text(margin, y_ + 12, alone ? "GPU" : place + std::to_string(lane.place));
      }
      out += fmt::format("<rect class=\"lane\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", plot_left, y_ + 1,
                         plot_width, lane_height - 2);
      out += blocks_of(lane);
      y_ += lane_height;
    }
    y_ += gap;
    return out;
  }

  std::string blocks_of(const Lane& lane) {
    std::vector<Bar> bars;
    for (const size_t index : lane.blocks) {
      const rt::BlockRun& block = timeline_.run.blocks[index];
      add(bars, {block.start, block.end, 0, 0, index, 1, task_of(timeline_, block), false, 0});
    }
    std::string out;
    for (const Bar& bar : bars) {
      out += draw(bar, y_ + 1, lane_height - 2,
                  bar.count > 1 ? several(bar, lane.copies ? "copy" : "block") : block_words(lane, bar));
      const std::string name = name_of(bar.task, longest_name);
      const int64_t x_of_name = static_cast<int64_t>(name.size()) * x_of_letter + 4 * hundredths;
      if (bar.mixed || bar.x_end - bar.x_start < x_of_name) continue;
      out += fmt::format("<text class=\"name\" x=\"{}\" y=\"{}\">{}</text>\n", pixels(bar.x_start + 3 * hundredths),
                         y_ + 12, xml_content(name));
    }
    return out;
  }

  std::string block_words(const Lane& lane, const Bar& bar) const {
    const rt::Piece& piece = timeline_.run.blocks[bar.first].piece;
    const auto* kernel = std::get_if<rt::Kernel>(&report_.workload.tasks[bar.task].operations[piece.operation]);
    std::string which;
    if (kernel != nullptr && kernel->blocks > 1) {
      which = fmt::format(", block {} of {}", thousands(piece.block + 1), thousands(kernel->blocks));
    }
    const std::string place = lane.copies         ? "copy engine " + std::to_string(lane.place)
                              : report_.whole_gpu ? "the GPU"
                                                  : "multiprocessor " + std::to_string(lane.place);
    return fmt::format("{}, job {}: {}{}, on {}, {} to {}", name_of(bar.task, longest_words), numbers_[piece.job],
                       short_text(operation_text(report_, bar.task, piece.operation), longest_words), which, place,
                       time(bar.start), time(bar.end));
  }

  // --- What is around.

  std::string missed(int64_t bottom) const {
    std::string out;
    for (const int64_t latest : late_) {
      out += fmt::format("<path class=\"miss\" d=\"M{} {}V{}\"/>\n", pixels(x_at(latest)), jobs_end_, bottom);
    }
    return out;
  }

  std::string axis(int64_t bottom) {
    const TimeUnit unit = time_unit(view_.to, report_);
    const bool long_words = in_unit(view_.to, unit).size() > 12;
    const int64_t step = axis_step(view_.to - view_.from, long_words ? 4 : 10);
    std::string out;
    const int64_t first = view_.from / step + (view_.from % step > 0 ? 1 : 0);
    for (int64_t i = first; i <= view_.to / step; ++i) {
      const std::string x = pixels(x_at(i * step));
      out += fmt::format("<path class=\"grid\" d=\"M{} {}V{}\"/>\n", x, title_height, bottom);
      out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", x, bottom + 16,
                         in_unit(i * step, unit));
    }
    out += fmt::format("<path class=\"axis\" d=\"M{} {}H{}\"/>\n", plot_left, bottom, plot_left + plot_width);
    out += text(margin, bottom + 16, report_.has_units ? std::string("time in ") + unit.name : "time");
    y_ = bottom + axis_height - line_height;
    return out;
  }

  std::string legend() {
    y_ += line_height;
    std::string out;
    int64_t x = plot_left;
    const auto add = [&](const std::string& sign, const char* words) {
      out += sign + text(x + 14, y_, words);
      x += 34 + static_cast<int64_t>(std::string_view(words).size()) * 7;
    };
    const auto at = [&x] { return (x + 5) * hundredths; };
    const auto bar = [&](const char* kind) {
      return fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"10\" height=\"10\"/>\n", kind, x, y_ - 9);
    };
    add(mark("release", at(), y_ - 12, 14, "release"), "release");
    add(mark("deadline", at(), y_ - 12, 14, "deadline"), "deadline");
    add(bar("late"), "after the deadline");
    if (joined_ > 0) add(bar("mixed several"), "several, of one task or (grey) of more");
    y_ += gap;
    return out;
  }

  // What is not as it would be in a larger picture.
  std::string notes() {
    std::vector<std::string> all;
    if (joined_ > 0) {
      all.push_back(thousands(joined_) +
                    " jobs, blocks and copies are too short for bars of their own: neighbours share one");
    }
    if (tasks_left_out_ > 0) {
      all.push_back("jobs of " + counted(tasks_left_out_, "more task") + " are not shown; " +
                    std::to_string(missed_left_out_) + " of them miss a deadline");
    }
    if (lanes_left_out_ > 0) {
      all.push_back(counted(lanes_left_out_, "more row") + " of blocks on multiprocessors " +
                    (lanes_left_out_ == 1 ? "is" : "are") + " not shown");
    }
    std::string out;
    for (const std::string& note : all) out += text(plot_left, y_ += line_height, note, "note");
    return out;
  }

  const ResponseReport& report_;
  const Timeline& timeline_;
  const TimelineView& view_;
  std::vector<int64_t> numbers_;  // of jobs among those of their task, from 1
  int64_t y_ = title_height;      // where the next row begins
  int64_t jobs_end_ = 0;
  std::vector<int64_t> late_;  // deadlines that are missed
  int64_t joined_ = 0, tasks_left_out_ = 0, missed_left_out_ = 0, lanes_left_out_ = 0;
};

std::string style_text() {
  std::string out =
      ".timeline text { font: 13px sans-serif; fill: #222 }\n"
      ".timeline .title { font-size: 15px; font-weight: bold }\n"
      ".timeline .name { font-size: 12px; fill: #000; pointer-events: none }\n"
      ".timeline .note { font-style: italic }\n"
      ".page { fill: #fff } .lane { fill: #f1f2f4 } .grid { stroke: #d5d8dc } .axis { stroke: #555 }\n"
      ".release path, .deadline path { fill: none; stroke: #222; stroke-width: 1.5 }\n"
      ".mixed { fill: #8a8f98 } .timeline rect { stroke: #000; stroke-opacity: 0.35; stroke-width: 0.5 }\n"
      ".timeline .page, .timeline .lane { stroke: none } .timeline .several { stroke-opacity: 1; stroke-dasharray: 1 1 "
      "}\n"
      ".late { fill: #d00000 } .missed path, .miss { stroke: #d00000; stroke-width: 1.5 } .miss { stroke-dasharray: 4 "
      "3 }\n";
  for (size_t i = 0; i < chart_colours.size(); ++i) {
    out += fmt::format(".{} {{ fill: {} }}{}", colour_class(i), chart_colours[i], i % 5 == 4 ? "\n" : " ");
  }
  return out +
         "@media screen and (prefers-color-scheme: dark) {\n"
         "  .timeline text { fill: #ddd } .timeline .name { fill: #000 }\n"
         "  .page { fill: #15181d } .lane { fill: #22262d } .grid { stroke: #343a42 } .axis { stroke: #aaa }\n"
         "  .release path, .deadline path { stroke: #ddd } .timeline .several { stroke: #fff }\n"
         "  .late { fill: #ff5a52 } .missed path, .miss { stroke: #ff5a52 }\n"
         "}\n";
}

}  // namespace

TimelineView whole_view(const ResponseReport& report, const Timeline& timeline, std::string title) {
  int64_t end = 1, latest = 0;
  for (size_t job = 0; job < timeline.releases.size(); ++job) {
    end = std::max(end, timeline.run.finish[job]);
    const auto after = rt::deadline_of(report.workload.tasks[timeline.releases[job].task]);
    const auto deadline = after ? (Integer(timeline.releases[job].time) + *after).value() : std::nullopt;
    latest = std::max(latest, deadline.value_or(0));
  }
  TimelineView view;
  view.title = std::move(title);
  view.to = latest / 2 <= end ? std::max(end, latest) : end;
  return view;
}

std::string timeline_svg(const ResponseReport& report, const Timeline& timeline, const TimelineView& view,
                         bool document) {
  return TimelineDrawing(report, timeline, view).run(document);
}

std::string colour_class(size_t task) { return "t" + std::to_string(task % chart_colours.size()); }

const std::string& timeline_style() {
  static const std::string style = style_text();
  return style;
}

}  // namespace warpspan::app
