// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/fatbin.hpp"

#include "frontend/object/architecture.hpp"

namespace warpspan::object {

namespace {

using support::Diagnostic;

constexpr uint32_t magic = 0xba55ed50;
constexpr uint64_t container_header = 16, entry_header = 0x40;

// An entry begins with these fields, which are all that is needed of its header (docs/containers.md).
struct Entry {
  uint64_t offset = 0;  // in the file
  uint16_t kind = 0;
  uint32_t header_bytes = 0;
  uint64_t payload_bytes = 0;     // with padding
  uint32_t compressed_bytes = 0;  // without
  uint32_t architecture = 0;
  uint64_t flags = 0;
  uint64_t bytes = 0;  // after decompression
};

Entry read_entry(Cursor& at) {
  Entry entry;
  entry.kind = at.u16();
  at.u16();
  entry.header_bytes = at.u32();
  entry.payload_bytes = at.u64();
  entry.compressed_bytes = at.u32();
  at.u32();  // where its options are
  at.u32();  // version of the PTX ISA, or of the code
  entry.architecture = at.u32();
  at.u64();  // where its name is
  entry.flags = at.u64();
  at.u64();
  entry.bytes = at.u64();
  return entry;
}

Image::Kind kind_of(uint16_t kind) {
  switch (kind) {
    case 1: return Image::Kind::ptx;
    case 2: return Image::Kind::cubin;
    case 8: return Image::Kind::lto_ir;
    default: return Image::Kind::unknown;
  }
}

Image::Compression compression_of(uint64_t flags) {
  constexpr uint64_t former = 0x1000, lz4 = 0x2000, zstd = 0x8000;
  switch (flags & (former | lz4 | zstd)) {
    case 0: return Image::Compression::none;
    case lz4: return Image::Compression::lz4;
    case zstd: return Image::Compression::zstd;
    default: return Image::Compression::unknown;
  }
}

std::optional<Diagnostic> append(const Input& input, const Entry& entry, std::string_view payload, Image image,
                                 std::vector<Image>& images) {
  image.kind = kind_of(entry.kind);
  image.compression = compression_of(entry.flags);
  image.architecture = to_string(architecture_of_entry(entry.architecture, entry.flags));
  if (image.compression == Image::Compression::none) {
    image.stored = image.kind == Image::Kind::ptx ? without_zeros_behind(payload) : payload;
    image.size = image.stored.size();
  } else {
    if (entry.compressed_bytes > payload.size()) {
      return broken(input, entry.offset, "the compressed bytes of a fatbin's entry are more than the entry has");
    }
    image.stored = payload.substr(0, entry.compressed_bytes);
    image.size = entry.bytes;
  }
  image.offset = offset_in(input.bytes, image.stored);
  images.push_back(std::move(image));
  return {};
}

std::optional<Diagnostic> read_entries(const Input& input, std::string_view bytes, const Image& from,
                                       std::vector<Image>& images) {
  for (Cursor at(bytes); !at.at_end();) {
    const uint64_t position = at.position();
    const uint64_t offset = offset_in(input.bytes, bytes) + position;
    Entry entry = read_entry(at);
    entry.offset = offset;
    if (at.failed()) return broken(input, offset, "the header of a fatbin's entry is cut short");
    const uint64_t left = bytes.size() - position;
    if (entry.header_bytes < entry_header || entry.header_bytes > left) {
      return broken(input, offset, "a fatbin's entry has an impossible size of its header");
    }
    if (entry.payload_bytes > left - entry.header_bytes) {
      return broken(input, offset, "a fatbin's entry reaches past the end of the fatbin");
    }
    const std::string_view payload = bytes.substr(position + entry.header_bytes, entry.payload_bytes);
    if (auto error = append(input, entry, payload, from, images)) return error;
    at = Cursor(bytes, position + entry.header_bytes + entry.payload_bytes);
  }
  return {};
}

}  // namespace

bool looks_like_fatbin(std::string_view bytes) { return Cursor(bytes).u32() == magic; }

std::optional<Diagnostic> read_fatbins(const Input& input, std::string_view bytes, const Image& from,
                                       std::vector<Image>& images) {
  uint64_t position = 0;
  while ((position = bytes.find_first_not_of('\0', position)) != std::string_view::npos) {
    const uint64_t offset = offset_in(input.bytes, bytes) + position;
    Cursor at(bytes, position);
    if (at.u32() != magic) return broken(input, offset, "here should begin a fatbin, with the bytes 50 ed 55 ba");
    at.u16();  // its version
    const uint16_t header = at.u16();
    const uint64_t size = at.u64();
    if (at.failed()) return broken(input, offset, "the header of a fatbin is cut short");
    if (header < container_header || !within(position + header, size, bytes.size())) {
      return broken(input, offset, "a fatbin reaches past the end of what holds it");
    }
    Image inside = from;
    inside.fatbin = offset + header;
    if (auto error = read_entries(input, bytes.substr(position + header, size), inside, images)) return error;
    position += header + size;
  }
  return {};
}

}  // namespace warpspan::object
