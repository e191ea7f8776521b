// SPDX-License-Identifier: GPL-3.0-or-later
// Compilers as users have them, played by shells: no test needs a real one.
#include "app/requests/tools/compiler.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "tests/files.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

using test::contains;
using test::TemporaryFolder;
using Words = std::vector<std::string>;

// A command that runs the script with "-o FILE SOURCE" as $1 $2 $3 (flags stand before them).
Words shell(const std::string& script) { return {"sh", "-c", script, "compiler"}; }

// What compilers leave in the temporary folder of these tests.
class OwnTemporaryFolder {
 public:
  OwnTemporaryFolder() { ::setenv("TMPDIR", folder_.path().c_str(), 1); }
  ~OwnTemporaryFolder() { ::unsetenv("TMPDIR"); }
  size_t files() const { return folder_.files(); }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("a compiler gets its words, the flags, -o and the source") {
  const OwnTemporaryFolder temporary;
  const auto ptx = run_compiler(shell("echo \"$1|$2|$3|$5\" > \"$4\""), {"-O3 x", "-g"}, "k.cu", nullptr);
  REQUIRE(ptx);
  CHECK(*ptx == "-O3 x|-g|-o|k.cu\n");
  CHECK(temporary.files() == 0);
}

TEST_CASE("what a compiler prints is shown where it fails") {
  const OwnTemporaryFolder temporary;
  const auto failed = run_compiler(
      shell("for i in 1 2 3 4 5 6 7 8 9 10 11; do echo line $i; done; echo; echo 'k.cu(3): error' >&2; exit 2"), {},
      "k.cu", nullptr);
  REQUIRE_FALSE(failed);
  const auto& errors = failed.errors();
  REQUIRE(errors.size() == 11);
  CHECK(contains(errors[0].message, "failed with exit status 2"));
  CHECK(errors[0].location.file == "k.cu");
  CHECK(errors[0].cause == support::Cause::input);
  CHECK(errors[1].message == "line 3");
  CHECK(errors[10].message == "k.cu(3): error");
  CHECK(errors[10].severity == support::Severity::note);
  CHECK(contains(run_compiler(shell("kill -9 $$"), {}, "k.cu", nullptr).errors().front().message,
                 "was ended by signal 9"));
  CHECK(temporary.files() == 0);
}

TEST_CASE("a compiler may say more than a pipe holds, and leave something running") {
  const auto much = run_compiler(shell("seq 1 200000; echo p > \"$2\""), {}, "k.cu", nullptr);
  REQUIRE(much);
  CHECK(*much == "p\n");
  const auto begin = std::chrono::steady_clock::now();
  CHECK(run_compiler(shell("sleep 5 & echo p > \"$2\""), {}, "k.cu", nullptr));
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(3));
}

TEST_CASE("a compiler that is not there, or writes nothing, is an error") {
  const OwnTemporaryFolder temporary;
  const auto missing = run_compiler({"no-such-compiler"}, {}, "k.cu", nullptr);
  REQUIRE_FALSE(missing);
  CHECK(missing.errors().front().message == "cannot run 'no-such-compiler': No such file or directory");
  CHECK(missing.errors().front().cause == support::Cause::usage);
  for (const char* script : {"true", ": > \"$2\""}) {
    const auto nothing = run_compiler(shell(script), {}, "k.cu", nullptr);
    REQUIRE_FALSE(nothing);
    CHECK(contains(nothing.errors().front().message, "wrote no code"));
  }
  CHECK(temporary.files() == 0);
}

TEST_CASE("an interrupt ends a compiler and what it has started") {
  const TemporaryFolder folder;
  const OwnTemporaryFolder temporary;
  std::atomic<bool> cancel = false;
  std::thread user([&] {
    while (!std::filesystem::exists(folder.file("started"))) ::usleep(1000);
    cancel = true;
  });
  const std::string script =
      "sh -c 'sleep 0.3; touch " + folder.file("survived") + "' & touch " + folder.file("started") + "; wait";
  const auto interrupted = run_compiler(shell(script), {}, "k.cu", &cancel);
  user.join();
  REQUIRE_FALSE(interrupted);
  CHECK(contains(interrupted.errors().front().message, "interrupted while "));
  ::usleep(500'000);
  CHECK_FALSE(std::filesystem::exists(folder.file("survived")));
  CHECK(temporary.files() == 0);
}
