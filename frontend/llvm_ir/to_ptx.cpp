// SPDX-License-Identifier: GPL-3.0-or-later
// LLVM's reader of bitcode and its backend end the program for some inputs: they abort, follow wrong pointers, call
// exit, or never end. support/isolated stops what runs out of memory or stack, but a thread cannot be kept from ending
// its program; so the work is done in a worker process. The two talk in one message: the PTX, or one error.
#include "frontend/llvm_ir/to_ptx.hpp"

#include <llvm/Support/ErrorHandling.h>
#include <unistd.h>

#include <vector>

#include "frontend/llvm_ir/backend.hpp"
#include "support/printable.hpp"
#include "support/worker_process.hpp"

namespace warpspan::llvm_ir {

namespace {

using support::Diagnostic;
using support::Result;

// The first byte of a message. PTX ends with a null byte, so that it is known to be whole.
constexpr char is_ptx = 'p', is_input_error = 'i', is_usage_error = 'u';

// Fields end with a null byte, which none of them holds.
void send_error(int output, const Diagnostic& error) {
  std::string message(1, error.cause == support::Cause::usage ? is_usage_error : is_input_error);
  for (const std::string& field : {std::to_string(error.location.line), std::to_string(error.location.column),
                                   error.message, error.help, error.source_line}) {
    message += field.substr(0, field.find('\0')) + '\0';
  }
  support::report(output, message.data(), message.size());
}

Result<std::string> receive(const std::string& message) {
  Diagnostic error;
  error.message = "LLVM ended without a word";
  if (message.empty()) return error;
  if (message.front() == is_ptx && message.back() == '\0') return message.substr(1, message.size() - 2);
  std::vector<std::string> fields;
  for (size_t begin = 1; begin < message.size();) {
    const size_t end = message.find('\0', begin);
    if (end == std::string::npos) break;
    fields.push_back(message.substr(begin, end - begin));
    begin = end + 1;
  }
  if (fields.size() != 5) return error;
  if (message.front() == is_usage_error) error.cause = support::Cause::usage;
  error.location.line = std::stoll(fields[0]);
  error.location.column = std::stoll(fields[1]);
  error.message = fields[2];
  error.help = fields[3];
  error.source_line = fields[4];
  return error;
}

// LLVM calls it before it would abort.
void on_fatal_error(void* output, const char* reason, bool) {
  Diagnostic error;
  error.message = std::string("LLVM cannot compile it: ") + reason;
  send_error(*static_cast<const int*>(output), error);
  ::_exit(0);
}

void work(const std::string& text, const Flags& flags, int output) {
  llvm::install_fatal_error_handler(on_fatal_error, &output);
  const auto ptx = run_backend(text, flags);
  if (!ptx) return send_error(output, ptx.errors().front());
  support::report(output, &is_ptx, 1);
  support::report(output, ptx->c_str(), ptx->size() + 1);
}

Diagnostic not_finished(support::WorkerReport::End end) {
  using End = support::WorkerReport::End;
  Diagnostic error;
  switch (end) {
    case End::time_limit: error.message = "LLVM did not compile it in time"; break;
    case End::cancelled: error.message = "interrupted while LLVM compiled it"; break;
    case End::not_started: error.message = "no process could be started for LLVM"; break;
    case End::crashed:
    case End::finished: error.message = "LLVM crashed, or ran out of memory, while it read or compiled it"; break;
  }
  error.help = "see whether 'llc' compiles it, and give its PTX";
  return error;
}

}  // namespace

Result<std::string> to_ptx(const support::SourceFile& module, const Flags& flags, const Limits& limits) {
  const std::string text(module.text());
  const auto worker = support::run_in_worker([&](int output) { work(text, flags, output); },
                                             {limits.seconds, limits.memory, limits.cancel});
  auto ptx = worker.end == support::WorkerReport::End::finished ? receive(worker.output)
                                                                : Result<std::string>(not_finished(worker.end));
  if (ptx) return ptx;
  Diagnostic error = ptx.errors().front();
  error.location.file = module.name();
  return error;
}

}  // namespace warpspan::llvm_ir
