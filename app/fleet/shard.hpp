// SPDX-License-Identifier: GPL-3.0-or-later
// A part of a run that another process does, on another machine perhaps, and what it leaves for 'warpspan merge'.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/kept/long_text.hpp"
#include "app/reports/run_record.hpp"
#include "support/result.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

// Every `of`-th file, from the number `index` (1 .. of) on.
struct Shard {
  size_t index = 1, of = 1;

  bool has(size_t number) const { return number % of == index - 1; }  // number: from 0
};

// "3/8". Errors: usage.
support::Result<Shard> parse_shard(const std::string& option, const std::string& text);

// What each shard is to know of the run beside its files.
struct ShardGiven {
  RunRecord run;  // of the command: its arguments, and what was read for all files
  bool offers_assembler = false;
  bool explain = false;  // all that is known is in the shards
};

struct ShardReport {
  std::string command;  // "check"
  Shard shard;
  std::string run;                 // the same for all shards of a run: what was asked for
  std::vector<std::string> files;  // that were looked at
  LongText results;                // an archive
};

// As JSON.
std::string to_json(const ShardReport& report);
// Errors: no shard, one that is not whole, or one of another build of the program.
support::Result<ShardReport> read_shard(const support::SourceFile& file);

// In the order of their numbers. Errors (usage): shards of different runs; some are missing, or there twice.
support::Result<std::vector<ShardReport>> all_shards(const std::vector<std::string>& names,
                                                     std::vector<ShardReport> reports);

}  // namespace warpspan::app
