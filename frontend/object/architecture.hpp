// SPDX-License-Identifier: GPL-3.0-or-later
// Which GPU an image is for.
#pragma once

#include <cstdint>
#include <string>

#include "frontend/object/elf.hpp"

namespace warpspan::object {

struct Architecture {
  uint32_t number = 0;  // 90 of "sm_90a"
  char suffix = '\0';   // 'a': this one only, 'f': its family; none: later ones of the generation too
};

// "sm_90a".
std::string to_string(const Architecture& architecture);

// Of a cubin. The number stands in e_flags: in the low byte up to ABI version 7 (ptxas 12.9 and earlier, for GPUs
// before sm_100), in bits 8 to 15 from version 8 on. The suffix 'a': in e_flags, 0x800 up to version 7 and 0x8 with
// ptxas 12.9 later; with ptxas 13.0, the entry 9 of '.nv.compat'. Both suffixes stand in the command line of ptxas in
// '.note.nv.tkinfo'. Observed in output of ptxas 12.9 and 13.0; LLVM's BinaryFormat/ELF.h has the same masks.
Architecture architecture_of(const ElfFile& cubin);

// Of an entry of a fatbin, by its number and its flags (0x100000: 'a', 0x200000: 'f'). Observed in output of fatbinary
// 13.0.
Architecture architecture_of_entry(uint32_t number, uint64_t flags);

}  // namespace warpspan::object
