// SPDX-License-Identifier: MIT-0
// Results that are read instead of measured: lines "NAME: NUMBER...", one number for each repetition, and "NAME =
// TEXT".
static bool read_line(const std::string& line, Results& results) {
  if (line.empty() || line[0] == '#') return true;
  const std::size_t colon = line.find(": ");
  const std::size_t equals = line.find(" = ");
  if (equals != std::string::npos && (colon == std::string::npos || equals < colon)) {
    results.add_text(line.substr(0, equals), line.substr(equals + 3));
    return true;
  }
  if (colon == std::string::npos || results.has(line.substr(0, colon))) return false;
  const char* at = line.c_str() + colon + 2;
  do {
    char* end = nullptr;
    errno = 0;
    const Number value = std::strtoll(at, &end, 10);
    if (end == at || errno != 0) return false;
    results.add(line.substr(0, colon), value);
    at = end;
    while (*at == ' ') ++at;
  } while (*at != '\0');
  return true;
}

static bool measure(int count, char** arguments, Results& results) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s FILE, of results as 'calibrate --raw FILE' writes them\n", arguments[0]);
    return false;
  }
  std::FILE* file = std::fopen(arguments[1], "r");
  if (file == nullptr) {
    std::fprintf(stderr, "%s: cannot be read\n", arguments[1]);
    return false;
  }
  std::string line;
  int number = 1;
  for (int letter = std::fgetc(file);; letter = std::fgetc(file)) {
    if (letter != '\n' && letter != EOF) {
      line += static_cast<char>(letter);
      continue;
    }
    if (!read_line(line, results)) {
      errors.push_back(std::string(arguments[1]) + ":" + std::to_string(number) +
                       ": neither a new name with ': ' and whole numbers nor one with ' = ' and a text");
    }
    if (letter == EOF) break;
    line.clear();
    ++number;
  }
  std::fclose(file);
  return true;
}
