// Wrong PTX is an error at its place, with status 3: no crash, no defect. And what ptxas accepts is read.
#include <catch2/catch.hpp>

#include "run_program.hpp"

namespace {

using warpspan::test::contains;
using warpspan::test::ProgramRun;
using warpspan::test::run_warpspan;

void check_refused(const std::string& name, const std::string& error) {
  for (const char* command : {"string", "analyze"}) {
    const ProgramRun run = run_warpspan({command, "tests/samples/bad/" + name, "--block", "32"});
    INFO(name << "\n" << run.err);
    CHECK(run.status == 3);
    CHECK(run.out.empty());
    CHECK(run.err.rfind("tests/samples/bad/" + name + ":" + error, 0) == 0);
    CHECK(contains(run.err, "^\n"));
  }
}

}  // namespace

TEST_CASE("a branch to what is no label is refused at its place") {
  check_refused("branch_to_number.ptx", "7:5: error: the target of 'bra' is a label\n");
  check_refused("branch_to_register.ptx", "7:5: error: the target of 'bra' is a label\n");
  check_refused("branch_on_one_line.ptx", "4:27: error: the target of 'bra' is a label\n");
  check_refused("joined_word.ptx", "7:9: error: undeclared register '%r7ld'\n");
}

TEST_CASE("a list of targets that is cut short is refused at its place") {
  check_refused("branchtargets_empty.ptx", "4:41: error: expected a label, found ';'\n");
  check_refused("branchtargets_cut.ptx", "4:44: error: expected a label, found ';'\n");
  check_refused("calltargets_cut.ptx", "4:53: error: expected a function name, found ';'\n");
}

TEST_CASE("what ptxas accepts beyond the manual is read") {
  const ProgramRun prototype =
      run_warpspan({"string", "tests/samples/accepted/prototype_without_semicolon.ptx", "--block", "32"});
  CHECK(prototype.status == 0);
  CHECK(prototype.out == "k: C\n");
  // mov; the addition and the store; two additions; ret
  const ProgramRun offset =
      run_warpspan({"string", "tests/samples/accepted/register_plus_offset.ptx", "--block", "32"});
  CHECK(offset.status == 0);
  CHECK(offset.out == "k: C2LC3\n");
}
