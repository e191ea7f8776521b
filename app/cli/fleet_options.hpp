// SPDX-License-Identifier: GPL-3.0-or-later
// Options of commands that bound many kernels: --jobs, --cache and --cache-size, and --shard.
#pragma once

#include <optional>
#include <string>

#include "app/cli/interrupt.hpp"
#include "app/cli/option_set.hpp"
#include "app/cli/output.hpp"
#include "app/cli/progress_line.hpp"
#include "app/fleet/fleet.hpp"
#include "app/fleet/shard.hpp"

namespace warpspan::app {

struct FleetOptions {
  std::optional<size_t> jobs;
  std::string cache;
  int64_t cache_size = int64_t{1} << 30;  // bytes
};

// None of them decides the result.
void add_fleet(OptionSet& options, FleetOptions& to);
// format: that of the option; of a shard it is JSON. without: options that are about the report that a shard is not.
void add_shard(OptionSet& options, const std::string& format, const std::vector<std::string>& without,
               std::optional<Shard>& to);

// What the options ask for, while a command runs: what is kept is tidied up at its end.
class FleetRun {
 public:
  // memory: bytes for everything. Errors: the folder of the cache cannot be written.
  FleetRun(const FleetOptions& options, int64_t memory, const Interrupt& interrupt);
  ~FleetRun();
  FleetRun(const FleetRun&) = delete;
  FleetRun& operator=(const FleetRun&) = delete;

  const Fleet& fleet() const { return fleet_; }
  const support::Diagnostics& errors() const { return errors_; }
  // Tells on standard error what became of the cache.
  void add_notes(Outcome& outcome) const;

 private:
  Fleet fleet_;
  support::Diagnostics errors_;
  std::unique_ptr<ProgressLine> line_;
};

// "kernels: 12 of 5,000, about 3 min left". seconds: since the first was begun.
std::string progress_text(const std::string& what, size_t done, size_t all, double seconds);

}  // namespace warpspan::app
