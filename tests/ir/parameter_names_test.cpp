// SPDX-License-Identifier: GPL-3.0-or-later
// Places that are named as in the source.
#include "ir/parameter_names.hpp"

#include <catch2/catch.hpp>

using namespace warpspan;

namespace {

// k(float* in, S s, int k_param_3) with struct S { const float* data; int n; float scale; }, and a parameter without
// a name.
const ir::ParameterNames names = {
    {{"k_param_0", "in", 8}, {"k_param_1", "s", 16}, {"k_param_2", "", 4}, {"k_param_3", "n", 4}},
    {{"in", 0, 0, 8, true, true},
     {"s.data", 1, 0, 8, true, true},
     {"s.n", 1, 8, 4, true, false},
     {"s.scale", 1, 12, 4, false, false},
     {"n", 3, 0, 4, true, false}}};

ir::Argument placed(const std::string& parameter, std::optional<ir::ByteRange> bytes = std::nullopt) {
  ir::Argument argument{parameter, "1", bytes};
  names.place(argument);
  return argument;
}

ir::Buffer placed_buffer(const std::string& parameter) {
  ir::Buffer buffer{parameter, 64};
  names.place(buffer);
  return buffer;
}

// "k_param_1+8:4 as s.n"
std::string text_of(ir::Argument argument) {
  const std::string written = argument.written;
  argument.written = "";
  return ir::place_of(argument) + " as " + written;
}

}  // namespace

TEST_CASE("arguments have their places in the code") {
  CHECK(text_of(placed("n")) == "k_param_3 as n");
  CHECK(text_of(placed("s.n")) == "k_param_1+8:4 as s.n");
  CHECK(text_of(placed("s.n", ir::ByteRange{2, 2})) == "k_param_1+10:2 as s.n+2:2");
  CHECK(text_of(placed("s", ir::ByteRange{8, 4})) == "k_param_1+8:4 as s+8:4");
  CHECK(text_of(placed("s.scale", ir::ByteRange{0, 4})) == "k_param_1+12:4 as s.scale");
}

TEST_CASE("arguments that name nothing, or no part of a member, stay as they are") {
  for (const char* name : {"m", "s.m", "k_param_3", "3", "", "s.scale", "s"}) {
    INFO(name);
    CHECK(text_of(placed(name)) == std::string(name) + " as ");
  }
  CHECK(text_of(placed("s.n", ir::ByteRange{2, 4})) == "s.n+2:4 as ");
  CHECK(text_of(placed("s.n", ir::ByteRange{-1, 1})) == "s.n+-1:1 as ");
  CHECK(names.obstacle({"s.n", "1", ir::ByteRange{2, 4}}) == "has 4 bytes");
  CHECK(names.obstacle({"s.scale", "1"}) == "is no integer");
  CHECK(names.obstacle({"s", "1"}) == "is no number");
  CHECK(names.obstacle({"m", "1"}).empty());
}

TEST_CASE("buffers have their places in the code") {
  CHECK(placed_buffer("in").parameter == "k_param_0");
  CHECK(ir::place_of(placed_buffer("in")) == "in");
  CHECK(placed_buffer("s.data").parameter == "k_param_1+0");
  CHECK(placed_buffer("s+0").parameter == "k_param_1+0");
  CHECK(ir::place_of(placed_buffer("s+0")) == "s+0");
  for (const char* name : {"s.n", "s", "m", "0", "m+8", ""}) CHECK(placed_buffer(name).parameter == name);
}

TEST_CASE("bytes have the names of the source") {
  CHECK(names.name_of(1, 8, 4) == "s.n");
  CHECK(names.name_of(1, 12, 4) == "s.scale+0:4");
  CHECK(names.name_of(1, 8, 2) == "s+8:2");
  CHECK(names.name_of(2, 0, 4).empty());
  CHECK(names.name_of(9, 0, 4).empty());
  CHECK(names.pointer_name(0, 0) == "in");
  CHECK(names.pointer_name(1, 0) == "s.data");
  CHECK(names.pointer_name(1, 8).empty());
  CHECK(names.pointers() == std::vector<std::string>{"in", "s.data"});
  CHECK(ir::ParameterNames{{{"p", "", 8}, {"n", "", 4}}, {}}.pointers() == std::vector<std::string>{"p"});
  CHECK(names.has("s"));
  CHECK(names.has("s.data"));
  CHECK_FALSE(names.has(""));
}
