// SPDX-License-Identifier: GPL-3.0-or-later
// Files that are no code for NVIDIA GPUs: each is named, and nothing of it is printed.
#include "frontend/object/other_formats.hpp"

#include "frontend/object/images.hpp"
#include "tests/frontend/object/samples.hpp"

using namespace warpspan;
using namespace warpspan::object;

namespace {

std::string message_of(const std::string& bytes) {
  const auto error = not_text({"file", bytes});
  if (!error) return "text";
  CHECK(error->source_line.empty());
  CHECK(error->location.line == 0);
  return error->message;
}

}  // namespace

TEST_CASE("formats are known by what they begin with") {
  const std::string rest("\0\1\2\3\4\5\6\0\0\1\2\xff", 12);
  for (const auto& [begin, name] : {std::pair<std::string, std::string>("\x1f\x8b", "a gzip file"),
                                    {"\x28\xb5\x2f\xfd", "a zstd file"},
                                    {"\xfd"
                                     "7zXZ",
                                     "an xz file"},
                                    {"PK\x03\x04", "a zip archive"},
                                    {"\x03\x02\x23\x07", "SPIR-V"},
                                    {"MTLB", "a Metal library"},
                                    {"BC\xc0\xde", "LLVM bitcode"},
                                    {"MZ", "a file of Windows"}}) {
    CHECK(message_of(begin + rest).substr(0, 8 + name.size()) == "this is " + name);
  }
  CHECK(message_of(rest + rest) == "this is a binary file of an unknown kind, and no PTX");
}

TEST_CASE("text stays text, with zeros behind it or a byte that is damaged") {
  const std::string text = "// a comment\n.version 8.0\n.target sm_80\n";
  CHECK(message_of("") == "text");
  CHECK(message_of("MZ = 3\n" + text) == "text");
  CHECK(message_of(text + std::string(5000, '\0')) == "text");
  CHECK(message_of(text + std::string(1, '\0') + text) == "text");
}

TEST_CASE("ELF files for AMD GPUs are named") {
  std::string bytes = sample("host.o");
  const auto none = images({"host.o", bytes});
  REQUIRE_FALSE(none);
  CHECK(none.errors().front().message == "the file holds no GPU code");
  bytes[18] = static_cast<char>(224);
  const auto amd = images({"host.o", bytes});
  REQUIRE_FALSE(amd);
  CHECK(amd.errors().front().message == "the file holds no code for NVIDIA GPUs that is read: it is code for AMD GPUs");
}
