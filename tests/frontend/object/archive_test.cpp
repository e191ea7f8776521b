// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/archive.hpp"

#include "tests/frontend/object/samples.hpp"

using namespace warpspan;
using namespace warpspan::object;

namespace {

// A member with its header, padded to an even size.
std::string member(const std::string& name, const std::string& bytes, const std::string& size = {}) {
  const auto field = [](std::string text, size_t width) { return text + std::string(width - text.size(), ' '); };
  return field(name, 16) + field("0", 12) + field("0", 6) + field("0", 6) + field("644", 8) +
         field(size.empty() ? std::to_string(bytes.size()) : size, 10) + "`\n" + bytes +
         std::string(bytes.size() % 2, '\n');
}

const std::string magic = "!<arch>\n";

}  // namespace

TEST_CASE("members of a static library are read with their names, also long ones") {
  const std::string long_names = "a_name_of_more_than_fifteen_letters.o/\n";
  const std::string bytes = magic + member("//", long_names) + member("short.o/", "abc") + member("/0", "long");
  const auto members = read_archive({"x.a", bytes});
  REQUIRE(members);
  REQUIRE(members->size() == 2);
  CHECK((*members)[0].name == "short.o");
  CHECK((*members)[0].bytes == "abc");
  CHECK((*members)[1].name == "a_name_of_more_than_fifteen_letters.o");
  CHECK((*members)[1].bytes == "long");
  CHECK(read_archive({"x.a", magic})->empty());
}

TEST_CASE("static libraries that cannot be are errors") {
  for (const std::string& rest : {std::string("short header"), member("a.o/", "abc", "100"), member("a.o/", "abc", "x"),
                                  member("a.o/", "abc", "9999999999"), member("/77", "abc")}) {
    INFO(rest);
    CHECK(error_of(read_archive({"x.a", magic + rest})).find("the static library cannot be read: ") == 0);
  }
}
