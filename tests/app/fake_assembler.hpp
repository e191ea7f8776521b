// SPDX-License-Identifier: GPL-3.0-or-later
// An assembler for machines that have none: a script that writes machine code that was stored.
#pragma once

#include <filesystem>
#include <string>

#include "tests/files.hpp"

namespace warpspan::test {

// Writes the script FOLDER/NAME. It prints its version; notes its words in FOLDER/NAME.words, without the folders of
// its files; and runs `work`, lines of a shell with the files as $in and $out.
inline std::string fake_assembler(const TemporaryFolder& folder, const std::string& name, const std::string& work,
                                  const std::string& version = "fake assembler, release 1.0") {
  const std::string path = folder.file(name);
  write_file(path,
             "#!/bin/sh\n"
             "for word; do\n"
             "  [ \"$last\" = -o ] && out=$word\n"
             "  last=$word\n"
             "done\n"
             "in=$last\n"
             "if [ \"$last\" = --version ]; then echo '" +
                 version + "'; " + (version.empty() ? "exit 0" : "exit") +
                 "; fi\n"
                 "echo \"$*\" | sed 's|/[^ ]*/||g' >> '" +
                 path + ".words'\n" + work + "\n");
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

// One that writes this file.
inline std::string copying_assembler(const TemporaryFolder& folder, const std::string& name, const std::string& cubin) {
  return fake_assembler(folder, name, "cp '" + cubin + "' \"$out\"");
}

}  // namespace warpspan::test
