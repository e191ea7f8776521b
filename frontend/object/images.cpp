// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/images.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "frontend/object/architecture.hpp"
#include "frontend/object/archive.hpp"
#include "frontend/object/elf.hpp"
#include "frontend/object/fatbin.hpp"
#include "frontend/object/other_formats.hpp"

namespace warpspan::object {

namespace {

using support::Diagnostic;
using support::Result;

constexpr std::array sections_of_fatbins = {std::string_view(".nv_fatbin"), std::string_view("__nv_relfatbin")};

// `part` is all of the file, or one member of it.
std::optional<Diagnostic> read_elf_images(const Input& input, const Input& part, const Image& from,
                                          std::vector<Image>& images) {
  Result<ElfFile> elf = read_elf(part);
  if (!elf) return elf.errors().front();
  if (elf->machine == machine_of_cubins) {
    Image image = from;
    image.kind = Image::Kind::cubin;
    image.architecture = to_string(architecture_of(*elf));
    image.offset = offset_in(input.bytes, part.bytes);
    image.stored = part.bytes;
    image.size = part.bytes.size();
    images.push_back(std::move(image));
    return {};
  }
  Allowance allowance(part.bytes.size());  // several headers may name the same bytes
  for (const std::string_view name : sections_of_fatbins) {
    for (const Section& section : elf->sections) {
      if (section.name != name) continue;
      if (!allowance.take(section.bytes.size())) {
        return broken(input, offset_in(input.bytes, section.bytes), "sections of fatbins overlap");
      }
      Image inside = from;
      inside.section = section.name;
      if (auto error = read_fatbins(input, section.bytes, inside, images)) return error;
    }
  }
  return {};
}

// Anything that a static library holds besides is none of our business.
std::optional<Diagnostic> read_member(const Input& input, const Member& member, std::vector<Image>& images) {
  Image from;
  from.member = member.name;
  const Input part{input.name + "(" + member.name + ")", member.bytes};
  if (looks_like_elf64(member.bytes)) return read_elf_images(input, part, from, images);
  if (looks_like_fatbin(member.bytes)) return read_fatbins(input, member.bytes, from, images);
  return {};
}

std::optional<Diagnostic> read_members(const Input& input, std::vector<Image>& images) {
  Result<std::vector<Member>> members = read_archive(input);
  if (!members) return members.errors().front();
  for (const Member& member : *members) {
    if (auto error = read_member(input, member, images)) return error;
  }
  return {};
}

std::optional<Diagnostic> read_fatbin_file(const Input& input, std::vector<Image>& images) {
  return read_fatbins(input, input.bytes, {}, images);
}

std::optional<Diagnostic> read_elf_file(const Input& input, std::vector<Image>& images) {
  return read_elf_images(input, input, {}, images);
}

// The formats of files, in the order in which they are tried: what one begins with, and what adds its images.
struct Format {
  bool (*looks_like)(std::string_view bytes);
  std::optional<Diagnostic> (*read)(const Input& input, std::vector<Image>& images);
};

constexpr Format formats[] = {
    {looks_like_archive, read_members},
    {looks_like_fatbin, read_fatbin_file},
    {looks_like_elf, read_elf_file},
};

const Format* format_of(std::string_view bytes) {
  const auto* format = std::find_if(std::begin(formats), std::end(formats),
                                    [bytes](const Format& one) { return one.looks_like(bytes); });
  return format == std::end(formats) ? nullptr : format;
}

}  // namespace

bool is_container(std::string_view bytes) { return format_of(bytes) != nullptr; }

Result<std::vector<Image>> images(const Input& input) {
  const Format* format = format_of(input.bytes);
  if (format == nullptr) {
    return refused(input, "this is no file with GPU machine code: neither a cubin, a fatbin, a static library, nor ELF",
                   "compile with nvcc -cubin, -fatbin or -c");
  }
  std::vector<Image> found;
  if (auto error = format->read(input, found)) return *error;
  if (found.empty()) {
    return without_images(input);
  }
  return found;
}

}  // namespace warpspan::object
