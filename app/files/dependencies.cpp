// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/dependencies.hpp"

namespace warpspan::app {

namespace {

std::string escaped(const std::string& path) {
  std::string text;
  for (const char c : path) {
    if (c == ' ' || c == '#' || c == ':') text += '\\';
    if (c == '$') text += '$';
    text += c;
  }
  return text;
}

}  // namespace

std::string dependency_rule(const std::string& target, const std::set<std::string>& files) {
  std::string rule = escaped(target) + ":";
  for (const std::string& file : files) rule += " \\\n  " + escaped(file);
  return rule + "\n";
}

}  // namespace warpspan::app
