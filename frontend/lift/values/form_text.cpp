// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/lift/values/form_text.hpp"

#include <algorithm>
#include <array>

#include "frontend/lift/footprints/thread_digits.hpp"

namespace warpspan::lift {

namespace {

constexpr std::array<const char*, 3> thread_names = {"threadIdx.x", "threadIdx.y", "threadIdx.z"};
constexpr std::array<const char*, 3> block_names = {"blockIdx.x", "blockIdx.y", "blockIdx.z"};

class Sum {
 public:
  void add(int64_t term, const std::string& what) {
    if (term == 0) return;
    const bool negative = term < 0;
    const std::string number = negative ? std::to_string(term).substr(1) : std::to_string(term);
    if (!text_.empty()) text_ += negative ? " - " : " + ";
    if (text_.empty() && negative) text_ += "-";
    text_ += what.empty() ? number : number == "1" ? what : number + " * " + what;
  }
  std::string text() const { return text_.empty() ? "0" : text_; }

 private:
  std::string text_;
};

// Part of the number of a thread along one axis of a block.
std::string digit_name(size_t axis, int64_t step, int64_t count, int64_t extent) {
  std::string name = thread_names[axis];
  if (step > 1) name += " / " + std::to_string(step);
  if (step * count < extent) name += " % " + std::to_string(count);
  return name == thread_names[axis] ? name : "(" + name + ")";
}

// Digits that lie in one axis each; those that follow each other in an axis with the table are one.
std::vector<ThreadDigit> digits_by_axis(const std::vector<ThreadDigit>& digits, const std::array<int64_t, 3>& ends) {
  std::vector<ThreadDigit> result;
  for (ThreadDigit digit : digits) {
    for (const int64_t end : ends) {
      if (digit.step >= end || digit.step * digit.count <= end || end % digit.step != 0) continue;
      const int64_t inside = end / digit.step;
      if (digit.count % inside != 0) continue;
      result.push_back({digit.step, inside});
      digit = {end, digit.count / inside};
    }
    result.push_back(digit);
  }
  return result;
}

void add_threads(const std::vector<int64_t>& table, const ir::Extent& block, Sum& sum) {
  const std::array<int64_t, 3> ends = {block.x, block.x * block.y, block.x * block.y * block.z};
  auto digits = digits_of({&table}, static_cast<int64_t>(table.size()));
  if (!digits) return sum.add(1, "(a number of the thread)");
  digits->digits = digits_by_axis(digits->digits, ends);
  std::vector<int64_t> terms = terms_of(table, *digits);
  for (size_t d = 0; d < digits->digits.size(); ++d) {
    ThreadDigit digit = digits->digits[d];
    size_t axis = 0;
    while (axis < 2 && digit.step >= ends[axis]) ++axis;
    const int64_t first = axis == 0 ? 1 : ends[axis - 1];
    for (; d + 1 < terms.size() && digits->digits[d + 1].step < ends[axis]; ++d) {
      if (terms[d + 1] != terms[d] * digits->digits[d].count) break;
      digit.count *= digits->digits[d + 1].count;
    }
    sum.add((table[static_cast<size_t>(digit.step)]),
            digit_name(axis, digit.step / first, digit.count, ends[axis] / first));
  }
}

}  // namespace

std::string text_of(const AddressForm& form, const AddressForms& forms, const ir::Extent& block,
                    const std::map<CounterId, unsigned>& depths) {
  Sum sum;
  if (form.offsets != 0) add_threads(forms.offsets(form), block, sum);
  for (const auto& [counter, term] : form.terms) {
    const auto depth = depths.find(counter);
    std::string name = forms.is_choice(counter) ? "c" : "b";
    if (counter < block_counters) name = block_names[counter];
    if (depth != depths.end()) name = std::string(1, static_cast<char>('i' + std::min(depth->second, 15U)));
    sum.add(term, name);
  }
  sum.add(form.constant, "");
  return sum.text();
}

}  // namespace warpspan::lift
