// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "app/cli/written_errors.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;

Diagnostic cannot_write(const std::string& path, const std::string& option, int error) {
  return support::usage_error("cannot write '" + path + "': " + std::strerror(error),
                              "give " + option + " a file in a folder that exists and is writable");
}

// The error number, or 0.
int write_piece(int file, std::string_view text) {
  size_t done = 0;
  int error = 0;
  while (error == 0 && done < text.size()) {
    const ssize_t count = ::write(file, text.data() + done, text.size() - done);
    if (count >= 0) {
      done += static_cast<size_t>(count);
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  return error;
}

int write_all(int file, const LongText& text) try {
  int error = 0;
  text.each_piece([&](std::string_view piece) { return (error = write_piece(file, piece)) == 0; });
  return error;
} catch (const std::runtime_error&) {
  return EIO;
}

// Closes the descriptor in any case; the error number, or 0.
int write_and_close(int file, const LongText& text) {
  const int error = write_all(file, text);
  return ::close(file) != 0 && error == 0 ? errno : error;
}

// "/dev/stdout", where standard output is a file: to replace that file would lose what else is written there.
bool is_standard_output(const struct stat& file) {
  struct stat output {};
  return ::fstat(STDOUT_FILENO, &output) == 0 && output.st_dev == file.st_dev && output.st_ino == file.st_ino;
}

// What a new file gets from the umask. The umask can only be read by setting it; nothing else runs meanwhile.
mode_t mode_of_new_file() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

constexpr const char* temporary_ending = ".warpspan-XXXXXX";

int rename_or_remove(const std::string& temporary, const std::string& path) {
  if (::rename(temporary.c_str(), path.c_str()) == 0) return 0;
  const int error = errno;
  ::unlink(temporary.c_str());
  return error;
}

// A file of the folder that has no name yet; negative where the file system has none, or the name cannot be given
// later.
int open_unnamed(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (::access("/proc/self/fd", X_OK) != 0) return -1;
  return ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
}

// Gives the file its name. A file cannot be linked over another one, only renamed over it.
int link_as(int file, const std::string& path) {
  const std::string source = "/proc/self/fd/" + std::to_string(file);
  const auto link = [&source](const std::string& name) {
    return ::linkat(AT_FDCWD, source.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
  };
  int error = link(path);
  if (error != EEXIST) return error;
  std::string temporary = path + temporary_ending;
  const int reserved = ::mkstemp(temporary.data());  // for a name that nothing has
  if (reserved < 0) return errno;
  ::close(reserved);
  ::unlink(temporary.c_str());
  error = link(temporary);
  return error == 0 ? rename_or_remove(temporary, path) : error;
}

int replace_by_unnamed(int file, const std::string& path, mode_t mode, const LongText& text) {
  int error = ::fchmod(file, mode) == 0 ? 0 : errno;
  if (error == 0) error = write_all(file, text);
  if (error == 0) error = link_as(file, path);
  ::close(file);
  return error;
}

int replace_by_named(const std::string& path, mode_t mode, const LongText& text) {
  std::string temporary = path + temporary_ending;
  const int file = ::mkstemp(temporary.data());
  if (file < 0) return errno;
  int error = ::fchmod(file, mode) == 0 ? 0 : errno;
  const int write_error = write_and_close(file, text);
  if (error == 0) error = write_error;
  if (error == 0) return rename_or_remove(temporary, path);
  ::unlink(temporary.c_str());
  return error;
}

int replace_file(const std::string& path, mode_t mode, const LongText& text) {
  const int unnamed = open_unnamed(path);
  if (unnamed >= 0 && replace_by_unnamed(unnamed, path, mode, text) == 0) return 0;
  return replace_by_named(path, mode, text);  // whose error is told
}

// A symbolic link stays one, also where it points to nothing yet, as /dev/stdout does if standard output is closed:
// what it points to is replaced.
std::string target_of(std::filesystem::path path) {
  constexpr int most_links = 40;  // as many as the system follows
  for (int i = 0; i < most_links; ++i) {
    std::error_code none;
    const std::filesystem::path next = std::filesystem::read_symlink(path, none);
    if (none) break;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path.string();
}

void set_time(const std::string& path, const timespec& time) {
  const timespec times[] = {time, time};
  ::utimensat(AT_FDCWD, path.c_str(), times, 0);
}

ExitStatus status_of(const Outcome& outcome) {
  const ExitStatus status = exit_status(outcome.errors, outcome.over_budget);
  return status == ExitStatus::done && outcome.interrupted ? ExitStatus::interrupted : status;
}

}  // namespace

std::optional<Diagnostic> write_standard_output(const LongText& text) {
  int error = std::fflush(stdout) == 0 ? 0 : errno;
  if (error == 0) error = write_all(STDOUT_FILENO, text);
  if (error == 0) return std::nullopt;
  return support::usage_error(std::string("cannot write the report to standard output: ") + std::strerror(error));
}

std::optional<Diagnostic> write_whole(const std::string& path, const LongText& text, const std::string& option) {
  struct stat known {};
  const bool exists = ::stat(path.c_str(), &known) == 0;
  int error = 0;
  if (exists && is_standard_output(known)) {
    error = write_all(STDOUT_FILENO, text);
  } else if (exists && !S_ISREG(known.st_mode)) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    error = file < 0 ? errno : write_and_close(file, text);
  } else if (exists && ::access(path.c_str(), W_OK) != 0) {
    error = errno;
  } else {
    std::error_code failed;
    const std::string target = exists ? std::filesystem::canonical(path, failed).string() : target_of(path);
    error = failed ? failed.value() : replace_file(target, exists ? known.st_mode & 07777 : mode_of_new_file(), text);
  }
  if (error == 0) return std::nullopt;
  return cannot_write(path, option, error);
}

bool overwrites_input(const std::string& path) { return !path.empty() && path != "-" && support::was_read(path); }

void refuse_overwriting(Outcome& outcome) {
  std::vector<ReportFile> files = {{outcome.path, {}, "--output"}};
  files.insert(files.end(), outcome.further.begin(), outcome.further.end());
  for (const SuccessFile& file : outcome.at_success) files.push_back(file.file);
  for (const ReportFile& file : files) {
    if (!overwrites_input(file.path)) continue;
    outcome = {};
    outcome.path = "-";
    outcome.errors = {support::usage_error(file.option + ": '" + file.path + "' is one of the files that were read",
                                           "give " + file.option + " a file of its own")};
    return;
  }
}

ExitStatus deliver(Outcome outcome) {
  const auto write = [&outcome](const ReportFile& file) {
    if (file.text.empty()) return;
    const bool to_file = !file.path.empty() && file.path != "-";
    auto error = to_file ? write_whole(file.path, file.text, file.option) : write_standard_output(file.text);
    if (error) outcome.errors.push_back(std::move(*error));
  };
  write({outcome.path, outcome.report, "--output"});
  for (const ReportFile& file : outcome.further) write(file);
  for (const auto& [file, time] : outcome.at_success) {
    if (status_of(outcome) != ExitStatus::done) break;
    write(file);
    if (time) set_time(file.path, *time);
  }
  const std::string text = written(outcome.errors, colour_on(Stream::error));
  std::fwrite(text.data(), 1, text.size(), stderr);
  return status_of(outcome);
}

}  // namespace warpspan::app
