#include "app/requests/compiler.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <filesystem>
#include <optional>
#include <sstream>

#include "app/reports/readable.hpp"
#include "support/source_file.hpp"

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

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code failed;
    std::string name = fs::temp_directory_path(failed) / "warpspan-XXXXXX";
    if (!failed && ::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }

  bool exists() const { return !path_.empty(); }
  std::string file(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

// How posix_spawnp is to start the program: in a group of processes of its own, which can be ended as a whole, with
// default signals, without input, and with both its outputs on one pipe.
class Start {
 public:
  explicit Start(int output) {
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
    ::posix_spawnattr_setflags(
        &attributes_, static_cast<short>(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK));
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
// nobody learns the status of its children, the compiler is taken to have failed.
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

Diagnostics failure(const std::string& command, const std::string& source, int status, const std::string& messages) {
  const std::string how = WIFSIGNALED(status) ? "was ended by signal " + std::to_string(WTERMSIG(status))
                                              : "failed with exit status " + std::to_string(WEXITSTATUS(status));
  Diagnostics errors{at(source, "'" + command + "' " + how)};
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

// The exit status of the command is 0, or this is why there is nothing to read.
Diagnostics run(const std::vector<std::string>& words, const std::string& shown, const std::string& source,
                const std::atomic<bool>* cancel) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {at(source, std::string("cannot make a pipe: ") + std::strerror(errno))};
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  pid_t process = 0;
  const int failed = Start(ends[1]).run(words, process);
  ::close(ends[1]);
  std::string messages;
  std::optional<int> status;
  if (failed == 0) status = wait_for(process, ends[0], messages, cancel);
  ::close(ends[0]);
  if (failed != 0) {
    return {support::usage_error("cannot run '" + words.front() + "': " + std::strerror(failed),
                                 "give --compiler a program that is installed, and its words, as in 'nvcc -ptx'")};
  }
  if (!status) return {at(source, "interrupted while '" + shown + "' ran")};
  if (*status != 0) return failure(shown, source, *status, messages);
  return {};
}

}  // namespace

Result<std::string> run_compiler(const std::vector<std::string>& compiler, const std::vector<std::string>& flags,
                                 const std::string& source, const std::atomic<bool>* cancel) {
  const TemporaryFolder folder;
  if (!folder.exists()) {
    return support::usage_error(std::string("cannot make a temporary folder: ") + std::strerror(errno),
                                "give TMPDIR a folder that exists and is writable");
  }
  const std::string output = folder.file("kernels.ptx");
  std::vector<std::string> words = compiler;
  words.insert(words.end(), flags.begin(), flags.end());
  const std::string shown = joined(words, " ") + " " + source;
  words.insert(words.end(), {"-o", output, source});
  Diagnostics errors = run(words, shown, source, cancel);
  if (!errors.empty()) return errors;
  std::error_code failed;
  if (fs::file_size(output, failed) == 0 || failed) {
    return at(source, "'" + shown + "' wrote no PTX",
              "give --compiler what writes PTX to the file behind -o, as in 'nvcc -ptx' or 'clang "
              "--cuda-device-only -S'");
  }
  const auto ptx = support::read_source(output);
  if (!ptx) return ptx.errors();
  return std::string(ptx->text());
}

}  // namespace warpspan::app
