// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/fleet_options.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "app/cli/option_values.hpp"
#include "app/reports/readable.hpp"
#include "support/memory_limit.hpp"

namespace warpspan::app {

namespace {

constexpr size_t most_jobs = 1024;
constexpr int64_t memory_of_one = int64_t{1} << 30;  // bytes, where the number of jobs is not given

support::Result<size_t> parse_jobs(const std::string& option, const std::string& text) {
  size_t jobs = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), jobs);
  if (error == std::errc() && end == text.data() + text.size() && jobs >= 1 && jobs <= most_jobs) return jobs;
  return support::usage_error(option + ": expected a number from 1 to " + std::to_string(most_jobs) + ", got '" + text +
                              "'");
}

size_t default_jobs(int64_t memory) {
  const auto by_memory = static_cast<size_t>(std::max<int64_t>(memory / memory_of_one, 1));
  return std::clamp<size_t>(std::thread::hardware_concurrency(), 1, by_memory);
}

}  // namespace

void add_fleet(OptionSet& options, FleetOptions& to) {
  options.value("--jobs", "N",
                "Work on so many kernels and files side by side; default: as many as there are cores, one for each "
                "GiB of --memory",
                parse_jobs, to.jobs);
  options.text("--cache", "FOLDER",
               "Keep results there, and take them from there where nothing that they are made of has changed; default: "
               "WARPSPAN_CACHE of the environment, if set",
               to.cache);
  options.value("--cache-size", "SIZE", "Most bytes in that folder, as in 4G; default: 1G", parse_size, to.cache_size);
  for (const char* option : {"--jobs", "--cache", "--cache-size"}) options.not_deciding(option);
  options.check([&to] {
    const char* folder = std::getenv("WARPSPAN_CACHE");
    if (to.cache.empty() && folder != nullptr) to.cache = folder;
  });
}

void add_shard(OptionSet& options, const std::string& format, const std::vector<std::string>& without,
               std::optional<Shard>& to) {
  options.value("--shard", "I/N",
                "Look at every N-th file only, from the I-th on, and write what 'warpspan merge' makes the report of",
                parse_shard, to);
  options.not_deciding("--shard");
  options.check([&options, &format, without, &to] {
    if (!to) return;
    const auto refuse = [&options](const std::string& option) {
      options.usage("--shard and " + option + " exclude each other", "a shard is no report: 'warpspan merge' makes it");
    };
    for (const std::string& option : without) {
      if (options.is_given(option)) refuse(option);
    }
    if (options.is_given("--format") && format != "json") refuse("--format " + format);
  });
}

FleetRun::FleetRun(const FleetOptions& options, int64_t memory, const Interrupt& interrupt)
    : line_(std::make_unique<ProgressLine>()) {
  using Clock = std::chrono::steady_clock;
  fleet_.pool = {options.jobs.value_or(default_jobs(memory)), memory, &interrupt.flag()};
  if (options.jobs) support::limit_tasks(*options.jobs);
  if (!options.cache.empty()) {
    auto cache = ResultCache::open(options.cache, options.cache_size);
    if (cache) fleet_.cache = std::move(*cache);
    if (!cache) errors_ = cache.errors();
  }
  fleet_.tell = [this, begin = Clock::now(), of = std::string()](const char* what, size_t done, size_t all) mutable {
    if (of != what) begin = Clock::now();
    of = what;
    const std::chrono::duration<double> since = Clock::now() - begin;
    line_->show(progress_text(what, done, all, since.count()));
  };
}

FleetRun::~FleetRun() {
  if (fleet_.cache != nullptr) fleet_.cache->prune();
}

void FleetRun::add_notes(Outcome& outcome) const {
  if (fleet_.cache == nullptr) return;
  for (support::Diagnostic& note : fleet_.cache->notes()) outcome.errors.push_back(std::move(note));
}

std::string progress_text(const std::string& what, size_t done, size_t all, double seconds) {
  std::string text =
      what + ": " + thousands(static_cast<int64_t>(done)) + " of " + thousands(static_cast<int64_t>(all));
  constexpr double least_seconds = 2;  // that tell how long the rest takes
  if (done == 0 || done >= all || seconds < least_seconds) return text;
  const double left = std::ceil(seconds * static_cast<double>(all - done) / static_cast<double>(done));
  const auto whole = static_cast<int64_t>(left);
  return text + ", about " + (whole < 90 ? std::to_string(whole) + " s" : thousands((whole + 59) / 60) + " min") +
         " left";
}

}  // namespace warpspan::app
