// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/html/flow_graph.hpp"

#include <catch2/catch.hpp>
#include <regex>

using namespace warpspan::app;

namespace {

struct Box {
  double x = 0, y = 0, width = 0, height = 0;
};

// Each box is drawn twice: its ground, and its heat.
std::vector<Box> boxes_of(const std::string& picture) {
  const std::regex box("<rect x=\"(-?[0-9.]+)\" y=\"([0-9.]+)\" width=\"([0-9.]+)\" height=\"([0-9.]+)\" rx=\"3\"/>");
  std::vector<Box> boxes;
  for (std::sregex_iterator at(picture.begin(), picture.end(), box), end; at != end; ++at) {
    boxes.push_back({std::stod((*at)[1]), std::stod((*at)[2]), std::stod((*at)[3]), std::stod((*at)[4])});
  }
  return boxes;
}

FlowNode node(std::vector<size_t> next, const std::string& word = "lines 1 to 2") {
  FlowNode made;
  made.words = {word};
  made.next = std::move(next);
  return made;
}

void check_apart(const std::vector<Box>& boxes) {
  for (size_t i = 0; i < boxes.size(); ++i) {
    CHECK(boxes[i].x >= 0);
    for (size_t k = 0; k < i; ++k) {
      const Box &a = boxes[i], &b = boxes[k];
      const bool apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
      INFO(k << " and " << i);
      CHECK(apart);
    }
  }
}

}  // namespace

TEST_CASE("blocks stand below what leads to them, and side by side") {
  const std::vector<Box> boxes = boxes_of(flow_picture({node({1, 2}), node({3}), node({3}), node({})}, "a", "k"));
  REQUIRE(boxes.size() == 4);
  check_apart(boxes);
  CHECK(boxes[1].y > boxes[0].y);
  CHECK(boxes[1].y == boxes[2].y);
  CHECK(boxes[3].y > boxes[2].y);
}

TEST_CASE("the worst path is marked along its edges, and edges back are broken") {
  FlowGraph graph = {node({1, 2}), node({1, 3}), node({3}), node({})};
  for (const size_t i : {0, 1, 3}) graph[i].is_worst = true;
  const std::string picture = flow_picture(graph, "a", "k");
  const auto count = [&picture](const std::string& part) {
    size_t found = 0;
    for (size_t at = 0; (at = picture.find(part, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  CHECK(count("<path class=\"on worst\"") == 2);
  CHECK(count("<path class=\"on\"") == 2);
  CHECK(count("<path class=\"back worst\"") == 1);
  CHECK(count("<g class=\"worst\">") == 3);
}

TEST_CASE("words of blocks are escaped") {
  const std::string picture = flow_picture({node({}, "</text><script>")}, "<&>", "k");
  CHECK(picture.find("<script>") == std::string::npos);
  CHECK(picture.find("<title>&lt;&amp;&gt;</title>") != std::string::npos);
}

TEST_CASE("no boxes overlap in random graphs") {
  CHECK(flow_picture({}, "a", "k").empty());
  uint32_t state = 1;
  const auto draw = [&state](size_t below) {
    state = state * 1664525 + 1013904223;
    return (state >> 8) % below;
  };
  for (int round = 0; round < 60; ++round) {
    FlowGraph graph(1 + draw(40));
    for (size_t i = 0; i < graph.size(); ++i) {
      graph[i] = node({}, std::string(1 + draw(30), 'x'));
      if (i + 1 < graph.size()) graph[i].next.push_back(i + 1 + draw(std::min<size_t>(6, graph.size() - i - 1)));
      if (draw(3) == 0) graph[i].next.push_back(draw(graph.size()));
    }
    const std::vector<Box> boxes = boxes_of(flow_picture(graph, "a", "k"));
    REQUIRE(boxes.size() == graph.size());
    check_apart(boxes);
  }
}
