// Which PTX and which machine code of a file are taken, and what belongs together.
#include "app/requests/kernels/gpu_code.hpp"

#include <catch2/catch.hpp>

#include "tests/files.hpp"
#include "tests/paths.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

using test::contains;
using Words = std::vector<std::string>;

support::SourceFile file(const std::string& name, const std::string& folder = "tests/frontend/object/data/") {
  return {name, test::read_file(test::source_dir() + "/" + folder + name)};
}

// Of several files, one behind the other.
support::SourceFile joined_files(const Words& names) {
  std::string bytes;
  for (const std::string& name : names) bytes += file(name).bytes();
  return {"all.fatbin", bytes};
}

std::string error_of(const support::SourceFile& code, const CodeChoice& choice) {
  const auto units = read_gpu_code(code, choice);
  REQUIRE_FALSE(units);
  return units.errors().front().message + " | " + units.errors().front().help;
}

}  // namespace

TEST_CASE("PTX and the machine code beside it are one unit") {
  for (const char* name : {"saxpy.default.fatbin", "saxpy.none.fatbin", "saxpy.o", "saxpy.so"}) {
    INFO(name);
    const auto units = read_gpu_code(file(name), {});
    REQUIRE(units);
    REQUIRE(units->units.size() == 1);
    CHECK(units->units.front().name == name);
    REQUIRE(units->units.front().ptx);
    CHECK(units->units.front().ptx->source().name() == "<PTX of " + std::string(name) + " for sm_80>");
    CHECK(units->units.front().cubin);
    CHECK(units->units.front().code_decides());
    CHECK(figures_of(units->units.front(), {"saxpy"})->find({"sm_80"}, "saxpy")->registers == 10);
    CHECK_FALSE(figures_of(units->units.front(), {"other"})->find({"sm_80"}, "saxpy"));
    const auto contents = contents_of(units->units.front());
    REQUIRE(contents);
    CHECK(contents->target == "sm_80");
    CHECK(contents->kernels.front().name == "saxpy");
  }
}

TEST_CASE("what is wanted of a file is taken, or an error") {
  const auto of = [](Wanted wanted, const std::string& name) { return read_gpu_code(file(name), {"", {}, wanted}); };
  const auto ptx = of(Wanted::ptx, "saxpy.o");
  REQUIRE(ptx);
  CHECK_FALSE(ptx->units.front().code_decides());
  CHECK(figures_of(ptx->units.front(), {})->find({"sm_80"}, "saxpy"));
  const auto code = of(Wanted::machine_code, "saxpy.o");
  REQUIRE(code);
  CHECK_FALSE(code->units.front().ptx);
  CHECK(code->units.front().code_decides());
  CHECK(contains(error_of(file("saxpy.code.fatbin"), {"", {}, Wanted::ptx}), "holds no PTX | leave {ptx} out"));
}

TEST_CASE("the code of the devices is taken, or else code that they run") {
  // Machine code for sm_90a, and PTX for sm_100f; PTX and machine code for sm_80.
  const auto both = joined_files({"saxpy.suffixes.fatbin", "saxpy.default.fatbin"});
  const auto targets = [&both](const CodeChoice& choice) {
    const auto units = read_gpu_code(both, choice);
    std::string text;
    for (const CodeUnit& unit : units ? units->units : std::vector<CodeUnit>()) {
      if (unit.cubin) text += contents_of(unit)->target + " ";
      if (unit.ptx) text += unit.ptx->source().name() + " ";
    }
    return units ? text : units.errors().front().message;
  };
  const std::string of_80 = "sm_80 <PTX of all.fatbin for sm_80> ";
  CHECK(targets({"", {"sm_80"}}) == of_80);
  CHECK(targets({"", {"sm_86"}}) == of_80);
  CHECK(targets({"sm_80", {}}) == of_80);
  CHECK(targets({"sm_80", {"sm_89"}}) == of_80);
  CHECK(targets({"", {"sm_90"}}) == "sm_90a <PTX of all.fatbin#2 for sm_80> ");
  CHECK(targets({"sm_90a", {}}) == "sm_90a ");
  CHECK(targets({"", {"sm_100"}}) == "<PTX of all.fatbin for sm_100f> ");
  CHECK(targets({"", {"sm_87"}}) == "<PTX of all.fatbin for sm_80> ");
  CHECK(contains(targets({"", {"sm_80", "sm_90"}}), "holds machine code for several targets"));
  CHECK(contains(targets({}), "holds PTX for several targets"));
  CHECK(contains(targets({"sm_75", {}}), "holds no PTX for sm_75"));
}

TEST_CASE(
    "members of a library, and fatbins of a program, are units of their own, of which those with a kernel matter") {
  const auto names = [](const std::string& name, const Words& kernels, const std::string& part = {}) {
    const auto read =
        read_gpu_code(file(name, "tests/samples/objects/"), {"", {}, Wanted::machine_code_if_any, part}, kernels);
    if (!read) return read.errors().front().message;
    std::string text;
    for (const CodeUnit& unit : read->units) {
      const auto contents = contents_of(unit);
      REQUIRE(contents);
      CHECK(unit.ptx);
      text += unit.name + " " + (contents->kernels.empty() ? "" : contents->kernels.front().name) + "\n";
    }
    for (const std::string& other : read->other_kernels) text += "not chosen: " + other + "\n";
    return text;
  };
  CHECK(names("kernels.a", {}) == "kernels.a(one.o) one\nkernels.a(two.o) two\n");
  CHECK(names("kernels.so", {}) == "kernels.so#1 one\nkernels.so#2 two\n");
  CHECK(names("kernels.a", {"two"}) == "kernels.a(two.o) two\n");
  CHECK(names("kernels.so", {"t*"}) == "kernels.so#2 two\n");
  CHECK(names("kernels.so", {"three"}) == "not chosen: one\nnot chosen: two\n");
  CHECK(names("kernels.a", {}, "(two.o)") == "kernels.a(two.o) two\n");
  CHECK(names("kernels.a", {}, "(nokernel.o)") == "kernels.a(nokernel.o) \n");
  CHECK(names("kernels.so", {}, "#1") == "kernels.so#1 one\n");
  CHECK(names("kernels.so", {}, "#7") == "'kernels.so' has no part '#7' for its target");
}

TEST_CASE("a kernel that several units have with the same code is read once") {
  const auto twice = joined_files({"saxpy.none.fatbin", "saxpy.default.fatbin"});
  const auto read = read_gpu_code(twice, {});
  REQUIRE(read);
  REQUIRE(read->units.size() == 1);
  CHECK(read->units.front().name == "all.fatbin#1");
  const auto other = joined_files({"saxpy.none.fatbin", "saxpy.O0.fatbin"});
  CHECK(read_gpu_code(other, {})->units.size() == 2);
}

TEST_CASE("a kernel of other targets only is an error that names them") {
  const auto both = joined_files({"saxpy.suffixes.fatbin", "search.fatbin"});
  const auto images = object::final_images({both.name(), both.bytes()});
  REQUIRE(images);
  const auto read = read_gpu_code(both, {"sm_90a", {}}, {"search"});
  REQUIRE_FALSE(read);
  CHECK(contains(read.errors().front().message, "'all.fatbin' has kernel 'search' for sm_80 only"));
}
