// SPDX-License-Identifier: GPL-3.0-or-later
// One line on a terminal that tells how far long work is.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace warpspan::app {

// Draws on standard error if that is a terminal, from one second after its making on and a few times a second in a
// thread of its own, as some methods tell nothing while they work; wipes the line when it ends. As
// long as it says nothing, nothing is drawn.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // What the line says from now on, drawn or not.
  void show(std::string text);

 private:
  void draw();

  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::string text_;
  std::thread drawer_;  // only where there is a terminal
};

}  // namespace warpspan::app
