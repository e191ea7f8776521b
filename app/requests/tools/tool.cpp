// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/tools/tool.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <optional>
#include <sstream>

namespace warpspan::app {

namespace {

namespace fs = std::filesystem;
using support::Diagnostic;
using support::Diagnostics;
using support::Result;

constexpr int milliseconds_between_looks = 10;
constexpr size_t most_messages = 1 << 16;  // bytes that are kept, the last ones
constexpr size_t most_lines = 10;          // that are shown
constexpr int unknown_status = 255;

// How posix_spawnp is to start the program: if it can be cancelled, in a group of processes of its own, which can be
// ended as a whole, else in that of this process, which a terminal ends as a whole; with default signals, without
// input, and with both its outputs on one pipe.
class Start {
 public:
  Start(int output, bool in_own_group) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, output, STDERR_FILENO);
    ::posix_spawnattr_init(&attributes_);
    sigset_t all, none;
    ::sigfillset(&all);
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    const int group = in_own_group ? POSIX_SPAWN_SETPGROUP : 0;
    ::posix_spawnattr_setflags(&attributes_,
                               static_cast<short>(group | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK));
  }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;
  ~Start() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  // An error number, or 0.
  int run(const std::vector<std::string>& words, pid_t& process) const {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    return ::posix_spawnp(&process, arguments[0], &actions_, &attributes_, arguments.data(), environ);
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

// Keeps the end of what is there to be read; false at its end, or where nothing is to be read now.
bool read_some(int input, std::string& messages) {
  char buffer[1 << 14];
  const ssize_t got = ::read(input, buffer, sizeof buffer);
  if (got <= 0) return false;
  messages.append(buffer, static_cast<size_t>(got));
  if (messages.size() > most_messages) messages.erase(0, messages.size() - most_messages);
  return true;
}

// Waits for the process and reads what it says. Something that it leaves running may keep the pipe open, so its own end
// is what counts. Nothing if it was cancelled: then its whole group is gone. Where this process was started so that
// the status of its children is unknown, the compiler is taken to have failed.
std::optional<int> wait_for(pid_t process, int input, std::string& messages, const std::atomic<bool>* cancel) {
  int status = 0;
  pid_t ended = 0;
  while (ended == 0) {
    pollfd waiting{input, POLLIN, 0};
    const bool heard = ::poll(&waiting, 1, milliseconds_between_looks) > 0;
    if (heard && !read_some(input, messages)) ::poll(nullptr, 0, milliseconds_between_looks);  // closed, not ended yet
    if (cancel != nullptr && *cancel) {
      ::kill(-process, SIGKILL);
      ::waitpid(process, &status, 0);
      return std::nullopt;
    }
    ended = ::waitpid(process, &status, WNOHANG);
  }
  while (read_some(input, messages)) continue;
  return ended == process ? status : W_EXITCODE(unknown_status, 0);
}

Diagnostic at(const std::string& source, std::string message, std::string help = {}) {
  Diagnostic error;
  error.location.file = source;
  error.message = std::move(message);
  error.help = std::move(help);
  return error;
}

Diagnostics failure(const ToolRun& run, int status, const std::string& messages) {
  const std::string& source = run.source;
  const std::string how = WIFSIGNALED(status) ? "was ended by signal " + std::to_string(WTERMSIG(status))
                                              : "failed with exit status " + std::to_string(WEXITSTATUS(status));
  Diagnostics errors{at(source, "'" + run.shown + "' " + how, run.failed_help)};
  std::deque<std::string> lines;
  std::istringstream text(messages);
  for (std::string line; std::getline(text, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    lines.push_back(line);
    if (lines.size() > most_lines) lines.pop_front();
  }
  for (const std::string& line : lines) {
    errors.push_back(at(source, line));
    errors.back().severity = support::Severity::note;
  }
  return errors;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::error_code failed;
  std::string name = fs::temp_directory_path(failed) / "warpspan-XXXXXX";
  if (!failed && ::mkdtemp(name.data()) != nullptr) path_ = name;
  error_ = errno;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

std::optional<Diagnostic> TemporaryFolder::error() const {
  if (!path_.empty()) return std::nullopt;
  return support::usage_error(std::string("cannot make a temporary folder: ") + std::strerror(error_),
                              "give TMPDIR a folder that exists and is writable");
}

Result<std::string> run_tool(const ToolRun& run) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return at(run.source, std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  pid_t process = 0;
  const int failed = Start(ends[1], run.cancel != nullptr).run(run.words, process);
  ::close(ends[1]);
  std::string messages;
  std::optional<int> status;
  if (failed == 0) status = wait_for(process, ends[0], messages, run.cancel);
  ::close(ends[0]);
  if (failed != 0) {
    return support::usage_error("cannot run '" + run.words.front() + "': " + std::strerror(failed), run.help);
  }
  if (!status) return at(run.source, "interrupted while '" + run.shown + "' ran");
  if (*status != 0) return failure(run, *status, run.readable ? run.readable(messages) : messages);
  return messages;
}

}  // namespace warpspan::app
