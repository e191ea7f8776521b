// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the built program as a user would: arguments, standard input, environment.
#pragma once

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/files.hpp"
#include "tests/paths.hpp"

namespace warpspan::test {

struct ProgramRun {
  int status = -1;  // exit status, or -signal
  std::string out, err;
};

struct Surroundings {
  std::string input = {};                     // standard input
  std::string folder = source_dir();          // current folder
  std::vector<std::string> environment = {};  // "NAME=VALUE", added to the own one
  std::string output_file = {};               // not empty: standard output goes there
};

// The child's side between fork and exec, with the files for standard input, output and error.
[[noreturn]] inline void become_program(const std::vector<std::string>& arguments, const Surroundings& around, int in,
                                        int out, int err) {
  if (::dup2(in, 0) < 0 || ::dup2(out, 1) < 0 || ::dup2(err, 2) < 0) ::_exit(126);
  if (::chdir(around.folder.c_str()) != 0) ::_exit(126);
  ::unsetenv("COLUMNS");  // as wide as a report is for nobody
  for (const std::string& variable : around.environment) ::putenv(const_cast<char*>(variable.c_str()));
  std::string path = program();
  std::vector<char*> argv = {path.data()};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execv(path.c_str(), argv.data());
  ::_exit(127);
}

inline int wait_for(pid_t child) {
  int status = 0;
  if (::waitpid(child, &status, 0) != child) throw std::runtime_error("cannot wait");
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

inline ProgramRun run_warpspan(const std::vector<std::string>& arguments, const Surroundings& around = {}) {
  const TemporaryFolder streams;  // files rather than pipes: no side ever waits for the other
  write_file(streams.file("in"), around.input);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    const std::string out = around.output_file.empty() ? streams.file("out") : around.output_file;
    become_program(arguments, around, ::open(streams.file("in").c_str(), O_RDONLY),
                   ::open(out.c_str(), O_WRONLY | O_CREAT, 0600),
                   ::open(streams.file("err").c_str(), O_WRONLY | O_CREAT, 0600));
  }
  ProgramRun run;
  run.status = wait_for(child);
  if (around.output_file.empty()) run.out = read_file(streams.file("out"));
  run.err = read_file(streams.file("err"));
  return run;
}

// Whether the process is the program by now, and has a handler for SIGINT.
inline bool catches_interrupt(pid_t process) {
  std::error_code failed;
  const auto running = std::filesystem::read_symlink("/proc/" + std::to_string(process) + "/exe", failed);
  if (failed || running != std::filesystem::canonical(program())) return false;
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("SigCgt:", 0) == 0) return (std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1) != 0;
  }
  return false;
}

// Runs the program and sends it SIGINT as soon as it would handle it.
inline ProgramRun interrupt_warpspan(const std::vector<std::string>& arguments) {
  const TemporaryFolder streams;
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    std::signal(SIGINT, SIG_DFL);
    become_program(arguments, {}, ::open("/dev/null", O_RDONLY),
                   ::open(streams.file("out").c_str(), O_WRONLY | O_CREAT, 0600),
                   ::open(streams.file("err").c_str(), O_WRONLY | O_CREAT, 0600));
  }
  for (int waited = 0; waited < 10'000 && !catches_interrupt(child); ++waited) ::usleep(1000);
  ::kill(child, SIGINT);
  ProgramRun run;
  run.status = wait_for(child);
  run.out = read_file(streams.file("out"));
  run.err = read_file(streams.file("err"));
  return run;
}

// Runs the program with standard output and error on a terminal of so many columns (0: it does not say); both
// are in `out`. There is no standard input.
inline ProgramRun run_on_terminal(const std::vector<std::string>& arguments, const Surroundings& around = {},
                                  unsigned short columns = 0) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0) throw std::runtime_error("no terminal");
  const std::string name = ::ptsname(terminal);
  winsize size{};
  size.ws_col = columns;
  ::ioctl(terminal, TIOCSWINSZ, &size);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) {
    const int screen = ::open(name.c_str(), O_WRONLY | O_NOCTTY);
    ::close(terminal);
    become_program(arguments, around, ::open("/dev/null", O_RDONLY), screen, screen);
  }
  // Until the child opens its side, and after it has closed it, reading fails with EIO.
  ProgramRun run;
  char buffer[4096];
  bool ended = false;
  while (true) {
    const ssize_t count = ::read(terminal, buffer, sizeof buffer);
    if (count > 0) run.out.append(buffer, static_cast<size_t>(count));
    if (count > 0) continue;
    if (ended) break;
    int status = 0;
    if (::waitpid(child, &status, WNOHANG) == child) {
      run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
      ended = true;
    } else {
      ::usleep(1000);
    }
  }
  ::close(terminal);
  return run;
}

}  // namespace warpspan::test
