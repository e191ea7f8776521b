// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/compare/compare_match.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

#include "support/nearest.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

using Kernels = std::vector<KernelFigures>;
using Key = std::function<std::string(const KernelFigures&)>;

// "k" of "old/k.ptx" and of "new/k.json".
std::string stem_of(const std::string& file) { return std::filesystem::path(file).stem().string(); }

// "(float const*, int)" of "void k<4>(float const*, int)"; empty of a name that is not mangled.
std::string parameters_of(const std::string& name) {
  const std::string whole = support::demangled(name);
  if (whole == name) return {};
  const std::string before = support::short_name(name) + "(";
  const size_t at = whole.find(before);
  return at == std::string::npos ? std::string() : whole.substr(at + before.size() - 1);
}

bool begins_or_ends_with(const std::string& longer, const std::string& shorter) {
  return longer.size() > shorter.size() && (longer.starts_with(shorter) || longer.ends_with(shorter));
}

class Matcher {
 public:
  Matcher(const Kernels& base, const Kernels& other)
      : base_(base), other_(other), base_free_(base.size(), true), other_free_(other.size(), true) {}

  // Pairs kernels whose key no other has that is left on either side. An empty key is none.
  void by(const Key& key, MatchedBy how) {
    const auto bases = grouped(base_, base_free_, key);
    const auto others = grouped(other_, other_free_, key);
    for (const auto& [name, of_base] : bases) {
      const auto found = others.find(name);
      if (found == others.end() || of_base.size() != 1 || found->second.size() != 1) continue;
      pair(of_base.front(), found->second.front(), how);
    }
  }

  void by_similarity() {
    std::vector<KernelMatch> pairs;
    for (size_t i = 0; i < base_.size(); ++i) {
      const std::vector<size_t> near = similar_to(base_[i].name, other_, other_free_);
      if (!base_free_[i] || near.size() != 1) continue;
      if (similar_to(other_[near.front()].name, base_, base_free_).size() == 1) {
        pairs.push_back({i, near.front(), MatchedBy::similarity});
      }
    }
    for (const KernelMatch& match : pairs) pair(match.base, match.other, match.how);
  }

  // Reports names that are left on both sides: several files of one side have them.
  void tell_ambiguous() {
    const auto name = [](const KernelFigures& kernel) { return kernel.name; };
    const auto others = grouped(other_, other_free_, name);
    for (const auto& [symbol, of_base] : grouped(base_, base_free_, name)) {
      const auto found = others.find(symbol);
      if (found == others.end()) continue;
      const bool in_base = of_base.size() > 1;
      std::vector<std::string> files;
      for (const size_t i : in_base ? of_base : found->second) files.push_back((in_base ? base_ : other_)[i].file);
      matches_.errors.push_back(
          support::usage_error("kernel '" + symbol + "' is in several files: " + support::enumeration(files),
                               "give one of them, or files of the same names on both sides"));
      drop(of_base, base_free_);
      drop(found->second, other_free_);
    }
  }

  KernelMatches take() {
    std::sort(matches_.pairs.begin(), matches_.pairs.end(),
              [](const KernelMatch& a, const KernelMatch& b) { return a.base < b.base; });
    return std::move(matches_);
  }

 private:
  using Groups = std::map<std::string, std::vector<size_t>>;

  static Groups grouped(const Kernels& kernels, const std::vector<bool>& is_free, const Key& key) {
    Groups groups;
    for (size_t i = 0; i < kernels.size(); ++i) {
      const std::string name = is_free[i] ? key(kernels[i]) : std::string();
      if (!name.empty()) groups[name].push_back(i);
    }
    return groups;
  }

  static std::vector<size_t> similar_to(const std::string& name, const Kernels& kernels,
                                        const std::vector<bool>& is_free) {
    std::vector<size_t> similar;
    for (size_t i = 0; i < kernels.size(); ++i) {
      if (is_free[i] && names_are_similar(name, kernels[i].name)) similar.push_back(i);
    }
    return similar;
  }

  static void drop(const std::vector<size_t>& kernels, std::vector<bool>& is_free) {
    for (const size_t i : kernels) is_free[i] = false;
  }

  void pair(size_t base, size_t other, MatchedBy how) {
    matches_.pairs.push_back({base, other, how});
    base_free_[base] = false;
    other_free_[other] = false;
  }

  const Kernels& base_;
  const Kernels& other_;
  std::vector<bool> base_free_, other_free_;  // not in a pair
  KernelMatches matches_;
};

}  // namespace

bool names_are_similar(const std::string& a, const std::string& b) {
  const std::string short_a = support::short_name(a), short_b = support::short_name(b);
  if (short_a.empty() || short_b.empty()) return false;
  if (begins_or_ends_with(short_a, short_b) || begins_or_ends_with(short_b, short_a)) return true;
  if (3 * support::edit_distance(short_a, short_b) <= std::min(short_a.size(), short_b.size())) return true;
  const std::string parameters = parameters_of(a);
  return !parameters.empty() && parameters != "()" && parameters == parameters_of(b);
}

KernelMatches match_kernels(const std::vector<KernelFigures>& base, const std::vector<KernelFigures>& other) {
  Matcher matcher(base, other);
  matcher.by([](const KernelFigures& kernel) { return kernel.name; }, MatchedBy::name);
  matcher.by([](const KernelFigures& kernel) { return kernel.name + '\n' + stem_of(kernel.file); }, MatchedBy::name);
  matcher.tell_ambiguous();
  matcher.by([](const KernelFigures& kernel) { return support::demangled(kernel.name); }, MatchedBy::demangled_name);
  matcher.by([](const KernelFigures& kernel) { return support::short_name(kernel.name); }, MatchedBy::short_name);
  matcher.by_similarity();
  return matcher.take();
}

}  // namespace warpspan::app
