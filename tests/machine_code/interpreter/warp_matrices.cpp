// SPDX-License-Identifier: GPL-3.0-or-later
// LDSM and STSM: matrices of eight rows of eight elements of 16 bits. Row r of matrix m lies where lane 8 m + r says;
// lane t has two elements of each matrix in a register: of row t / 4 those at 2 (t mod 4), or of .MT88 of column t / 4
// those in the rows from 2 (t mod 4) on (PTX ISA, ldmatrix and stmatrix).
#include <array>
#include <bit>

#include "frontend/sass/words/bits.hpp"
#include "tests/machine_code/interpreter/warp.hpp"

namespace warpspan::machine_code {

namespace {

constexpr unsigned rows_of_matrix = 8, row_bytes = 16;

struct Shape {
  unsigned matrices = 1;
  bool is_transposed = false;
};

// Nothing for other elements, or other matrices.
std::optional<Shape> shape_of(const sass::Instruction& instruction, bool loads) {
  const uint64_t size = sass::field(instruction.word, 72, 2), kind = sass::field(instruction.word, 78, 2);
  const bool of_bytes = sass::field(instruction.word, 75, 3) != 0 || (loads && sass::bit(instruction.word, 80));
  if (size > 2 || kind > 1 || of_bytes) return std::nullopt;
  return Shape{1U << size, kind == 1};
}

}  // namespace

bool Warp::matrices(Machine& machine, LaneSet lanes) {
  const sass::Instruction& instruction = machine.instruction;
  const bool loads = instruction.mnemonic() == "LDSM";
  if (!loads && instruction.mnemonic() != "STSM") return false;
  const auto shape = shape_of(instruction, loads);
  if (!shape || lanes != UINT32_MAX) {
    machine.refuse("a shape of matrices, or a part of the warp");
    return true;
  }
  const size_t address = loads ? 1 : 0, data = loads ? 0 : 1;
  std::vector<reference::LaneAccess> accesses;
  std::vector<Place> rows;
  for (unsigned number = 0; number < rows_of_matrix * shape->matrices; ++number) {
    const Place place = place_of(Lane(machine, number), address);
    if (place.address % row_bytes != 0) machine.refuse("an access that is not aligned");
    if (!machine.refusal.empty()) return true;
    note_place(static_cast<uint32_t>(instruction.offset / sass::word_bytes), number, place, row_bytes);
    accesses.push_back({number, place.piece, place.address});
    rows.push_back(place);
  }
  for (unsigned matrix = 0; matrix < shape->matrices; ++matrix) {
    for (unsigned number = 0; number < lanes_of_warp; ++number) {
      Lane lane(machine, number);
      uint32_t word = loads ? 0 : lane.register_word(data, matrix);
      for (unsigned half = 0; half < 2; ++half) {
        const unsigned own = number / 4, pair = 2 * (number % 4) + half;
        const Place& row = rows[rows_of_matrix * matrix + (shape->is_transposed ? pair : own)];
        const uint64_t at = row.address + 2 * uint64_t{shape->is_transposed ? own : pair};
        if (loads)
          word |= static_cast<uint32_t>(row.memory->load(at, 2)) << (16 * half);
        else
          row.memory->store(at, 2, word >> (16 * half) & 0xffff);
      }
      if (loads) lane.set(data, word, matrix);
    }
  }
  ++record_.requests;
  note(machine, accesses, row_bytes);
  return true;
}

}  // namespace warpspan::machine_code
