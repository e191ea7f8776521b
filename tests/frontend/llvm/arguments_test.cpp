// Values of parameters that the user gives.
#include "tests/frontend/llvm/find_facts.hpp"

using namespace warpspan;

namespace {

const std::string text =
    ".visible .entry k(.param .u32 n, .param .f32 factor, .param .align 8 .b8 matrix[24], .param .u8 small, .param "
    ".s64 big)\n"
    "{\nret;\n}\n.visible .entry none()\n{\nret;\n}\n";

std::string error_of(const std::string& parameter, const std::string& value) {
  const auto analysed = test::analyse(text, test::with_argument(test::block_of(32), parameter, value));
  if (analysed.facts.ok()) return "none";
  REQUIRE(analysed.facts.errors().size() == 1);
  CHECK(analysed.facts.errors()[0].cause == support::Cause::usage);
  return render(analysed.facts.errors()[0], false);
}

}  // namespace

TEST_CASE("arguments by name and index, in decimal and hexadecimal") {
  for (const char* value : {"0", "7", "0xff", "0XFF", "-1", "4294967295", "-2147483648"})
    CHECK(error_of("n", value) == "none");
  CHECK(error_of("0", "5") == "none");
  CHECK(error_of("big", "-9223372036854775808") == "none");
  CHECK(error_of("4", "0xffffffffffffffff") == "none");
  CHECK(error_of("small", "255") == "none");
  CHECK(error_of("small", "-128") == "none");
}

TEST_CASE("arguments that cannot be") {
  CHECK(error_of("m", "5") ==
        "error: kernel 'k' has no parameter 'm'\n  help: its parameters are n, factor, matrix, small, big\n");
  CHECK(error_of("5", "5") ==
        "error: kernel 'k' has no parameter '5'\n  help: its parameters are n, factor, matrix, small, big\n");
  CHECK(error_of("factor", "5") ==
        "error: parameter 'factor' of kernel 'k' cannot be given a value: it is of type f32\n"
        "  help: only parameters that are one integer can be given a value\n");
  CHECK(error_of("matrix", "5") ==
        "error: parameter 'matrix' of kernel 'k' cannot be given a value: it is an array of 24 bytes\n"
        "  help: only parameters that are one integer can be given a value\n");
  for (const char* value : {"", "-", "x", "1.5", "0x", "5 ", "+5", "12345678901234567890123"}) {
    CHECK(error_of("n", value) == "error: '" + std::string(value) +
                                      "' is not an integer, as parameter 'n' of kernel 'k' needs\n"
                                      "  help: write it in decimal or as 0x followed by hexadecimal digits\n");
  }
  CHECK(error_of("small", "256") == "error: 256 does not fit parameter 'small' of kernel 'k', which has 8 bits\n");
  CHECK(error_of("small", "-129") == "error: -129 does not fit parameter 'small' of kernel 'k', which has 8 bits\n");
  CHECK(error_of("n", "4294967296") ==
        "error: 4294967296 does not fit parameter 'n' of kernel 'k', which has 32 bits\n");
}

TEST_CASE("all wrong arguments are told, also one given twice") {
  auto launch = test::with_argument(test::block_of(32), "n", "1");
  launch = test::with_argument(launch, "0", "2");
  launch = test::with_argument(launch, "nothing", "2");
  const auto analysed = test::analyse(text, launch);
  REQUIRE(!analysed.facts.ok());
  REQUIRE(analysed.facts.errors().size() == 2);
  CHECK(analysed.facts.errors()[0].message == "parameter 'n' of kernel 'k' is given a value twice");
  CHECK(analysed.facts.errors()[1].message == "kernel 'k' has no parameter 'nothing'");
}
