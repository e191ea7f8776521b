// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "tests/app/run_program.hpp"

using namespace warpspan;
using namespace warpspan::app;

using support::Cause;
using support::Diagnostic;
using test::read_file;
using test::TemporaryFolder;
using test::write_file;

namespace {

ExitStatus status_of(const std::vector<Cause>& causes) {
  support::Diagnostics errors;
  for (const Cause cause : causes) {
    Diagnostic error;
    error.cause = cause;
    errors.push_back(error);
  }
  return exit_status(errors);
}

unsigned mode_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

}  // namespace

TEST_CASE("the exit status follows from the causes of errors") {
  CHECK(status_of({}) == ExitStatus::done);
  CHECK(status_of({Cause::usage}) == ExitStatus::wrong_use);
  CHECK(status_of({Cause::input}) == ExitStatus::not_bounded);
  CHECK(status_of({Cause::internal}) == ExitStatus::internal_error);
  CHECK(status_of({Cause::input, Cause::usage}) == ExitStatus::not_bounded);
  CHECK(status_of({Cause::usage, Cause::internal, Cause::input}) == ExitStatus::internal_error);
  Diagnostic warning;
  warning.severity = support::Severity::warning;
  CHECK(exit_status({warning}) == ExitStatus::done);
}

TEST_CASE("the numbers of the exit status are a contract") {
  CHECK(static_cast<int>(ExitStatus::done) == 0);
  CHECK(static_cast<int>(ExitStatus::over_budget) == 1);
  CHECK(static_cast<int>(ExitStatus::wrong_use) == 2);
  CHECK(static_cast<int>(ExitStatus::not_bounded) == 3);
  CHECK(static_cast<int>(ExitStatus::internal_error) == 4);
}

TEST_CASE("a file is written whole, and nothing is left beside it") {
  const TemporaryFolder folder;
  const std::string path = folder.file("report.json");
  const std::string large(3'000'000, 'x');
  CHECK_FALSE(write_whole(path, large));
  CHECK(read_file(path) == large);
  CHECK_FALSE(write_whole(path, "short"));
  CHECK(read_file(path) == "short");
  CHECK(folder.files() == 1);
}

TEST_CASE("a new file has the mode of the umask, a replaced one keeps its own") {
  const TemporaryFolder folder;
  const std::string path = folder.file("report.txt");
  const mode_t before = ::umask(027);
  CHECK_FALSE(write_whole(path, "a"));
  ::umask(before);
  CHECK(mode_of(path) == 0640);
  REQUIRE(::chmod(path.c_str(), 0664) == 0);
  CHECK_FALSE(write_whole(path, "b"));
  CHECK(mode_of(path) == 0664);
}

TEST_CASE("a symbolic link stays one") {
  const TemporaryFolder folder;
  write_file(folder.file("real.txt"), "old");
  std::filesystem::create_symlink("real.txt", folder.file("link.txt"));
  CHECK_FALSE(write_whole(folder.file("link.txt"), "new"));
  CHECK(std::filesystem::is_symlink(folder.file("link.txt")));
  CHECK(read_file(folder.file("real.txt")) == "new");
}

TEST_CASE("a device is written to, not replaced") {
  CHECK_FALSE(write_whole("/dev/null", "text"));
  CHECK(std::filesystem::is_character_file("/dev/null"));
}

TEST_CASE("what cannot be written is a usage error that leaves nothing behind") {
  const TemporaryFolder folder;
  write_file(folder.file("file"), "x");
  const auto message = [](const std::string& path) {
    const auto error = write_whole(path, "text");
    if (!error) return std::string("no error");
    CHECK(error->cause == Cause::usage);
    CHECK(error->help == "give --output a file in a folder that exists and is writable");
    return error->message;
  };
  const std::string missing = folder.file("missing/report.txt");
  CHECK(message(missing) == "cannot write '" + missing + "': No such file or directory");
  const std::string below = folder.file("file/report.txt");
  CHECK(message(below) == "cannot write '" + below + "': Not a directory");
  CHECK(message(folder.path()) == "cannot write '" + folder.path() + "': Is a directory");
  CHECK(message("/dev/full") == "cannot write '/dev/full': No space left on device");
  CHECK(folder.files() == 1);
}

TEST_CASE("an empty report leaves the file as it is") {
  const TemporaryFolder folder;
  const std::string path = folder.file("report.txt");
  write_file(path, "the last one");
  Outcome outcome;
  outcome.path = path;
  CHECK(deliver(outcome) == ExitStatus::done);
  CHECK(read_file(path) == "the last one");
  outcome.path = folder.file("other.txt");
  CHECK(deliver(outcome) == ExitStatus::done);
  CHECK(folder.files() == 1);
}

TEST_CASE("the file of standard output is written on, not replaced") {
  const TemporaryFolder folder;
  const std::string path = folder.file("all.txt");
  write_file(path, "");
  const auto run = test::run_warpspan(
      {"solve", "--string", "LLC", "--warps", "2", "--method", "list", "--output", "/dev/stdout", "--format", "json"},
      {.output_file = path});
  CHECK(run.status == 0);
  CHECK(test::contains(read_file(path), "warpspan.solve"));
  CHECK(folder.files() == 1);
}

TEST_CASE("a link to nothing stays a link: what it points to is made, or cannot be") {
  const TemporaryFolder folder;
  const std::string link = folder.file("link.txt"), closed = folder.file("closed.txt");
  REQUIRE(::symlink("link2.txt", link.c_str()) == 0);
  REQUIRE(::symlink("new.txt", folder.file("link2.txt").c_str()) == 0);
  CHECK(!write_whole(link, "text"));
  CHECK(read_file(folder.file("new.txt")) == "text");
  CHECK(!write_whole(link, "again"));
  CHECK(read_file(folder.file("new.txt")) == "again");
  REQUIRE(::symlink("/proc/self/fd/999", closed.c_str()) == 0);
  const auto error = write_whole(closed, "text");
  REQUIRE(error);
  CHECK(error->message == "cannot write '" + closed + "': No such file or directory");
  for (const std::string& kept : {link, closed}) CHECK(std::filesystem::is_symlink(kept));
  CHECK(folder.files() == 4);
}

TEST_CASE("a folder that is not writable is a usage error") {
  if (::geteuid() == 0) return;  // everything is writable
  const TemporaryFolder folder;
  REQUIRE(::chmod(folder.path().c_str(), 0500) == 0);
  const auto error = write_whole(folder.file("report.txt"), "text");
  REQUIRE(::chmod(folder.path().c_str(), 0700) == 0);
  REQUIRE(error);
  CHECK(error->message == "cannot write '" + folder.file("report.txt") + "': Permission denied");
  CHECK(folder.files() == 0);
}
