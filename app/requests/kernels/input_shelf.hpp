// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs that several requests of a run read.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>

#include "app/reports/run_record.hpp"
#include "frontend/frontend.hpp"
#include "support/result.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

// Each is read and hashed once, and parsed once if it is PTX, as long as few others come between. For one thread.
class InputShelf {
 public:
  struct Kept {
    std::string path;
    std::shared_ptr<const support::SourceFile> file;
    std::shared_ptr<const frontend::PtxFile> as_ptx;  // parsed when it is first asked for
    RunRecord run;                                    // with the file
  };

  // Errors: those of read_isolated.
  support::Result<Kept> find(const std::string& path);
  // Stands for a file of that path from now on, whatever is there.
  void add(const std::string& path, std::string bytes);

 private:
  std::map<std::string, Kept> added_;
  std::deque<Kept> kept_;  // the last one that was asked for first
};

}  // namespace warpspan::app
