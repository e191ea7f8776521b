#include "support/isolated.hpp"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <memory>
#include <new>
#include <string_view>
#include <thread>

#include "support/memory_limit.hpp"

namespace warpspan::support {

namespace {

constexpr size_t guard_bytes = size_t{1} << 20;        // below the stack; a frame larger than that could step over it
constexpr uint64_t memory_of_one = uint64_t{1} << 30;  // so much there is for each job, where several run
constexpr uint64_t memory_to_go_on = uint64_t{64} << 20;
constexpr int status_not_bounded = 3;  // of the program: app/reports/exit_status.hpp

struct Job {
  Job(const std::function<void()>& w, sem_t& e) : work(w), ended(e) {}

  const std::function<void()>& work;
  sem_t& ended;  // of all that run together
  std::atomic<bool> has_ended{false};
  std::optional<Exhausted> exhausted = std::nullopt;
  std::exception_ptr error = nullptr;
  pthread_t thread{};
  const char* stack = nullptr;  // its lowest byte
};

std::atomic<Job*> sole{nullptr};       // the job that runs, if there is one
std::atomic<bool> are_several{false};  // jobs run at the same time
std::atomic<bool> left_behind{false};  // some job was stopped; threads that it had started may go on
thread_local Job* own = nullptr;

[[noreturn]] void sleep_for_ever() {
  while (true) ::pause();
}

// Async-signal-safe.
[[noreturn]] void stop(Job& job, Exhausted what) {
  raise_memory_limit(isolated_stack + memory_to_go_on);  // this stack stays
  job.exhausted = what;
  job.has_ended = true;
  ::sem_post(&job.ended);
  sleep_for_ever();
}

// A thread that no job waits for, or not surely, has no memory.
[[noreturn]] void end_program() {
  constexpr std::string_view message =
      "error: out of memory for the second time; nothing is reported\n  help: raise --memory, or give --kernel\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message.data(), message.size());
  ::_exit(status_not_bounded);
}

struct sigaction fault_action_before {};

// Faults in the guard below the stack of a job are the end of that stack; all others are what they are without this.
void on_fault(int signal, siginfo_t* info, void*) {
  const auto* at = static_cast<const char*>(info->si_addr);
  if (own != nullptr && at < own->stack && at >= own->stack - guard_bytes) stop(*own, Exhausted::stack);
  ::sigaction(signal, &fault_action_before, nullptr);
}

// While a job runs. The sanitizers have a handler of their own.
class FaultHandler {
 public:
  FaultHandler() {
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = static_cast<int>(SA_SIGINFO | SA_ONSTACK);
    ::sigemptyset(&action.sa_mask);
    if (!sanitized) ::sigaction(SIGSEGV, &action, &fault_action_before);
  }
  FaultHandler(const FaultHandler&) = delete;
  ~FaultHandler() {
    if (!sanitized) ::sigaction(SIGSEGV, &fault_action_before, nullptr);
  }
};

using SignalStack = std::array<char, 1 << 16>;

// Learns where the stack of this thread ends, and gives its signals another one, for when it is full.
void prepare_stack(Job& job, SignalStack& signal_stack) {
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return;
  void* lowest = nullptr;
  size_t size = 0;
  ::pthread_attr_getstack(&attributes, &lowest, &size);
  ::pthread_attr_destroy(&attributes);
  stack_t other{};
  other.ss_sp = signal_stack.data();
  other.ss_size = signal_stack.size();
  if (::sigaltstack(&other, nullptr) == 0) job.stack = static_cast<const char*>(lowest);
}

void* run(void* argument) {
  Job& job = *static_cast<Job*>(argument);
  own = &job;
  SignalStack signal_stack;  // far from the end
  if (!sanitized) prepare_stack(job, signal_stack);
  try {
    job.work();
  } catch (...) {
    job.error = std::current_exception();
  }
  job.has_ended = true;
  ::sem_post(&job.ended);
  return nullptr;
}

bool start(Job& job) {
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) return false;
  ::pthread_attr_setstacksize(&attributes, isolated_stack);
  ::pthread_attr_setguardsize(&attributes, guard_bytes);
  const bool started = ::pthread_create(&job.thread, &attributes, run, &job) == 0;
  ::pthread_attr_destroy(&attributes);
  return started;
}

size_t jobs_at_once() {
  const uint64_t by_memory = further_memory() / memory_of_one;
  return std::clamp<uint64_t>(std::thread::hardware_concurrency(), 1, std::max<uint64_t>(by_memory, 1));
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

// Takes one that has ended off the jobs that run.
void wait_for_one(std::vector<Job*>& running) {
  while (::sem_wait(&running.front()->ended) != 0) continue;  // a signal
  const auto done = std::find_if(running.begin(), running.end(), [](const Job* job) { return job->has_ended.load(); });
  if (!(*done)->exhausted) ::pthread_join((*done)->thread, nullptr);
  running.erase(done);
}

// While jobs run side by side, this thread allocates nothing: memory that it lacks would end the program.
void run_jobs(const std::vector<std::unique_ptr<Job>>& jobs, size_t at_once) {
  const FaultHandler handler;
  const FurtherStacks stacks(at_once - 1);
  std::vector<Job*> running;
  running.reserve(at_once);
  are_several = at_once > 1;
  for (const auto& job : jobs) {
    if (running.size() == at_once) wait_for_one(running);
    sole = at_once == 1 ? job.get() : nullptr;
    if (start(*job)) {
      running.push_back(job.get());
    } else {  // not even memory for a stack
      job->exhausted = Exhausted::memory;
    }
  }
  while (!running.empty()) wait_for_one(running);
  sole = nullptr;
  are_several = false;
}

}  // namespace

void out_of_memory() {
  if (own != nullptr) stop(*own, Exhausted::memory);
  if (are_several) end_program();
  Job* job = sole;
  if (job == nullptr) throw std::bad_alloc();
  if (left_behind) end_program();
  stop(*job, Exhausted::memory);  // a thread that the job has started
}

Diagnostic exhaustion(Exhausted what, const Location& at, const std::string& task) {
  Diagnostic error;
  error.location = at;
  error.message = (what == Exhausted::memory ? "out of memory " : "out of stack ") + task;
  error.help = what == Exhausted::memory ? "raise --memory" : "it is nested too deeply";
  return error;
}

std::vector<std::optional<Exhausted>> run_isolated(const std::vector<std::function<void()>>& works) {
  if (own != nullptr) {
    for (const auto& work : works) work();
    return std::vector<std::optional<Exhausted>>(works.size());
  }
  std::vector<std::optional<Exhausted>> exhausted;
  if (works.empty()) return exhausted;
  std::set_new_handler(out_of_memory);
  auto ended = std::make_unique<sem_t>();
  ::sem_init(ended.get(), 0, 0);
  std::vector<std::unique_ptr<Job>> jobs;
  for (const auto& work : works) jobs.push_back(std::make_unique<Job>(work, *ended));
  run_jobs(jobs, std::min(jobs.size(), jobs_at_once()));
  std::exception_ptr error;
  for (auto& job : jobs) {
    exhausted.push_back(job->exhausted);
    if (error == nullptr) error = job->error;
    if (!job->exhausted || !job->has_ended) continue;
    left_behind = true;
    static_cast<void>(job.release());  // the thread still has both
    static_cast<void>(ended.release());
  }
  if (error != nullptr) std::rethrow_exception(error);
  return exhausted;
}

std::optional<Exhausted> run_isolated(const std::function<void()>& work) {
  return run_isolated(std::vector<std::function<void()>>{work}).front();
}

}  // namespace warpspan::support
