// SPDX-License-Identifier: GPL-3.0-or-later
// The machine code of a cubin's kernels and of the functions of other sections that they call, decoded.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontend/object/cubin.hpp"
#include "frontend/object/lines.hpp"
#include "frontend/sass/words/code.hpp"
#include "frontend/sass/words/decode.hpp"
#include "ir/listed_instruction.hpp"
#include "support/result.hpp"

namespace warpspan::frontend {

ir::LaunchBounds bounds_of(const object::Function& function);

class CubinCode {
 public:
  // Decodes kernels, given by their indices among the functions, and what relocations say that they call. The listing,
  // a file of that name, has the kernels in this order, and then the others, with their names before offsets. Errors:
  // instructions that are not known, unless they are accepted, or an architecture that is not.
  static support::Result<CubinCode> decode(const object::Cubin& cubin, const std::vector<size_t>& kernels,
                                           const std::string& listing_name, sass::UnknownOpcodes unknown);

  const std::shared_ptr<const support::SourceFile>& listing() const { return listing_; }
  // Of the listing, where a function that was decoded begins.
  uint32_t first_line(size_t function) const { return decoded_.at(function).first_line; }
  // For each thread of a kernel: the most that it or what it may call needs. None if the file does not say it of all.
  std::optional<uint32_t> registers_of(size_t kernel) const;
  // Of a kernel, with all that it may call. `file` is for messages.
  sass::Code code_of(size_t kernel, const object::Lines& lines, const std::string& file) const;
  // By instruction of code_of, where it stands in a text of PTX; line 0: not known.
  struct PtxPlace {
    uint32_t file = 0;  // of the table of lines
    uint32_t line = 0;
  };
  std::vector<PtxPlace> ptx_places(size_t kernel, const object::Lines& lines) const;
  // The lines of the listing that are of this code, in its order.
  std::vector<ir::ListedInstruction> listed(size_t kernel, const object::Lines& lines) const;

 private:
  struct Decoded {
    std::vector<sass::Instruction> instructions;  // by their offsets in the section
    uint32_t first_line = 1;
    std::vector<uint32_t> text_offsets;  // by instruction, where its line begins in the listing
  };

  explicit CubinCode(const object::Cubin& cubin) : cubin_(&cubin) {}
  void add_section(size_t function, const object::Lines& lines, sass::Code& code) const;
  void add_references(size_t function, const std::map<size_t, uint32_t>& begins, sass::Code& code) const;
  void add_addresses(const std::vector<size_t>& functions, sass::Code& code) const;
  void add_pointed_functions(size_t kernel, sass::Code& code) const;

  const object::Cubin* cubin_;
  std::map<size_t, Decoded> decoded_;                                    // by function
  std::map<uint32_t, std::shared_ptr<const std::string>> module_banks_;  // constants of the module
  std::shared_ptr<const support::SourceFile> listing_;
};

}  // namespace warpspan::frontend
