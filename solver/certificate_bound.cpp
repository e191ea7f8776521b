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
// because every schedule arrives at the end. An example is v before the last symbol, alone in its class, while others
// are still under way.
//
// Views. The potential of a state is the largest of several: one view j for each class j. In view j a state whose other
// workers stand n_c in context c has the potential
//
//   (weights other_t of all moves the others still make) + (weights followed_t of those v still makes)
//     + (sum over c of n_c * h_j(c)) + g_j(pattern),
//
// g_j = none is below every number. A view counts only in patterns in which some worker is ready for its class (it is
// busy); at the end pattern only the view of the class that v executes last counts. In a step that begins in pattern P
// the source i of view j is j if j is busy in P, and otherwise the next busy one (v is ready for something, so there is
// one). It depends on P alone.
//
// Theorem. Let g at start and end not be none. For every step from a pattern P to a pattern Q and every view j that
// counts after it with g_j(Q) not none, let i be its source, g_i(P) not be none, and
//
//   (a) h_i(c) >= h_j(c) for every context c of X, if i is not j;
//   (b) sum over the moves t of other workers, from a to b, of (other_t + h_j(a) - h_j(b)) + (followed_t of v's move,
//   if
//       it makes one) + sum over c in X of (h_i(c) - h_j(c)) + g_i(P) - g_j(Q) >= 1      (h_j = 0 behind the end).
//
// Then for every W >= 2, with s the context of the first position, j the view of its class and l that of the last
// symbol, the makespan is at most
//
//   floor(sum over moves t of count_t * ((W - 1) * other_t + followed_t) + (W - 1) * h_j(s) + g_j(start) - g_l(end)).
//
// Proof. In cycle T view l counts. Going backwards, take the source of the view in each cycle: it is busy, hence counts
// after the cycle before, and has a g by assumption. At the start only the view of s is busy, so that is where this
// ends. In each cycle the potential in the source, before, exceeds that in the view, after, by at least 1: the moves
// made lose their weights; of the others' offsets, n_c * h_i(c) turns into n_c * h_j(c), which loses at least
// h_i(c) - h_j(c) for each c of X by (a) and n_c >= 1, and each move from a to b loses h_j(a) - h_j(b) more; together
// that is the left side of (b). So T is at most the difference between start and end. By then each of the W - 1 others,
// and v, has executed each position exactly once, and nobody stands anywhere. T is an integer. QED.
//
// Nothing needs a weight to be positive. h = 0, other = 1 / s_k, followed = 1, g = 0 always satisfies the conditions (a
// cycle in which v does not execute has s_k others that do) and gives the list bound without its roundings, so a least
// certificate is never worse than that.
//
// What views are for. With one view weights say how much a symbol can delay v on average. For (LLCC)^r that allows 3W
// cycles a round: it forgets that symbols executed beside each other cannot be waited for again. With a view for each
// class the potential is, roughly, the larger one of what is left for L and what is left for C. Where C has nothing to
// do all workers stand before an L, and there the first is the larger one, by (a): 2W + 2 cycles a round, which is
// exact.
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

constexpr size_t most_contexts = 14;     // the table of patterns has 2^contexts entries for each of them
constexpr size_t sweeps_expected = 400;  // over all steps, in each view
constexpr int64_t most_servers = 64;     // that the check follows

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

std::optional<Proof> prove(const StringProblem& problem, size_t length, ContextForm form,
                           const CertificateLimits& limits, const Deadline& deadline) {
  const Automaton automaton = make_automaton(count_grams(problem.string, length + 1), length, form);
  if (!small_enough(automaton, problem.servers.size())) return std::nullopt;
  StepTables<double> tables(automaton, problem.servers);
  const std::vector<double> ones(automaton.moves.size(), 1);
  tables.set_weights({ones, ones});
  const auto graph = PatternGraph::make(automaton, tables, limits.patterns,
                                        limits.steps / (sweeps_expected * Views(automaton).size()));
  if (!graph) return std::nullopt;
  const auto weights = find_weights({automaton, problem.servers, *graph, problem.workers, limits.steps}, deadline);
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

// Keeps the better one. False if there is no proof or it is not better.
bool improve(std::optional<Proof>& best, std::optional<Proof> proof) {
  if (!proof || (best && *proof->makespan.value() >= *best->makespan.value())) return false;
  best = std::move(proof);
  return true;
}

// Contexts of one symbol, then longer ones while they help: merged where a class can be followed by several others.
std::optional<Proof> prove(const StringProblem& problem, const CertificateLimits& limits, const Deadline& deadline) {
  std::optional<Proof> best;
  for (size_t length = 1; length <= limits.longest_context && deadline.look(); ++length) {
    bool better = improve(best, prove(problem, length, ContextForm::plain, limits, deadline));
    if (!better && length > 1) better = improve(best, prove(problem, length, ContextForm::merged, limits, deadline));
    if (!better && length > 1) break;
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
