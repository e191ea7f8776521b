// SPDX-License-Identifier: GPL-3.0-or-later
// glibc has arc4random from 2.36 on, and LLVM calls it where it is (names of temporary files). A program that has its
// own runs with glibc 2.35 as well.
#include <sys/random.h>

#include <cstdint>
#include <cstdlib>

extern "C" uint32_t arc4random() noexcept {
  uint32_t drawn = 0;
  if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn) std::abort();
  return drawn;
}
