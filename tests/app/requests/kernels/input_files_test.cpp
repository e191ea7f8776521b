#include "app/requests/kernels/input_files.hpp"

#include <catch2/catch.hpp>

#include "tests/files.hpp"

using namespace warpspan;
using namespace warpspan::app;

using test::TemporaryFolder;
using test::write_file;
using Files = std::vector<std::string>;

TEST_CASE("a folder stands for the inputs below it, a pattern for what matches it") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.file("deep/er"));
  for (const char* name : {"b.ptx", "a.ptx", "c.cu", "deep/er/d.ptx"}) write_file(folder.file(name), "");

  CHECK(*input_files({folder.path()}) ==
        Files{folder.file("a.ptx"), folder.file("b.ptx"), folder.file("deep/er/d.ptx")});
  CHECK(*input_files({folder.file("*.ptx")}) == Files{folder.file("a.ptx"), folder.file("b.ptx")});
  CHECK(*input_files({folder.file("[b]*")}) == Files{folder.file("b.ptx")});
  CHECK(*input_files({folder.file("b.ptx"), folder.path(), "-"}) ==
        Files{folder.file("b.ptx"), folder.file("a.ptx"), folder.file("deep/er/d.ptx"), "-"});
  CHECK(*input_files({"missing.ptx"}) == Files{"missing.ptx"});
}

TEST_CASE("machine code beside the inputs of a folder is told of") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.file("deep"));
  write_file(folder.file("a.ptx"), "");
  CHECK(code_left_out({folder.path(), folder.file("a.ptx"), "-", "missing"}).empty());
  for (const char* name : {"a.cubin", "deep/b.o", "c.cu"}) write_file(folder.file(name), "");
  const support::Diagnostics notes = code_left_out({folder.path()});
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].severity == support::Severity::note);
  CHECK(notes[0].message == "the folder '" + folder.path() + "' has 2 files that may hold machine code, not looked at");
  CHECK(notes[0].help == "a folder stands for the .ptx files in it; name others, as " + folder.file("a.cubin") +
                             ", or a pattern: '" + folder.file("*.cubin") + "'");
}

TEST_CASE("a file whose name has a star is taken as it is") {
  const TemporaryFolder folder;
  write_file(folder.file("a*.ptx"), "");
  write_file(folder.file("ab.ptx"), "");
  CHECK(*input_files({folder.file("a*.ptx")}) == Files{folder.file("a*.ptx")});
}

TEST_CASE("a folder's name is no pattern") {
  const TemporaryFolder folder;
  for (const char* name : {"a[1]", "a1"}) std::filesystem::create_directories(folder.file(name));
  write_file(folder.file("a1/k.ptx"), "");
  CHECK(*input_files({"k.ptx"}, folder.file("a[1]")) == Files{folder.file("a[1]/k.ptx")});
  CHECK_FALSE(input_files({"*.ptx"}, folder.file("a[1]")));
  write_file(folder.file("a[1]/m.ptx"), "");
  CHECK(*input_files({"*.ptx"}, folder.file("a[1]")) == Files{folder.file("a[1]/m.ptx")});
  CHECK(*input_files({folder.file("a1/*.ptx")}, folder.file("a[1]")) == Files{folder.file("a1/k.ptx")});
}

TEST_CASE("a link to a file that is gone is a file of its folder") {
  const TemporaryFolder folder;
  write_file(folder.file("a.ptx"), "");
  std::filesystem::create_symlink(folder.file("gone.ptx"), folder.file("b.ptx"));
  CHECK(*input_files({folder.path()}) == Files{folder.file("a.ptx"), folder.file("b.ptx")});
}

TEST_CASE("what stands for no file is an error") {
  const TemporaryFolder folder;
  const auto files = input_files({folder.path(), folder.file("*.ptx")});
  REQUIRE_FALSE(files);
  REQUIRE(files.errors().size() == 2);
  CHECK(files.errors()[0].message == "no .ptx file is in the folder '" + folder.path() + "'");
  CHECK(files.errors()[1].message == "no file matches '" + folder.file("*.ptx") + "'");
  CHECK(files.errors()[1].cause == support::Cause::usage);
}
