#include "support/isolated.hpp"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <exception>
#include <memory>
#include <new>
#include <string_view>

#include "support/memory_limit.hpp"

namespace warpspan::support {

namespace {

constexpr size_t guard_bytes = size_t{1} << 20;  // below the stack; a frame larger than that could step over it
constexpr uint64_t memory_to_go_on = uint64_t{64} << 20;
constexpr int status_not_bounded = 3;  // of the program: app/reports/exit_status.hpp

struct Job {
  explicit Job(const std::function<void()>& w) : work(w) { ::sem_init(&done, 0, 0); }
  Job(const Job&) = delete;
  ~Job() { ::sem_destroy(&done); }

  const std::function<void()>& work;
  sem_t done;
  std::optional<Exhausted> exhausted;
  std::exception_ptr error;
  const char* stack = nullptr;               // its lowest byte
  std::array<char, 1 << 16> signal_stack{};  // for the handler, when the other one is full
};

std::atomic<Job*> running{nullptr};
std::atomic<bool> left_behind{false};  // some job was stopped; threads that it had started may go on
thread_local Job* own = nullptr;

[[noreturn]] void sleep_for_ever() {
  while (true) ::pause();
}

// Async-signal-safe.
[[noreturn]] void stop(Job& job, Exhausted what) {
  raise_memory_limit(isolated_stack + memory_to_go_on);  // this stack stays
  job.exhausted = what;
  ::sem_post(&job.done);
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

// Learns where the stack of this thread ends, and gives its signals another one.
void prepare_stack(Job& job) {
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return;
  void* lowest = nullptr;
  size_t size = 0;
  ::pthread_attr_getstack(&attributes, &lowest, &size);
  ::pthread_attr_destroy(&attributes);
  stack_t other{};
  other.ss_sp = job.signal_stack.data();
  other.ss_size = job.signal_stack.size();
  if (::sigaltstack(&other, nullptr) == 0) job.stack = static_cast<const char*>(lowest);
}

void* run(void* argument) {
  Job& job = *static_cast<Job*>(argument);
  own = &job;
  if (!sanitized) prepare_stack(job);
  try {
    job.work();
  } catch (...) {
    job.error = std::current_exception();
  }
  ::sem_post(&job.done);
  return nullptr;
}

bool start(Job& job, pthread_t& thread) {
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) return false;
  ::pthread_attr_setstacksize(&attributes, isolated_stack);
  ::pthread_attr_setguardsize(&attributes, guard_bytes);
  const bool started = ::pthread_create(&thread, &attributes, run, &job) == 0;
  ::pthread_attr_destroy(&attributes);
  return started;
}

}  // namespace

void out_of_memory() {
  if (own != nullptr) stop(*own, Exhausted::memory);
  Job* job = running.load();
  if (job == nullptr) throw std::bad_alloc();
  if (left_behind.load()) end_program();
  stop(*job, Exhausted::memory);  // a thread that the job has started
}

Diagnostic exhaustion(Exhausted what, const Location& at, const std::string& task) {
  Diagnostic error;
  error.location = at;
  error.message = (what == Exhausted::memory ? "out of memory " : "out of stack ") + task;
  error.help = what == Exhausted::memory ? "raise --memory" : "it is nested too deeply";
  return error;
}

std::optional<Exhausted> run_isolated(const std::function<void()>& work) {
  if (own != nullptr) {
    work();
    return std::nullopt;
  }
  std::set_new_handler(out_of_memory);
  const FaultHandler handler;
  auto job = std::make_unique<Job>(work);
  pthread_t thread{};
  running = job.get();
  if (!start(*job, thread)) {  // not even memory for a stack
    running = nullptr;
    return Exhausted::memory;
  }
  while (::sem_wait(&job->done) != 0) continue;  // a signal
  running = nullptr;
  if (job->exhausted) {
    left_behind = true;
    return job.release()->exhausted;  // the thread still has it
  }
  ::pthread_join(thread, nullptr);
  if (job->error) std::rethrow_exception(job->error);
  return std::nullopt;
}

}  // namespace warpspan::support
