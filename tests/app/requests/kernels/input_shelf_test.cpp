#include "app/requests/kernels/input_shelf.hpp"

#include <catch2/catch.hpp>

#include "tests/files.hpp"

using namespace warpspan;
using namespace warpspan::app;

TEST_CASE("an input is read once as long as few others come between") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("shelf.ptx");
  test::write_file(path, "one");
  InputShelf shelf;
  const auto first = shelf.find(path);
  REQUIRE(first);
  CHECK(first->run.inputs.size() == 1);
  test::write_file(path, "two");
  const auto again = shelf.find(path);
  REQUIRE(again);
  CHECK(again->file == first->file);
  CHECK(again->as_ptx == first->as_ptx);
  for (int i = 0; i < 8; ++i) {
    const std::string other = folder.file(std::to_string(i) + ".ptx");
    test::write_file(other, "");
    REQUIRE(shelf.find(other));
  }
  const auto later = shelf.find(path);
  REQUIRE(later);
  CHECK(later->file->text() == "two");
  CHECK_FALSE(shelf.find(path + ".none"));
}
