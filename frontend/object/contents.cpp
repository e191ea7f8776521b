// SPDX-License-Identifier: GPL-3.0-or-later
#include <lz4.h>
#include <zstd.h>

#include <limits>
#include <new>
#include <optional>

#include "frontend/object/images.hpp"

namespace warpspan::object {

namespace {

using support::Diagnostic;
using support::Result;

// At most so many bytes come out of one: each byte of a long run in LZ4 stands for 255 (LZ4 block format, "End of block
// conditions" aside); a block of zstd of 4 bytes may repeat one byte 128 KiB times (RFC 8878, section 3.1.1.2).
constexpr uint64_t most_of_lz4 = 255, most_of_zstd = (128 << 10) / 4;

uint64_t most_expansion(Image::Compression compression) {
  return compression == Image::Compression::lz4 ? most_of_lz4 : most_of_zstd;
}

std::string bytes_text(uint64_t bytes) { return std::to_string(bytes) + " bytes"; }

std::optional<Diagnostic> implausible(const Input& input, const Image& image, const Limits& limits) {
  if (image.size > limits.image_bytes) {
    return refused(input,
                   "the image at byte " + std::to_string(image.offset) + " says that it has " + bytes_text(image.size) +
                       "; at most " + bytes_text(limits.image_bytes) + " are read",
                   "take the image out of the file with cuobjdump -xelf, and give that");
  }
  if (image.size / most_expansion(image.compression) > image.stored.size()) {
    return broken(input, image.offset,
                  bytes_text(image.stored.size()) + " cannot hold an image of " + bytes_text(image.size));
  }
  return {};
}

bool decompress_zstd(std::string_view stored, char* image, uint64_t size) {
  const size_t made = ZSTD_decompress(image, size, stored.data(), stored.size());
  return ZSTD_isError(made) == 0 && made == size;
}

bool decompress_lz4(std::string_view stored, char* image, uint64_t size) {
  constexpr uint64_t most = std::numeric_limits<int>::max();
  if (stored.size() > most || size > most) return false;
  const int made = LZ4_decompress_safe(stored.data(), image, static_cast<int>(stored.size()), static_cast<int>(size));
  return made >= 0 && static_cast<uint64_t>(made) == size;
}

}  // namespace

Result<Contents> contents(const Input& input, const Image& image, const Limits& limits) {
  Contents result;
  if (image.compression == Image::Compression::none) {
    result.bytes = image.stored;
    return result;
  }
  if (image.compression == Image::Compression::unknown) {
    return refused(input, "the image at byte " + std::to_string(image.offset) + " is compressed in an unknown way",
                   "make the file again with nvcc --compress-mode=default, or with -Xfatbin -no-compress");
  }
  if (auto error = implausible(input, image, limits)) return *error;
  // Not initialized, and so not touched: the system gives memory only for what is written.
  result.owned.reset(new (std::nothrow) char[image.size]);
  if (result.owned == nullptr) {
    return refused(input, "there is no memory for an image of " + bytes_text(image.size), "free some memory");
  }
  const auto decompress = image.compression == Image::Compression::zstd ? decompress_zstd : decompress_lz4;
  if (!decompress(image.stored, result.owned.get(), image.size)) {
    return broken(input, image.offset, "the image does not decompress to the " + bytes_text(image.size) + " stated");
  }
  result.bytes = {result.owned.get(), image.size};
  if (image.kind == Image::Kind::ptx) result.bytes = without_zeros_behind(result.bytes);
  return result;
}

}  // namespace warpspan::object
