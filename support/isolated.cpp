// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/isolated.hpp"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <string_view>
#include <thread>

#include "support/file_reads.hpp"
#include "support/memory_limit.hpp"

namespace warpspan::support {

namespace {

constexpr size_t guard_bytes = size_t{1} << 20;        // below the stack; a frame larger than that could step over it
constexpr uint64_t memory_of_one = uint64_t{1} << 30;  // so much there is for each job, where several run
constexpr uint64_t memory_to_go_on = uint64_t{64} << 20;

OutOfMemory of_program;
std::atomic<bool> is_guest{false};
std::atomic<size_t> most_tasks{0};  // 0: no limit

struct Job {
  explicit Job(const std::function<void()>& w) : work(w) {}

  const std::function<void()>& work;
  std::atomic<bool> has_ended{false};
  std::optional<Exhausted> exhausted = std::nullopt;
  std::exception_ptr error = nullptr;
};

struct Jobs;

// A thread that runs one job after another, until there is none or one runs out.
struct Worker {
  Jobs* of = nullptr;
  std::atomic<Job*> job{nullptr};
  std::atomic<bool> has_stopped{false};
  pthread_t thread{};
  const char* stack = nullptr;  // its lowest byte
};

// Jobs that run at the same time. One worker is there for each that runs at a time, and one for each that may stop
// another.
struct Jobs {
  Jobs(const std::vector<std::function<void()>>& works, size_t at_once) : workers(at_once + works.size()) {
    for (const auto& work : works) all.push_back(std::make_unique<Job>(work));
    ::sem_init(&stopped, 0, 0);
  }

  Job* take() {
    const size_t i = next++;
    return i < all.size() ? all[i].get() : nullptr;
  }
  bool are_taken() const { return next >= all.size(); }

  std::vector<std::unique_ptr<Job>> all;
  std::atomic<size_t> next{0};
  sem_t stopped{};  // of workers
  std::deque<Worker> workers;
};

std::atomic<Worker*> sole{nullptr};    // the worker that runs, if there is one
std::atomic<bool> are_several{false};  // jobs run at the same time
std::atomic<bool> left_behind{false};  // some job was stopped; threads that it had started may go on
thread_local Worker* own = nullptr;

[[noreturn]] void sleep_for_ever() {
  while (true) ::pause();
}

// Async-signal-safe.
[[noreturn]] void stop(Worker& worker, Exhausted what) {
  report_disturbance();
  raise_memory_limit(isolated_stack + memory_to_go_on);  // this stack stays
  Job& job = *worker.job;
  job.exhausted = what;
  job.has_ended = true;
  worker.has_stopped = true;
  ::sem_post(&worker.of->stopped);
  sleep_for_ever();
}

// A thread that no job waits for, or not surely, has no memory.
[[noreturn]] void end_program() {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, of_program.message.data(), of_program.message.size());
  ::_exit(of_program.status);
}

// What was set before work was isolated.
struct sigaction fault_action_before {};
std::atomic<std::new_handler> new_handler_before{nullptr};

// Faults in the guard below the stack of a worker are the end of that stack; all others are what they are without this.
void on_fault(int signal, siginfo_t* info, void* context) {
  const auto* at = static_cast<const char*>(info->si_addr);
  if (own != nullptr && at < own->stack && at >= own->stack - guard_bytes) stop(*own, Exhausted::stack);
  if ((fault_action_before.sa_flags & SA_SIGINFO) != 0) return fault_action_before.sa_sigaction(signal, info, context);
  ::sigaction(signal, &fault_action_before, nullptr);
}

// For operator new: other handlers than this are for threads of others.
void on_no_memory() {
  const std::new_handler before = new_handler_before;
  if (is_guest && own == nullptr && before != nullptr) return before();
  out_of_memory();
}

// While jobs run, of whichever caller. The sanitizers have a handler of faults of their own.
class Handlers {
 public:
  Handlers() {
    const std::lock_guard lock(mutex);
    if (users++ > 0) return;
    new_handler_before = std::set_new_handler(on_no_memory);
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = static_cast<int>(SA_SIGINFO | SA_ONSTACK);
    ::sigemptyset(&action.sa_mask);
    if (!sanitized) ::sigaction(SIGSEGV, &action, &fault_action_before);
  }
  Handlers(const Handlers&) = delete;
  ~Handlers() {
    const std::lock_guard lock(mutex);
    if (--users > 0) return;
    if (!sanitized) ::sigaction(SIGSEGV, &fault_action_before, nullptr);
    if (is_guest) std::set_new_handler(new_handler_before);
  }

 private:
  static inline std::mutex mutex;
  static inline int users = 0;
};

using SignalStack = std::array<char, 1 << 16>;

// Learns where the stack of this thread ends, and gives its signals another one, for when it is full.
void prepare_stack(Worker& worker, SignalStack& signal_stack) {
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return;
  void* lowest = nullptr;
  size_t size = 0;
  ::pthread_attr_getstack(&attributes, &lowest, &size);
  ::pthread_attr_destroy(&attributes);
  stack_t other{};
  other.ss_sp = signal_stack.data();
  other.ss_size = signal_stack.size();
  if (::sigaltstack(&other, nullptr) == 0) worker.stack = static_cast<const char*>(lowest);
}

void* run(void* argument) {
  Worker& worker = *static_cast<Worker*>(argument);
  own = &worker;
  SignalStack signal_stack;  // far from the end
  if (!sanitized) prepare_stack(worker, signal_stack);
  while (Job* job = worker.of->take()) {
    worker.job = job;
    try {
      job->work();
    } catch (...) {
      job->error = std::current_exception();
    }
    if (job->has_ended.exchange(true)) sleep_for_ever();  // a thread that it has started was stopped
  }
  worker.has_stopped = true;
  ::sem_post(&worker.of->stopped);
  return nullptr;
}

bool start(Worker& worker, Jobs& jobs) {
  worker.of = &jobs;
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) return false;
  ::pthread_attr_setstacksize(&attributes, isolated_stack);
  ::pthread_attr_setguardsize(&attributes, guard_bytes);
  const bool started = ::pthread_create(&worker.thread, &attributes, run, &worker) == 0;
  ::pthread_attr_destroy(&attributes);
  return started;
}

size_t jobs_at_once() {
  const uint64_t by_memory = further_memory() / memory_of_one;
  const uint64_t wanted = most_tasks != 0 ? most_tasks.load() : std::thread::hardware_concurrency();
  return std::clamp<uint64_t>(wanted, 1, std::max<uint64_t>(by_memory, 1));
}

// Memory for the stacks of all jobs but one, for which there is always room.
class FurtherStacks {
 public:
  explicit FurtherStacks(size_t stacks) : bytes_(raise_memory_limit(stacks * isolated_stack)) {}
  FurtherStacks(const FurtherStacks&) = delete;
  ~FurtherStacks() { lower_memory_limit(bytes_); }

 private:
  uint64_t bytes_;
};

// Takes one that has stopped off the workers.
void wait_for_one(std::vector<Worker*>& running, sem_t& stopped) {
  while (::sem_wait(&stopped) != 0) continue;  // a signal
  const auto done = std::find_if(running.begin(), running.end(), [](const Worker* w) { return w->has_stopped.load(); });
  const Job* last = (*done)->job;
  if (last == nullptr || !last->exhausted) ::pthread_join((*done)->thread, nullptr);
  running.erase(done);
}

// While workers run side by side, this thread allocates nothing: memory that it lacks would end the program. One that
// stops before all jobs are taken has run out, and another takes its place.
void run_jobs(Jobs& jobs, size_t at_once) {
  const Handlers handlers;
  const FurtherStacks stacks(at_once - 1);
  std::vector<Worker*> running;
  running.reserve(at_once);
  are_several = at_once > 1;
  size_t next = 0;
  while (!running.empty() || !jobs.are_taken()) {
    while (running.size() < at_once && !jobs.are_taken()) {
      Worker& worker = jobs.workers[next++];
      sole = at_once == 1 ? &worker : nullptr;
      if (!start(worker, jobs)) break;  // not even memory for a stack
      running.push_back(&worker);
    }
    if (!running.empty()) {
      wait_for_one(running, jobs.stopped);
    } else if (Job* job = jobs.take()) {
      job->exhausted = Exhausted::memory;
    }
  }
  sole = nullptr;
  are_several = false;
}

}  // namespace

void when_out_of_memory(const OutOfMemory& what) { of_program = what; }

void be_guest() { is_guest = true; }
void limit_tasks(size_t tasks) { most_tasks = tasks; }

void out_of_memory() {
  if (own != nullptr) stop(*own, Exhausted::memory);
  if (is_guest) throw std::bad_alloc();
  if (are_several) end_program();
  Worker* worker = sole;
  if (worker == nullptr) throw std::bad_alloc();
  if (left_behind) end_program();
  stop(*worker, Exhausted::memory);  // a thread that its job has started
}

Diagnostic exhaustion(Exhausted what, const Location& at, const std::string& task) {
  Diagnostic error;
  error.location = at;
  error.message = (what == Exhausted::memory ? "out of memory " : "out of stack ") + task;
  error.help = what == Exhausted::memory ? std::string(of_program.help) : std::string("it is nested too deeply");
  return error;
}

std::vector<std::optional<Exhausted>> run_isolated(const std::vector<std::function<void()>>& works) {
  if (own != nullptr) {
    for (const auto& work : works) work();
    return std::vector<std::optional<Exhausted>>(works.size());
  }
  std::vector<std::optional<Exhausted>> exhausted;
  if (works.empty()) return exhausted;
  const size_t at_once = std::min(works.size(), jobs_at_once());
  auto jobs = std::make_unique<Jobs>(works, at_once);
  run_jobs(*jobs, at_once);
  std::exception_ptr error;
  bool is_left_behind = false;
  for (const auto& job : jobs->all) {
    exhausted.push_back(job->exhausted);
    if (error == nullptr) error = job->error;
    is_left_behind = is_left_behind || (job->exhausted && job->has_ended);
  }
  if (is_left_behind) {
    left_behind = true;
    static_cast<void>(jobs.release());  // threads that were stopped still have it
  }
  if (error != nullptr) std::rethrow_exception(error);
  return exhausted;
}

std::optional<Exhausted> run_isolated(const std::function<void()>& work) {
  return run_isolated(std::vector<std::function<void()>>{work}).front();
}

}  // namespace warpspan::support
