// SPDX-License-Identifier: GPL-3.0-or-later
// No command writes a report to a file that it has read.
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/app/run_program.hpp"
#include "tests/paths.hpp"

namespace {

using namespace warpspan::test;
using Words = std::vector<std::string>;

const std::string tasks =
    "[gpu]\nmachine = \"tx2\"\n[[task]]\nname = \"a\"\nstream = 1\nwork = [{ kernel = \"saxpy\", file = \"k.ptx\", "
    "block = 256, grid = 4, args = { 3 = 1024 }, facts = \"facts.toml\" }]\n";

const std::string facts = "[[kernel]]\nname = \"saxpy\"\n";

void check_refused(Words words, const std::string& file, const std::string& error) {
  const TemporaryFolder folder;
  write_file(folder.file("tasks.toml"), tasks);
  write_file(folder.file("facts.toml"), facts);
  write_file(folder.file("k.ptx"), read_file(warpspan::test::source_dir() + "/samples/saxpy.ptx"));
  write_file(folder.file("problem.toml"), "string = \"LLCLL\"\nwarps = 2\n");
  write_file(folder.file("my.toml"), "name = \"mine\"\nbased_on = \"fermi\"\ndescription = \"mine\"\n");
  std::filesystem::create_symlink("k.ptx", folder.file("link.ptx"));
  const std::string before = read_file(folder.file(file));
  Surroundings around;
  around.folder = folder.path();
  const ProgramRun run = run_warpspan(words, around);
  std::string line;
  for (const std::string& word : words) line += word + " ";
  INFO(line << "\n" << run.err);
  CHECK(run.status == 2);
  CHECK(contains(run.err, error));
  CHECK(read_file(folder.file(file)) == before);
}

}  // namespace

TEST_CASE("a report does not take the place of what it was made from") {
  const std::string read = "' is one of the files that were read\n";
  for (const std::string file : {"tasks.toml", "./k.ptx", "facts.toml", "link.ptx"}) {
    for (const char* format : {"text", "json", "html"}) {
      check_refused({"rta", "tasks.toml", "--format", format, "--output", file}, file,
                    "error: --output: '" + file + read);
    }
  }
  const Words saxpy = {"--block", "256", "--output", "k.ptx"};
  for (const Words& command : {Words{"analyze", "k.ptx", "--grid", "4", "--arg", "3=1024"},
                               {"analyze", "."},
                               {"facts", "k.ptx"},
                               {"occupancy", "k.ptx"},
                               {"compare", "k.ptx", "k.ptx"}}) {
    Words words = command;
    words.insert(words.end(), saxpy.begin(), saxpy.end());
    check_refused(words, "k.ptx", "--output: 'k.ptx" + read);
  }
  check_refused({"list", "k.ptx", "--output", "k.ptx"}, "k.ptx", "--output: 'k.ptx" + read);
  check_refused({"analyze", "k.ptx", "--block", "256", "--machine", "./my.toml", "--output", "my.toml"}, "my.toml",
                "--output: 'my.toml" + read);
  for (const char* option : {"--output", "--lp", "--certificate"}) {
    check_refused({"solve", "problem.toml", option, "problem.toml", "--method", "ilp-count,certificate"},
                  "problem.toml", std::string(option) + ": 'problem.toml" + read);
  }
}

TEST_CASE("the JSON of a wrong command line does not take the place of another of its files") {
  const Words wrong = {"rta", "tasks.toml", "--bogus", "--format", "json", "--output", "./tasks.toml"};
  check_refused(wrong, "tasks.toml", "--bogus");
  check_refused({"analyze", "k.ptx", "--facts=facts.toml", "--bogus", "--format=json", "--output=facts.toml"},
                "facts.toml", "--bogus");
}
