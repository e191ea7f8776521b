#include "frontend/object/images.hpp"

#include <array>
#include <optional>

#include "frontend/object/architecture.hpp"
#include "frontend/object/archive.hpp"
#include "frontend/object/elf.hpp"
#include "frontend/object/fatbin.hpp"

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

std::optional<Diagnostic> read_all(const Input& input, std::vector<Image>& images) {
  if (looks_like_archive(input.bytes)) return read_members(input, images);
  if (looks_like_fatbin(input.bytes)) return read_fatbins(input, input.bytes, {}, images);
  if (looks_like_elf(input.bytes)) return read_elf_images(input, input, {}, images);
  return refused(input, "this is no file with GPU machine code: neither a cubin, a fatbin, a static library, nor ELF",
                 "compile with nvcc -cubin, -fatbin or -c");
}

}  // namespace

bool is_container(std::string_view bytes) {
  return looks_like_archive(bytes) || looks_like_fatbin(bytes) || looks_like_elf(bytes);
}

Result<std::vector<Image>> images(const Input& input) {
  std::vector<Image> found;
  if (auto error = read_all(input, found)) return *error;
  if (found.empty()) {
    return refused(input, "the file holds no GPU code", "compile with nvcc -cubin, -fatbin or -c, and give that file");
  }
  return found;
}

}  // namespace warpspan::object
