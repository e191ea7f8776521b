// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/lines.hpp"

#include "tests/frontend/object/samples.hpp"

using namespace warpspan;
using namespace warpspan::object;

namespace {

Lines lines_of(const std::string& bytes) {
  auto lines = read_lines({"k.cubin", bytes});
  REQUIRE(lines);
  return std::move(*lines);
}

// "inlined.cuh:4 < inlined.cuh:9 < inlined.cu:6" of an instruction, outwards.
std::string place(const LineTable& table, std::string_view function, uint64_t offset) {
  std::string text;
  for (const FunctionLines& lines : table.functions) {
    if (lines.function != function) continue;
    for (const LineRow* row = lines.row_at(offset); row != nullptr;
         row = row->inlined_at ? &lines.rows[*row->inlined_at] : nullptr) {
      REQUIRE(row->file < table.files.size());
      text += (text.empty() ? "" : " < ") + std::string(table.files[row->file].name) + ":" + std::to_string(row->line);
    }
  }
  return text;
}

// The row of an instruction; null if there is none.
const LineRow* row_of(const LineTable& table, std::string_view function, uint64_t offset) {
  for (const FunctionLines& lines : table.functions) {
    if (lines.function != function) continue;
    const FunctionLines* const found = table.find(lines.section, offset);
    return found == nullptr ? nullptr : found->row_at(offset);
  }
  return nullptr;
}

}  // namespace

// Both as nvdisasm 13.1 prints them with -gi and -gp.
TEST_CASE("instructions have lines of the sources, with where these were inlined") {
  for (const char* file : {"inlined.sm_80.cubin", "inlined.sm_120.cubin", "linked.sm_80.cubin"}) {
    INFO(file);
    const std::string bytes = sample(file);
    const LineTable table = lines_of(bytes).source;
    CHECK(table.without_function == 0);
    CHECK(place(table, "inlined", 0x00) == "inlined.cu:4");
    CHECK(place(table, "inlined", 0x10) == "inlined.cu:5");
    CHECK(place(table, "inlined", 0x50) == "inlined.cu:5");
    CHECK(place(table, "inlined", 0x60) == "inlined.cuh:4 < inlined.cuh:8 < inlined.cu:6");
    CHECK(place(table, "inlined", 0x70) == "inlined.cuh:7 < inlined.cu:6");
    CHECK(place(table, "inlined", 0xa0) == "inlined.cu:8");
    CHECK(place(table, "inlined", 0x17f) == "inlined.cu:8");
    CHECK(place(table, "inlined", 0x180).empty());
    CHECK(place(table, "absent", 0).empty());
    CHECK(row_of(table, "inlined", 0x70)->line == 7);
    CHECK(row_of(table, "inlined", 0x180) == nullptr);
  }
}

TEST_CASE("instructions have lines of PTX, and these their text") {
  for (const char* file : {"inlined.sm_80.cubin", "inlined.sm_120.cubin", "linked.sm_80.cubin"}) {
    INFO(file);
    const std::string bytes = sample(file);
    const Lines lines = lines_of(bytes);
    const auto text = [&](std::string_view function, uint64_t offset) {
      const LineRow* const row = row_of(lines.ptx, function, offset);
      return row == nullptr ? std::string() : std::string(lines.ptx_line(*row));
    };
    CHECK(text("inlined", 0x00) == "{");
    CHECK(text("inlined", 0x10) == "mov.u32 \t%r1, %tid.x;");
    CHECK(text("inlined", 0x50) == "ld.global.u32 \t%r2, [%rd4];");
    CHECK(text("inlined", 0x60) == "mad.lo.s32 \t%r4, %r3, 3, 1;");
    CHECK(text("inlined", 0xa0) == "ret;");
    CHECK(text("inlined", 0x180).empty());
  }
  const std::string bytes = sample("inlined.sm_80.cubin");
  const Lines lines = lines_of(bytes);
  REQUIRE(lines.texts.size() == 1);
  CHECK(lines.texts[0].name == ".nv_debug_ptx_txt");
  CHECK(row_of(lines.ptx, "inlined", 0x70)->line == 33);
}

TEST_CASE("a linked cubin has the tables and PTX of each of its parts") {
  const std::string bytes = sample("linked.sm_80.cubin");
  const Lines lines = lines_of(bytes);
  CHECK(lines.texts.size() == 2);
  CHECK(lines.ptx.files.size() == 2);
  CHECK(place(lines.source, "plain", 0xb0) == "plain.cu:7");
  CHECK(place(lines.source, "_Z6calledi", 0) == "plain.cu:3");
  CHECK(lines.ptx_line(*row_of(lines.ptx, "_Z6calledi", 0)) == "mul.lo.s32 \t%r2, %r1, %r1;");
  CHECK(lines.ptx_line(*row_of(lines.ptx, "plain", 0x50)) == "call.uni (retval0), ");
}

TEST_CASE("a cubin without line tables has none") {
  const std::string bytes = sample("kernels.sm_80.cubin");
  const Lines lines = lines_of(bytes);
  CHECK(lines.source.functions.empty());
  CHECK(lines.ptx.functions.empty());
  CHECK(lines.texts.empty());
}

TEST_CASE("rows that name no PTX have no text") {
  const std::string bytes = sample("inlined.sm_80.cubin");
  const Lines lines = lines_of(bytes);
  LineRow row;
  row.line = 100000;
  CHECK(lines.ptx_line(row).empty());
  row.line = 0;
  CHECK(lines.ptx_line(row).empty());
  row.line = 1;
  row.file = LineRow::no_file;
  CHECK(lines.ptx_line(row).empty());
}
