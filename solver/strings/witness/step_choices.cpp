// SPDX-License-Identifier: GPL-3.0-or-later
// A step is one choice for each class: min(ready workers, servers) of its ready workers, given by how many leave each
// position. Where a class has more choices than are allowed, those are taken in which neighbouring positions execute:
// beginning at some of the positions, all around upwards and all around downwards.
#include "solver/strings/witness/step_choices.hpp"

#include <algorithm>

namespace warpspan::solver {

namespace {

// Choices of each class, so that no state has more than a few thousand steps.
size_t most_choices(size_t classes) {
  constexpr size_t most[] = {0, 256, 48, 12, 6};
  return classes < std::size(most) ? most[classes] : 2;
}

Standing take(const Standing& here, int64_t& executing) {
  const int64_t workers = std::min<int64_t>(here.workers, executing);
  executing -= workers;
  return {here.position, static_cast<uint32_t>(workers)};
}

}  // namespace

void StepChoices::set_state(std::span<const Standing> state) {
  collect(state);
  executed_ = 0;
  size_t classes_with_choice = 0;
  for (size_t i = 0; i < present_; ++i) {
    const Class& of_class = classes_[i];
    executed_ += std::min(of_class.ready_workers, servers_[of_class.k]);
    classes_with_choice += of_class.ready_workers > servers_[of_class.k] && of_class.ready.size() > 1 ? 1 : 0;
  }
  for (size_t i = 0; i < present_; ++i) choose(classes_[i], most_choices(classes_with_choice));
  at_end_ = present_ == 0;
}

void StepChoices::collect(std::span<const Standing> state) {
  for (size_t i = 0; i < present_; ++i) class_of_[classes_[i].k] = none;
  present_ = 0;
  for (const Standing& here : state) {
    const auto k = static_cast<size_t>(symbols_[here.position]);
    if (class_of_[k] == none) {
      class_of_[k] = present_++;
      if (classes_.size() < present_) classes_.emplace_back();
      Class& fresh = classes_[class_of_[k]];
      fresh.k = k;
      fresh.ready_workers = 0;
      fresh.ready.clear();
      fresh.choices.clear();
      fresh.chosen = 0;
    }
    Class& of_class = classes_[class_of_[k]];
    of_class.ready.push_back(here);
    of_class.ready_workers += here.workers;
  }
}

void StepChoices::choose(Class& of_class, size_t most) {
  const int64_t servers = servers_[of_class.k];
  if (of_class.ready_workers <= servers) {
    of_class.choices.push_back(of_class.ready);
  } else if (of_class.ready.size() == 1) {
    of_class.choices.push_back({{of_class.ready[0].position, static_cast<uint32_t>(servers)}});
  } else if (!spread(of_class, 0, servers, of_class.ready_workers, most)) {
    has_left_out_any_ = true;
    choice_.clear();
    of_class.choices.clear();
    sample(of_class, servers, most);
  }
}

// All choices of `executing` of the `standing` workers at ready positions `first` and later, besides those in
// choice_; false if there are more than allowed.
bool StepChoices::spread(Class& of_class, size_t first, int64_t executing, int64_t standing, size_t most) {
  if (executing == 0) {
    of_class.choices.push_back(choice_);
    return of_class.choices.size() <= most;
  }
  const Standing& here = of_class.ready[first];
  const int64_t behind = standing - here.workers;
  for (int64_t n = std::max<int64_t>(0, executing - behind); n <= std::min<int64_t>(here.workers, executing); ++n) {
    if (n > 0) choice_.push_back({here.position, static_cast<uint32_t>(n)});
    const bool go_on = spread(of_class, first + 1, executing - n, behind, most);
    if (n > 0 && go_on) choice_.pop_back();
    if (!go_on) return false;
  }
  return true;
}

void StepChoices::sample(Class& of_class, int64_t executing, size_t most) const {
  const Standings& ready = of_class.ready;
  const size_t starts = std::min(ready.size(), most / 2);
  for (size_t s = 0; s < starts; ++s) {
    const size_t start = starts == 1 ? 0 : s * (ready.size() - 1) / (starts - 1);
    for (const size_t stride : {size_t{1}, ready.size() - 1}) {
      Standings choice;
      int64_t left = executing;
      for (size_t i = start; left > 0; i = (i + stride) % ready.size()) choice.push_back(take(ready[i], left));
      of_class.choices.push_back(std::move(choice));
    }
  }
}

bool StepChoices::next(Standings& step) {
  if (at_end_) return false;
  step.clear();
  for (size_t i = 0; i < present_; ++i) {
    const Standings& choice = classes_[i].choices[classes_[i].chosen];
    step.insert(step.end(), choice.begin(), choice.end());
  }
  size_t i = 0;
  while (i < present_ && ++classes_[i].chosen == classes_[i].choices.size()) classes_[i++].chosen = 0;
  at_end_ = i == present_;
  return true;
}

}  // namespace warpspan::solver
