// SPDX-License-Identifier: GPL-3.0-or-later
// Dominators as the greatest solution of dom(n) = {n} + intersection over predecessors p of dom(p); post-dominators the
// same on the reversed graph. Of the post-dominators of n other than n, which form a chain, the immediate one is that
// with the most post-dominators itself.
#include "tests/reference/interpreter/control_graph.hpp"

#include <algorithm>
#include <bit>

namespace warpspan::reference {

namespace {

using Set = std::vector<uint64_t>;

bool contains(const Set& set, uint32_t member) { return (set[member / 64] >> (member % 64) & 1) != 0; }
void insert(Set& set, uint32_t member) { set[member / 64] |= uint64_t{1} << (member % 64); }
size_t size(const Set& set) {
  size_t count = 0;
  for (const uint64_t word : set) count += static_cast<size_t>(std::popcount(word));
  return count;
}

Edges reversed(const Edges& edges) {
  Edges result(edges.size());
  for (uint32_t from = 0; from < edges.size(); ++from) {
    for (const uint32_t to : edges[from]) result[to].push_back(from);
  }
  return result;
}

// The nodes in an order that reaches a fixed point soon: by depth-first search from the root, last finished first.
std::vector<uint32_t> reverse_postorder(const Edges& successors, uint32_t root) {
  std::vector<uint32_t> order;
  std::vector<bool> seen(successors.size(), false);
  std::vector<std::pair<uint32_t, size_t>> open = {{root, 0}};
  seen[root] = true;
  while (!open.empty()) {
    auto& [node, next] = open.back();
    if (next == successors[node].size()) {
      order.push_back(node);
      open.pop_back();
      continue;
    }
    const uint32_t to = successors[node][next++];
    if (!seen[to]) {
      seen[to] = true;
      open.emplace_back(to, 0);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

// The dominators of each node; of those the root does not reach, all nodes.
std::vector<Set> dominators(const Edges& successors, uint32_t root) {
  const Edges predecessors = reversed(successors);
  const size_t words = successors.size() / 64 + 1;
  std::vector<Set> result(successors.size(), Set(words, UINT64_MAX));
  result[root].assign(words, 0);
  insert(result[root], root);
  const std::vector<uint32_t> order = reverse_postorder(successors, root);
  for (bool changed = true; changed;) {
    changed = false;
    for (const uint32_t node : order) {
      if (node == root) continue;
      Set next(words, UINT64_MAX);
      for (const uint32_t p : predecessors[node]) {
        for (size_t w = 0; w < words; ++w) next[w] &= result[p][w];
      }
      insert(next, node);
      if (next != result[node]) {
        result[node] = std::move(next);
        changed = true;
      }
    }
  }
  return result;
}

// Of each node the member of its set that is nearest to it, besides itself. A node with one way on has that one.
std::vector<uint32_t> immediate(const std::vector<Set>& sets, const Edges& successors, uint32_t root) {
  std::vector<uint32_t> result(sets.size(), root);
  std::vector<size_t> sizes;
  for (const Set& set : sets) sizes.push_back(size(set));
  for (uint32_t node = 0; node < sets.size(); ++node) {
    if (successors[node].size() == 1) {
      result[node] = successors[node].front();
      continue;
    }
    size_t most = 0;
    for (uint32_t other = 0; other < sets.size(); ++other) {
      if (other == node || !contains(sets[node], other) || sizes[other] <= most) continue;
      most = sizes[other];
      result[node] = other;
    }
  }
  return result;
}

void add_body(const Edges& predecessors, uint32_t from, NaturalLoop& loop) {
  std::vector<uint32_t> open = {from};
  loop.body[loop.header] = true;
  while (!open.empty()) {
    const uint32_t node = open.back();
    open.pop_back();
    if (loop.body[node]) continue;
    loop.body[node] = true;
    open.insert(open.end(), predecessors[node].begin(), predecessors[node].end());
  }
}

}  // namespace

ControlGraph control_graph(const Edges& successors) {
  const auto end = static_cast<uint32_t>(successors.size() - 1);
  const Edges predecessors = reversed(successors);

  ControlGraph graph;
  graph.post_dominator = immediate(dominators(predecessors, end), successors, end);

  const std::vector<Set> dominates = dominators(successors, 0);
  std::vector<bool> reached(end + 1, false);
  for (const uint32_t node : reverse_postorder(successors, 0)) reached[node] = true;
  for (uint32_t header = 0; header < end; ++header) {
    NaturalLoop loop{header, std::vector<bool>(end, false)};
    bool found = false;
    for (const uint32_t from : predecessors[header]) {
      if (!reached[from] || !contains(dominates[from], header)) continue;
      found = true;
      add_body(predecessors, from, loop);
    }
    if (found) graph.loops.push_back(std::move(loop));
  }
  return graph;
}

ControlGraph control_graph(const Program& program) {
  Edges successors(program.steps.size() + 1);
  for (uint32_t i = 0; i < program.steps.size(); ++i) successors[i] = program.successors(i);
  return control_graph(successors);
}

}  // namespace warpspan::reference
