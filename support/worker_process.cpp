// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/worker_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <new>

#include "support/file_reads.hpp"
#include "support/memory_limit.hpp"

namespace warpspan::support {

namespace {

constexpr int milliseconds_between_looks = 10;

// Signal handlers of this process have no business in the worker; an interrupt from the terminal is for this process to
// act on, which then ends the worker.
void forget_signals() {
  for (int number = 1; number < NSIG; ++number) signal(number, number == SIGINT ? SIG_IGN : SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

void silence() {
  const int nowhere = open("/dev/null", O_RDWR);
  if (nowhere < 0) return;
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, descriptor);
  if (nowhere > STDERR_FILENO) close(nowhere);
}

// Ends by _exit, so that neither this process's buffers are flushed twice nor its destructors run.
[[noreturn]] void run_worker(const std::function<void(int)>& work, int output, pid_t parent, int64_t memory) {
  forget_signals();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // ended before the line above
  silence();
  constexpr rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  std::set_new_handler(nullptr);
  limit_further_memory(static_cast<uint64_t>(memory < 0 ? 0 : memory));
  try {
    work(output);
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

}  // namespace

pid_t fork_worker(const std::function<void(int output)>& work, int output, int64_t memory) {
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process == 0) run_worker(work, output, parent, memory);
  return process;
}

namespace {

// The worker as its parent sees it. Destroying it ends the worker if it still runs.
class Worker {
 public:
  Worker(pid_t process, int input) : process_(process), input_(input) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    if (!ended_) {
      kill(process_, SIGKILL);
      wait(0);
    }
    close(input_);
  }

  bool succeeded() const { return ended_ && WIFEXITED(status_) && WEXITSTATUS(status_) == 0; }

  // Waits for output or for the worker's end, but not long. False once it has ended and all it wrote has been read.
  //
  // The end of the pipe does not show the worker's end reliably: a worker of another thread, forked in the meantime,
  // may have it open.
  bool listen(std::string& output) {
    pollfd waiting{input_, POLLIN, 0};
    if (poll(&waiting, 1, milliseconds_between_looks) > 0) {
      if (read_some(output)) return true;
      if (errno == 0) wait(0);
    } else {
      wait(WNOHANG);
    }
    if (!ended_) return true;
    while (read_some(output)) continue;
    return false;
  }

 private:
  // False with errno 0 at the end of the pipe, with another errno if there is nothing to read at the moment.
  bool read_some(std::string& output) {
    char buffer[1 << 14];
    errno = 0;
    const ssize_t got = read(input_, buffer, sizeof buffer);
    if (got > 0) output.append(buffer, static_cast<size_t>(got));
    return got > 0;
  }

  void wait(int options) {
    pid_t waited;
    do {
      waited = waitpid(process_, &status_, options);
    } while (waited < 0 && errno == EINTR);
    if (waited == 0) return;
    ended_ = true;
    if (waited < 0) status_ = 0;  // another one took its status: what it wrote has to show how it went
  }

  pid_t process_;
  int input_;
  int status_ = 0;
  bool ended_ = false;
};

}  // namespace

// After a fork in a program with several threads only the forking one exists in the worker. glibc keeps its allocator
// usable there, and the work takes no other lock of this process.
WorkerReport run_in_worker(const std::function<void(int output)>& work, const WorkerLimits& limits) {
  const auto begin = std::chrono::steady_clock::now();
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    report_disturbance();
    return {};
  }
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  const pid_t process = fork_worker(work, ends[1], limits.memory);
  close(ends[1]);
  if (process < 0) {
    report_disturbance();
    close(ends[0]);
    return {};
  }
  Worker worker(process, ends[0]);
  WorkerReport result;
  while (worker.listen(result.output)) {
    const bool cancelled = limits.cancel != nullptr && limits.cancel->load();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    if (!cancelled && elapsed.count() < limits.seconds) continue;
    report_disturbance();
    result.end = cancelled ? WorkerReport::End::cancelled : WorkerReport::End::time_limit;
    return result;
  }
  result.end = worker.succeeded() ? WorkerReport::End::finished : WorkerReport::End::crashed;
  if (result.end == WorkerReport::End::crashed) report_disturbance();
  return result;
}

void report(int output, const void* bytes, size_t size) {
  const char* next = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t written = write(output, next, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(1);
    next += written;
    size -= static_cast<size_t>(written);
  }
}

}  // namespace warpspan::support
