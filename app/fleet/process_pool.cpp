// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/fleet/process_pool.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "support/file_reads.hpp"
#include "support/isolated.hpp"
#include "support/memory_limit.hpp"
#include "support/worker_process.hpp"

namespace warpspan::app {

namespace {

constexpr int milliseconds_between_looks = 50;

// The number of the next work, which all processes share.
class SharedCounter {
 public:
  SharedCounter()
      : memory_(
            ::mmap(nullptr, sizeof(std::atomic<size_t>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (memory_ != MAP_FAILED) next_ = new (memory_) std::atomic<size_t>(0);
  }
  SharedCounter(const SharedCounter&) = delete;
  SharedCounter& operator=(const SharedCounter&) = delete;
  ~SharedCounter() {
    if (next_ != nullptr) ::munmap(memory_, sizeof(std::atomic<size_t>));
  }

  explicit operator bool() const { return next_ != nullptr; }
  size_t take() { return (*next_)++; }

 private:
  static_assert(std::atomic<size_t>::is_always_lock_free);
  void* memory_;
  std::atomic<size_t>* next_ = nullptr;
};

// Before the bytes of a result.
struct Frame {
  size_t work = 0;
  size_t bytes = 0;
};

// In the worker, until nothing is left to do or a work was disturbed: then what it holds may be missing to the next
// one.
void work_on(SharedCounter& counter, size_t count, const std::function<std::string(size_t)>& work, int output) {
  support::limit_tasks(1);
  for (size_t i = counter.take(); i < count; i = counter.take()) {
    const support::ReadRecord record;
    const std::string bytes = work(i);
    if (!record.is_repeatable()) return;
    const Frame frame{i, bytes.size()};
    support::report(output, &frame, sizeof frame);
    support::report(output, bytes.data(), bytes.size());
  }
}

class PoolWorker {
 public:
  PoolWorker(pid_t process, int input) : process_(process), input_(input) {}
  PoolWorker(const PoolWorker&) = delete;
  PoolWorker& operator=(const PoolWorker&) = delete;
  ~PoolWorker() {
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) continue;
    ::close(input_);
  }

  int input() const { return input_; }

  // Takes what has come. False at the end of the pipe.
  bool listen(const std::function<void(size_t, std::string)>& take) {
    char buffer[1 << 16];
    const ssize_t got = ::read(input_, buffer, sizeof buffer);
    if (got < 0) return errno == EINTR || errno == EAGAIN;
    if (got == 0) return false;
    pending_.append(buffer, static_cast<size_t>(got));
    size_t begin = 0;
    for (Frame frame; pending_.size() - begin >= sizeof frame; begin += sizeof frame + frame.bytes) {
      std::memcpy(&frame, pending_.data() + begin, sizeof frame);
      if (pending_.size() - begin - sizeof frame < frame.bytes) break;
      take(frame.work, pending_.substr(begin + sizeof frame, frame.bytes));
    }
    pending_.erase(0, begin);
    return true;
  }

 private:
  pid_t process_;
  int input_;
  std::string pending_;
};

}  // namespace

void run_in_processes(size_t count, const PoolLimits& limits, const std::function<std::string(size_t)>& work,
                      const std::function<void(size_t, std::string)>& take) {
  SharedCounter counter;
  if (!counter) return;
  const size_t processes = std::min(count, limits.processes);
  const int64_t memory = limits.memory / static_cast<int64_t>(std::max<size_t>(processes, 1)) +
                         static_cast<int64_t>(support::isolated_stack);
  std::vector<std::unique_ptr<PoolWorker>> workers;
  for (size_t i = 0; i < processes; ++i) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) break;
    const pid_t process =
        support::fork_worker([&](int output) { work_on(counter, count, work, output); }, ends[1], memory);
    ::close(ends[1]);
    if (process < 0) {
      ::close(ends[0]);
      break;
    }
    workers.push_back(std::make_unique<PoolWorker>(process, ends[0]));
  }
  while (!workers.empty()) {
    if (limits.cancel != nullptr && *limits.cancel) return;
    std::vector<pollfd> waiting;
    for (const auto& worker : workers) waiting.push_back({worker->input(), POLLIN, 0});
    if (::poll(waiting.data(), waiting.size(), milliseconds_between_looks) <= 0) continue;
    for (size_t i = waiting.size(); i-- > 0;) {
      if (waiting[i].revents == 0 || workers[i]->listen(take)) continue;
      workers.erase(workers.begin() + static_cast<ptrdiff_t>(i));
    }
  }
}

}  // namespace warpspan::app
