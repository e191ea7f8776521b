// Potential certificates: a bound for every number of workers W >= 2 from weights that do not depend on W or on how
// often a loop repeats.
//
// Setting. The context of a position is what the next m symbols of the string are. Workers in the same context make the
// same symbol's move next, to one of the contexts that can follow; `count` positions of the string make move t. Let v
// be a worker that finishes last, in cycle T (of several, any). In each of the cycles 1 .. T v is unfinished at the
// beginning. What is kept of a state is its pattern: the context of v, and the set X of contexts in which at least one
// other worker stands. Workers that have finished stand nowhere.
//
// Steps. In a cycle each class k acts by itself. Let X_k be the contexts of class k in X.
//   - v is not ready for k: n other workers are, at least one for each context of X_k. If n >= s_k, exactly s_k of them
//     execute. If n < s_k all execute, and none of them stays behind.
//   - v is ready for k and does not execute: exactly s_k others do.
//   - v is ready for k and executes: as in the first case with s_k - 1 servers.
// A worker that executes goes to a context that follows its own. A context of X_k from which somebody has executed may
// be empty afterwards or not; one from which nobody has stays occupied; one that somebody goes to is occupied. v
// finishes only in a step after which no other worker is left, because in cycle T, with v, the last others finish.
// The numbers of workers are forgotten, so there are more abstract steps than real ones; every real cycle is one of
// them, between the patterns of its beginning and its end. X may be empty: then v executes alone in every cycle. A
// class of which no worker is ready executes nothing, and some class always executes something.
// A pattern from which no sequence of steps leads to the end pattern (v finished, X empty) is met by no schedule,
// because every schedule arrives at the end; such patterns are left out. An example is v before the last symbol
// alone in its class, while others are still under way.
//
// Theorem. Let other_t and followed_t be weights of the moves and g a potential of the patterns such that for every
// step between patterns that are not left out
//
//   sum of other_t over the moves of other workers + (followed_t of v's move, if it makes one) + g(before) - g(after)
//   >= 1.
//
// Then for every W >= 2 the makespan is at most
//
//   floor(sum over moves t of count_t * ((W - 1) * other_t + followed_t) + g(start) - g(end)),
//
// where at the start v and others stand in the context of the first position (W >= 2: there is another one).
//
// Proof. Add up the inequality over the T cycles. On the right there is T. On the left each of the W - 1 other workers
// has executed each position exactly once by the end of cycle T, and so has v, so the weights add up to the sum; the
// potentials telescope from the start to the end pattern. T is an integer. QED. Weights may be negative.
//
// other = 1 / s_k, followed = 1, g = 0 always satisfies the condition (a cycle in which v does not execute has s_k
// others that do) and gives the list bound without its roundings, so a least certificate is never worse than that.
// Weights of moves rather than of contexts cost no further pattern and are at least as good: a potential that is linear
// in how many workers stand in each context is contained in them.
//
// Search. Weights are sought in floating point by cutting planes (certificate_weights.cpp), rounded to fractions, given
// their least potentials in exact arithmetic (certificate_rounding.cpp), and at the end the whole certificate goes
// through a check that shares no code with the search (verify_certificate.cpp). Only what passes is reported.
#include "solver/certificate_bound.hpp"

#include <algorithm>
#include <utility>

#include "solver/assumptions.hpp"
#include "solver/certificate_contexts.hpp"
#include "solver/certificate_rounding.hpp"
#include "solver/certificate_weights.hpp"
#include "solver/list_bound.hpp"
#include "solver/string.hpp"
#include "solver/verify_certificate.hpp"

namespace warpspan::solver {

using support::Integer;

namespace {

constexpr size_t most_contexts = 14;  // the table of patterns has 2^contexts entries for each of them
constexpr int64_t most_servers = 64;  // that the check follows

struct Proof {
  Certificate certificate;
  Line line;
  Integer makespan;
};

// The contexts of a class are at most as many as the tables of its steps hold.
bool small_enough(const Automaton& automaton, size_t classes) {
  if (automaton.contexts.size() > most_contexts) return false;
  std::vector<size_t> of_class(classes);
  for (const Gram& context : automaton.contexts) ++of_class[static_cast<size_t>(context.front())];
  return *std::max_element(of_class.begin(), of_class.end()) <= StepTables<double>::most_contexts_of_class;
}

std::optional<Proof> prove(const StringProblem& problem, size_t length, const CertificateLimits& limits,
                           const Deadline& deadline) {
  const Automaton automaton = make_automaton(count_grams(problem.string, length + 1), length);
  if (!small_enough(automaton, problem.servers.size())) return std::nullopt;
  StepTables<double> tables(automaton, problem.servers);
  const std::vector<double> ones(automaton.moves.size(), 1);
  tables.set_weights({ones, ones});
  const auto graph = PatternGraph::make(automaton, tables, limits.patterns, limits.steps);
  if (!graph) return std::nullopt;
  const auto weights =
      find_weights({automaton, problem.servers, *graph, problem.workers, limits.steps_followed}, deadline);
  if (!weights) return std::nullopt;
  auto certificate = rounded_certificate(automaton, problem.servers, *graph, *weights);
  if (!certificate) return std::nullopt;
  certificate->string = problem.string;
  certificate->servers = problem.servers;
  const auto line = verify_certificate(*certificate);
  if (!line) return std::nullopt;
  const Integer makespan = makespan_on(*line, problem.workers);
  if (makespan.overflowed()) return std::nullopt;
  return Proof{std::move(*certificate), *line, makespan};
}

std::optional<Proof> prove(const StringProblem& problem, const CertificateLimits& limits, const Deadline& deadline) {
  std::optional<Proof> best;
  for (size_t length = 1; length <= limits.longest_context && deadline.look(); ++length) {
    auto proof = prove(problem, length, limits, deadline);
    if (!proof) break;
    if (best && *proof->makespan.value() >= *best->makespan.value()) {
      if (length > 2) break;
      continue;
    }
    best = std::move(proof);
  }
  return best;
}

}  // namespace

CertificateResult certificate_bound(const StringProblem& problem, const CertificateLimits& limits) {
  const Deadline deadline(limits.seconds, limits.cancel);
  CertificateResult result;
  result.bound = list_bound(problem);
  result.bound.method = "certificate";
  const bool applies = result.bound.status != Status::not_applicable && problem.workers >= 2 &&
                       *std::max_element(problem.servers.begin(), problem.servers.end()) <= most_servers;
  if (applies) {
    if (auto proof = prove(problem, limits, deadline)) {
      const int64_t makespan = *proof->makespan.value();
      if (!result.bound.makespan || makespan < *result.bound.makespan) {
        result.bound = with_value(std::move(result.bound), makespan);
        result.bound.safe = true;
      }
      result.certificate = std::move(proof->certificate);
      result.line = proof->line;
    }
  }
  result.bound.seconds = deadline.elapsed();
  return result;
}

}  // namespace warpspan::solver
