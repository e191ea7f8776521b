// SPDX-License-Identifier: MIT-0
int main(int count, char** arguments) {
  Results results;
  if (!measure(count, arguments, results)) return 2;
  const std::string file = errors.empty() ? machine_file(results) : std::string();
  for (const std::string& error : errors) std::fprintf(stderr, "error: %s\n", error.c_str());
  if (!errors.empty()) {
    std::fprintf(stderr, "no machine file is printed\n");
    return 1;
  }
  return std::fputs(file.c_str(), stdout) < 0 || std::fflush(stdout) != 0 ? 2 : 0;
}
