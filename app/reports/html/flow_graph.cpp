// SPDX-License-Identifier: GPL-3.0-or-later
// Layers are those of the longest path from the entry; edges that pass layers go through places of their own there,
// and places of a layer stand as the mean of those above them wants it, some times down and up. Edges back run on the
// right, from the side of one box to that of the other.
#include "app/reports/html/flow_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/reports/html/page.hpp"
#include "app/reports/xml.hpp"

namespace warpspan::app {

namespace {

// Pixels.
constexpr double letter = 6.7, line_height = 14, padding = 7, gap = 26, layer_gap = 34, margin = 14, lane = 9;
constexpr double narrow = 10;  // of a place that an edge passes
constexpr int sweeps = 6;

// A box, or a place that an edge passes.
struct Place {
  size_t layer = 0;
  double width = narrow, x = 0;  // of its middle
  std::vector<size_t> above, below;
};

struct Edge {
  size_t from = 0, to = 0;
  std::vector<size_t> passes;  // places between, from above
};

class FlowDrawing {
 public:
  FlowDrawing(const FlowGraph& graph, const std::string& prefix) : graph_(graph), tip_(prefix + "tip") {
    find_layers();
    find_places();
    order_layers();
    set_rows();
    set_columns();
  }

  std::string run(const std::string& title) const {
    const double right = right_of_all();
    const double width = right + lane * static_cast<double>(back_.size() + 1) + margin;
    const double height = tops_.back() + margin;
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flow\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
        "{0:.0f} {1:.0f}\" role=\"img\">\n<title>{2}</title>\n<defs>{3}{4}</defs>\n",
        width, height, html_text(title), arrow(false), arrow(true));
    for (const Edge& edge : edges_) out += forward(edge);
    for (size_t i = 0; i < back_.size(); ++i) out += backward(back_[i], right + lane * static_cast<double>(i + 1));
    for (size_t node = 0; node < graph_.size(); ++node) out += box(node);
    return out + "</svg>\n";
  }

 private:
  double height_of(size_t node) const {
    return line_height * static_cast<double>(graph_[node].words.size()) + 2 * padding;
  }

  double top_of(size_t node) const { return tops_[places_[node].layer]; }

  void find_layers() {
    places_.resize(graph_.size());
    size_t last = 0;
    for (size_t node = 0; node < graph_.size(); ++node) {
      size_t longest = 0;
      for (const std::string& word : graph_[node].words) longest = std::max(longest, word.size());
      places_[node].width = static_cast<double>(longest) * letter + 2 * padding;
      for (const size_t to : graph_[node].next) {
        if (to > node) places_[to].layer = std::max(places_[to].layer, places_[node].layer + 1);
      }
      last = std::max(last, places_[node].layer);
    }
    layers_.resize(last + 1);
    for (size_t node = 0; node < graph_.size(); ++node) layers_[places_[node].layer].push_back(node);
  }

  void find_places() {
    for (size_t node = 0; node < graph_.size(); ++node) {
      for (const size_t to : graph_[node].next) {
        Edge edge{node, to, {}};
        if (to <= node) {
          back_.push_back(edge);
          continue;
        }
        size_t above = node;
        for (size_t layer = places_[node].layer + 1; layer < places_[to].layer; ++layer) {
          edge.passes.push_back(places_.size());
          layers_[layer].push_back(places_.size());
          Place place;
          place.layer = layer;
          places_.push_back(std::move(place));
          join(above, edge.passes.back());
          above = edge.passes.back();
        }
        join(above, to);
        edges_.push_back(std::move(edge));
      }
    }
  }

  void join(size_t above, size_t below) {
    places_[above].below.push_back(below);
    places_[below].above.push_back(above);
  }

  void order_layers() {
    std::vector<double> rank(places_.size(), 0);
    const auto number = [&](const std::vector<size_t>& layer) {
      for (size_t i = 0; i < layer.size(); ++i) rank[layer[i]] = static_cast<double>(i);
    };
    for (const auto& layer : layers_) number(layer);
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      const bool down = sweep % 2 == 0;
      for (size_t i = 0; i < layers_.size(); ++i) {
        std::vector<size_t>& layer = layers_[down ? i : layers_.size() - 1 - i];
        std::vector<double> wanted(places_.size(), 0);
        for (const size_t place : layer) {
          const std::vector<size_t>& others = down ? places_[place].above : places_[place].below;
          double sum = 0;
          for (const size_t other : others) sum += rank[other];
          wanted[place] = others.empty() ? rank[place] : sum / static_cast<double>(others.size());
        }
        std::stable_sort(layer.begin(), layer.end(), [&](size_t a, size_t b) { return wanted[a] < wanted[b]; });
        number(layer);
      }
    }
  }

  void set_rows() {
    double y = margin;
    for (const auto& layer : layers_) {
      tops_.push_back(y);
      double tallest = 0;
      for (const size_t place : layer) tallest = std::max(tallest, place < graph_.size() ? height_of(place) : 0);
      bottoms_.push_back(y + tallest);
      y += tallest + layer_gap;
    }
    tops_.push_back(y - layer_gap);
  }

  // Left to right as they are ordered, each as near to the mean of its neighbours as the others leave room for.
  void set_columns() {
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      const bool down = sweep % 2 == 0;
      for (size_t i = 0; i < layers_.size(); ++i) set_layer(layers_[down ? i : layers_.size() - 1 - i], down);
    }
    double left = 0;
    for (const Place& place : places_) left = std::min(left, place.x - place.width / 2);
    for (Place& place : places_) place.x += margin - left;
  }

  void set_layer(const std::vector<size_t>& layer, bool down) {
    std::vector<double> wanted;
    for (const size_t place : layer) {
      const std::vector<size_t>& others = down ? places_[place].above : places_[place].below;
      double sum = 0;
      for (const size_t other : others) sum += places_[other].x;
      wanted.push_back(others.empty() ? places_[place].x : sum / static_cast<double>(others.size()));
    }
    double least = -1e9, moved = 0;
    for (size_t i = 0; i < layer.size(); ++i) {
      Place& place = places_[layer[i]];
      place.x = std::max(wanted[i], least + place.width / 2);
      moved += place.x - wanted[i];
      least = place.x + place.width / 2 + gap;
    }
    // Those that had to make room have gone right: the layer as a whole goes back by their mean.
    for (const size_t place : layer) places_[place].x -= moved / static_cast<double>(layer.size());
  }

  double right_of_all() const {
    double right = 0;
    for (const Place& place : places_) right = std::max(right, place.x + place.width / 2);
    return right;
  }

  bool is_worst(const Edge& edge) const { return graph_[edge.from].is_worst && graph_[edge.to].is_worst; }

  std::string name_of_arrow(bool worst) const { return tip_ + (worst ? "w" : ""); }

  std::string arrow(bool worst) const {
    return fmt::format(
        "<marker id=\"{}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerUnits=\"userSpaceOnUse\" markerWidth=\"8\" "
        "markerHeight=\"8\" orient=\"auto\"><path class=\"tip{}\" d=\"M0 0L8 4L0 8z\"/></marker>",
        name_of_arrow(worst), worst ? " worst" : "");
  }

  std::string path(const Edge& edge, const std::string& way, bool back) const {
    return fmt::format("<path class=\"{}{}\" d=\"{}\" marker-end=\"url(#{})\"/>\n", back ? "back" : "on",
                       is_worst(edge) ? " worst" : "", way, name_of_arrow(is_worst(edge)));
  }

  std::string forward(const Edge& edge) const {
    double x = places_[edge.from].x, y = top_of(edge.from) + height_of(edge.from);
    std::string way = fmt::format("M{:.1f} {:.1f}", x, y);
    const auto go_on = [&](double to_x, double to_y) {
      const double middle = (y + to_y) / 2;
      way += fmt::format("C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", x, middle, to_x, middle, to_x, to_y);
      x = to_x;
      y = to_y;
    };
    const double bottom = bottoms_[places_[edge.from].layer];
    if (bottom > y) {
      way += fmt::format("V{:.1f}", bottom);
      y = bottom;
    }
    for (const size_t place : edge.passes) {
      go_on(places_[place].x, tops_[places_[place].layer]);
      y = bottoms_[places_[place].layer];
      way += fmt::format("V{:.1f}", y);
    }
    go_on(places_[edge.to].x, top_of(edge.to));
    return path(edge, way, false);
  }

  std::string backward(const Edge& edge, double x) const {
    const double from_x = places_[edge.from].x + places_[edge.from].width / 2;
    const double to_x = places_[edge.to].x + places_[edge.to].width / 2;
    const double from_y = top_of(edge.from) + height_of(edge.from) - padding - 3, to_y = top_of(edge.to) + padding + 3;
    return path(edge, fmt::format("M{:.1f} {:.1f}H{:.1f}V{:.1f}H{:.1f}", from_x, from_y, x, to_y, to_x), true);
  }

  std::string box(size_t index) const {
    const FlowNode& node = graph_[index];
    const Place& place = places_[index];
    const double left = place.x - place.width / 2, top = top_of(index);
    std::string kind = node.heat;
    if (node.is_worst) kind += kind.empty() ? "worst" : " worst";
    if (node.is_never) kind += kind.empty() ? "never" : " never";
    std::string out = fmt::format("<g class=\"{}\"><title>{}</title>", kind, html_text(node.title));
    out += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"3\" style=\"fill: "
        "var(--ground)\"/>",
        left, top, place.width, height_of(index));
    out += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"3\"/>", left, top,
                       place.width, height_of(index));
    for (size_t i = 0; i < node.words.size(); ++i) {
      out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", left + padding,
                         top + padding + line_height * static_cast<double>(i) + 11, html_text(node.words[i]));
    }
    return out + "</g>\n";
  }

  const FlowGraph& graph_;
  const std::string tip_;      // the name of the head of an arrow
  std::vector<Place> places_;  // of the nodes first
  std::vector<std::vector<size_t>> layers_;
  std::vector<Edge> edges_, back_;
  std::vector<double> tops_, bottoms_;  // of layers; the last top is the end of all
};

}  // namespace

std::string flow_picture(const FlowGraph& graph, const std::string& title, const std::string& prefix) {
  return graph.empty() ? std::string() : scrolled(FlowDrawing(graph, prefix).run(title));
}

}  // namespace warpspan::app
