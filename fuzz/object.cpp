// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes are a container of machine code, a cubin, or a list of errors that can be printed; what is read lies in the
// bytes, and reading takes no more memory than their size permits.
#include <algorithm>
#include <string>

#include "frontend/object/cubin.hpp"
#include "frontend/object/image_choice.hpp"
#include "frontend/object/images.hpp"
#include "frontend/object/kernel_identity.hpp"
#include "frontend/object/kernel_names.hpp"
#include "frontend/object/lines.hpp"
#include "frontend/object/other_formats.hpp"

namespace {

using namespace warpspan;

void check(bool holds) {
  if (!holds) __builtin_trap();
}

void check_errors(const support::Diagnostics& errors) {
  check(!errors.empty());
  for (const support::Diagnostic& error : errors) check(!render(error, false).empty());
}

bool lies_in(std::string_view part, std::string_view whole) {
  return part.empty() || (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

void read_as_cubin(std::string_view bytes) {
  const object::Input input{"fuzz.cubin", bytes};
  const auto cubin = object::read_cubin(input);
  if (!cubin) check_errors(cubin.errors());
  const auto lines = object::read_lines(input);
  if (!lines) check_errors(lines.errors());
  if (!cubin) return;
  for (const object::Function& function : cubin->functions) {
    check(lies_in(function.code, bytes) && lies_in(function.name, bytes));
    for (const object::Subroutine& part : function.subroutines) {
      check(part.begin <= part.end && part.end <= function.code.size());
    }
    for (const object::IndirectBranch& branch : function.indirect_branches) {
      for (const uint32_t target : branch.targets) check(target < function.code.size());
    }
    for (const object::Relocation& relocation : function.relocations) check(relocation.offset < function.code.size());
  }
  if (const auto names = object::kernels_of_cubin(input)) {
    for (const object::Function& function : cubin->functions) {
      if (function.entry) check(std::find(names->begin(), names->end(), function.name) != names->end());
      check(!object::identity_of(*cubin, function).empty());
    }
  }
  if (!lines) return;
  for (const object::FunctionLines& function : lines->ptx.functions) {
    for (const object::LineRow& row : function.rows) check(lies_in(lines->ptx_line(row), bytes));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read_as_cubin(bytes);
  const object::Input input{"fuzz.o", bytes};
  for (const std::string& word : object::words_behind_entry(bytes)) check(!word.empty());
  if (const auto error = object::not_text(input)) check(error->source_line.empty());
  const auto images = object::images(input);
  if (!images) {
    check_errors(images.errors());
    return 0;
  }
  check(!images->empty());
  check(object::parts_of(*images).size() == images->size());
  constexpr object::Limits limits{uint64_t{1} << 20};
  for (const object::Image& image : *images) {
    check(lies_in(image.stored, bytes));
    const auto contents = object::contents(input, image, limits);
    if (!contents) {
      check_errors(contents.errors());
    } else if (image.kind == object::Image::Kind::cubin && contents->owned != nullptr) {
      read_as_cubin(contents->bytes);
    }
  }
  return 0;
}
