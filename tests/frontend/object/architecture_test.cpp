// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/architecture.hpp"

#include "tests/frontend/object/samples.hpp"

using namespace warpspan;
using namespace warpspan::object;

namespace {

std::string name_of(uint8_t abi_version, uint32_t flags, std::vector<Section> sections = {}) {
  ElfFile elf;
  elf.abi_version = abi_version;
  elf.flags = flags;
  elf.sections = std::move(sections);
  return to_string(architecture_of(elf));
}

Section section(std::string_view name, std::string_view bytes) {
  Section section;
  section.name = name;
  section.bytes = bytes;
  return section;
}

}  // namespace

TEST_CASE("architectures stand where the version of the layout has them") {
  // e_flags of cubins of ptxas 12.9, ...
  CHECK(name_of(7, 0x4b054b) == "sm_75");
  CHECK(name_of(7, 0x500550) == "sm_80");
  CHECK(name_of(7, 0x5a055a) == "sm_90");
  CHECK(name_of(7, 0x5a0d5a) == "sm_90a");
  CHECK(name_of(8, 0x600640a) == "sm_100a");
  // ... of ptxas 13.0, ...
  CHECK(name_of(8, 0x6004b04) == "sm_75");
  CHECK(name_of(8, 0x6005004) == "sm_80");
  CHECK(name_of(8, 0x6007802) == "sm_120");
  // ... and of a cubin for sm_61 of CUDA 11.
  CHECK(name_of(7, 0x3d053d) == "sm_61");
}

TEST_CASE("suffixes stand in the compatibility section or in the command line of the assembler") {
  using namespace std::string_view_literals;
  CHECK(name_of(8, 0x6005a04, {section(".nv.compat", "\2\11\1\0\2\2\1\0"sv)}) == "sm_90a");
  CHECK(name_of(8, 0x6005a04, {section(".nv.compat", "\2\11\0\0\2\2\1\0"sv)}) == "sm_90");
  // A payload that looks like the entry is none.
  CHECK(name_of(8, 0x6005a04, {section(".nv.compat", "\4\13\4\0\2\11\1\0"sv)}) == "sm_90");
  CHECK(name_of(8, 0x6006402, {section(".note.nv.tkinfo", "ptxas\0-arch sm_100f -m 64 \0"sv)}) == "sm_100f");
  CHECK(name_of(8, 0x6006402, {section(".note.nv.tkinfo", "ptxas\0-arch sm_100 -o sm_100fast.cubin"sv)}) == "sm_100");
  CHECK(name_of(8, 0x6006402, {section(".note.nv.tkinfo", "ptxas\0-arch sm_100a"sv)}) == "sm_100a");
  CHECK(name_of(8, 0x6000a02, {section(".note.nv.tkinfo", "-arch sm_100a"sv)}) == "sm_10");
}

TEST_CASE("entries of fatbins have suffixes in their flags") {
  CHECK(to_string(architecture_of_entry(90, 0x11)) == "sm_90");
  CHECK(to_string(architecture_of_entry(90, 0x100011)) == "sm_90a");
  CHECK(to_string(architecture_of_entry(100, 0x1200011)) == "sm_100f");
}
