// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan list as a user runs it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.hpp"
#include "tests/paths.hpp"

using warpspan::test::contains;
using warpspan::test::ProgramRun;
using warpspan::test::run_warpspan;
using warpspan::test::TemporaryFolder;
using warpspan::test::write_file;

namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

const std::string data = "tests/frontend/object/data/";

ProgramRun list(Words words) {
  words.insert(words.begin(), "list");
  return run_warpspan(words);
}

Json images_of(Words words) {
  words.insert(words.end(), {"--format", "json"});
  const ProgramRun run = list(words);
  INFO(run.err);
  REQUIRE(run.status == 0);
  return Json::parse(run.out).at("images");
}

}  // namespace

TEST_CASE("a cubin's kernels are listed with what they need") {
  const Json images = images_of({data + "kernels.sm_80.cubin"});
  REQUIRE(images.size() == 1);
  CHECK(images[0].at("kind") == "cubin");
  CHECK(images[0].at("architecture") == "sm_80");
  REQUIRE_FALSE(images[0].at("functions").empty());
  bool has_registers = false;
  for (const Json& function : images[0].at("functions")) {
    has_registers = has_registers || function.at("registers").get<int64_t>() > 0;
    CHECK(function.at("code_bytes").get<int64_t>() % 128 == 0);
  }
  CHECK(has_registers);
  const ProgramRun text = list({data + "kernels.sm_80.cubin"});
  CHECK(contains(text.out, "registers"));
  CHECK(contains(text.out, "sm_80"));
}

TEST_CASE("all images of objects, libraries and fatbins are listed, PTX among them") {
  for (const char* file :
       {"saxpy.o", "saxpy.so", "saxpy.a", "saxpy.default.fatbin", "saxpy.size.fatbin", "saxpy.speed.fatbin"}) {
    INFO(file);
    const Json images = images_of({data + file});
    REQUIRE_FALSE(images.empty());
    for (const Json& image : images) CHECK(image.at("functions").size() == 1);
  }
  const Json ptx = images_of({"samples/saxpy.ptx"});
  REQUIRE(ptx.size() == 1);
  CHECK(ptx[0].at("kind") == "PTX");
  CHECK(ptx[0].at("functions")[0].at("registers").is_null());
}

TEST_CASE("a folder's PTX is listed, and machine code beside it is told of") {
  const TemporaryFolder folder;
  for (const std::string& file : {std::string("samples/saxpy.ptx"), data + "saxpy.o"}) {
    const std::filesystem::path path = warpspan::test::source_dir() + "/" + file;
    std::filesystem::copy_file(path, folder.file(path.filename()));
  }
  const ProgramRun run = list({folder.path()});
  INFO(run.out + run.err);
  CHECK(run.status == 0);
  CHECK(contains(run.err,
                 "note: the folder '" + folder.path() + "' has 1 file that may hold machine code, not looked at"));
  const ProgramRun nobody = list({folder.path(), "--kernel", "nobody"});
  CHECK(nobody.status == 2);
  CHECK(contains(nobody.err, "no kernel is named 'nobody'"));
}

TEST_CASE("shared memory is what the assembler reports, without what the system takes from sm_90 on") {
  const Json kernels = images_of({"samples/measured/operations_90a.cubin", "--kernel", "h_red_f16x2_row"});
  CHECK(kernels[0].at("functions")[0].at("shared_bytes") == 0);  // its section has 1,024 bytes
}

TEST_CASE("targets and kernels choose") {
  const std::string suffixes = data + "saxpy.suffixes.fatbin";
  CHECK(images_of({suffixes}).size() == 2);
  CHECK(images_of({suffixes, "--arch", "sm_90a"}).size() == 1);
  const ProgramRun other = list({suffixes, "--arch", "sm_75"});
  CHECK(other.status == 2);
  CHECK(contains(other.err, "holds no code for sm_75"));
  CHECK(contains(other.err, "sm_90a"));
  CHECK(images_of({suffixes, "--kernel", "*saxpy*"})[0].at("functions").size() == 1);
  const ProgramRun nobody = list({suffixes, "--kernel", "nobody"});
  CHECK(nobody.status == 2);
  CHECK(contains(nobody.err, "no kernel is named 'nobody'"));
}

TEST_CASE("files without code for GPUs, and damaged ones, are errors") {
  const ProgramRun host = list({data + "host.o"});
  CHECK(host.status == 3);
  CHECK(contains(host.err, "holds no GPU code"));
  CHECK(list({"nowhere.o"}).status == 2);
  CHECK(list({}).status == 2);
  const TemporaryFolder folder;
  const std::string whole = warpspan::test::read_file(warpspan::test::source_dir() + "/" + data + "saxpy.o");
  write_file(folder.file("cut.o"), whole.substr(0, whole.size() / 2));
  const ProgramRun cut = list({folder.file("cut.o"), data + "saxpy.o"});
  CHECK(cut.status != 0);
  CHECK(cut.status != 4);
  CHECK(contains(cut.out, "saxpy"));  // the other file
}
