// SPDX-License-Identifier: GPL-3.0-or-later
// The text of an input, and where in it a byte stands.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostic.hpp"
#include "support/result.hpp"

namespace warpspan::support {

class SourceFile {
 public:
  SourceFile(std::string name, std::string bytes);

  const std::string& name() const { return name_; }
  // Without the byte-order mark of UTF-8, if the file begins with one.
  std::string_view text() const { return std::string_view(bytes_).substr(mark_); }

  // All of the file.
  const std::string& bytes() const { return bytes_; }

  // Line and column (from 1) of a byte offset in 0..text().size().
  Location locate(size_t offset) const;

  // The line that contains the offset, without its line end.
  std::string_view line_at(size_t offset) const;

  // A line by its number, from 1, without its line end; empty where there is none.
  std::string_view line(int64_t number) const;

  // An error at a byte offset, with its source line filled in.
  Diagnostic error_at(size_t offset, std::string message, std::string help = {}) const;

 private:
  size_t line_index(size_t offset) const;

  std::string name_;
  std::string bytes_;
  size_t mark_ = 0;  // bytes of the byte-order mark
  std::vector<size_t> line_starts_;
};

// Reads a whole file; "-" is standard input, named "<stdin>". A file that cannot be read is a usage error.
Result<SourceFile> read_source(const std::string& path);

// Whether the path names a file, in whatever spelling, that this process has read so: to write there would lose it.
bool was_read(const std::string& path);

}  // namespace warpspan::support
