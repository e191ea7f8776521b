// SPDX-License-Identifier: GPL-3.0-or-later
// Potential certificates: a bound for many numbers of workers W at once, from weights that do not depend on W or on how
// often a loop repeats.
//
// Setting. The context of a position is what the next m symbols of the string are. Workers in the same context make the
// same symbol's move next, to one of the contexts that can follow; `count` positions of the string make move t. Let v
// be a worker that finishes last, in cycle T (of several, any). In each of the cycles 1 .. T v is unfinished at the
// beginning. A state is represented by its pattern: the context of v, the set X of contexts in which at least one
// other worker stands, and, if that is reported, the set F of classes k for which others are ready, but fewer than the
// s_k servers. Workers that have finished stand nowhere. A certificate may be for at most some number of workers;
// patterns that need more have no part in it. A pattern needs one other worker for each context of X, and s_k in all
// for a class of X that is reported not to be in F.
//
// Steps. In a cycle each class k acts by itself. Let X_k be the contexts of class k in X, and n the number of others in
// them.
//   - v is not ready for k: min(n, s_k) others execute. If k is in F that is all of them, at least one from each
//     context of X_k, and none stays behind. If it is reported not to be and X_k is not empty, exactly s_k execute. If
//     nothing is reported, either may be.
//   - v is ready for k and does not execute: there are s_k others for whom it has to wait. Exactly s_k execute, and
//     k is not in F.
//   - v is ready for k and executes: min(n, s_k - 1) others do. If k is in F, all of them. If it is reported not to
//     be and X_k is not empty, exactly s_k - 1, and at least one stays behind. If nothing is reported, all where they
//     are fewer than s_k - 1, or exactly s_k - 1.
// A worker that executes goes to a context that follows its own. A context of X_k from which somebody has executed may
// be empty afterwards or not: then some worker stays in it. In one from which none has executed, some stay. A context
// is occupied afterwards if somebody stays in it or goes to it. Others ready for k afterwards are those who stayed and
// the a_k that have arrived. If none has stayed, k is in F if 0 < a_k < s_k. If others stay in q > 0 contexts of k, k
// may be in F only if q + a_k < s_k, and need not be. v finishes only in a step after which no other worker is left,
// because in cycle T, with v, the last others finish. The numbers of workers are otherwise forgotten, so there are more
// abstract steps than real ones; every real cycle is one of them, between the patterns of its beginning and its end. X
// may be empty: then v executes alone in every cycle. A class of which no worker is ready executes nothing, and some
// class always executes something. A pattern from which no sequence of steps leads to the end pattern (v finished, X
// empty) is met by no schedule, because every schedule arrives at the end. An example is v before the last symbol,
// alone in its class, while others are still under way.
//
// Views. The potential of a state is the largest of several: one view j for each class j. In view j a state whose other
// workers stand n_c in context c has the potential
//
//   (weights other_t of all moves the others still make) + (weights followed_t of those v still makes)
//     + (sum over c of n_c * h_j(c)) + g_j(pattern),
//
// g_j = none is below every number. A view counts only in patterns in which some worker is ready for its class (it is
// busy); at the end pattern only the view of the class that v executes last counts.
//
// Theorem. Let g at start and end not be none. For every pattern P and every view j let there be a source, a view i
// that is busy in P, such that for every step from P to a pattern Q after which j counts with g_j(Q) not none, g_i(P)
// is not none and
//
//   (a) h_i(c) >= h_j(c) for every context c in which others stay;
//   (b) sum over the moves t of other workers, from a to b, of (other_t + h_i(a) - h_j(b)) + (followed_t of v's move,
//       if it makes one) + sum over the c in which others stay of (h_i(c) - h_j(c)) + g_i(P) - g_j(Q) >= 1
//       (h_j = 0 behind the end).
//
// Then for every number of workers W that it is for, W >= 2, with s the context of the first position, j the view of
// its class and l that of the last symbol, the makespan is at most
//
//   floor(sum over moves t of count_t * ((W - 1) * other_t + followed_t) + (W - 1) * h_j(s) + g_j(start) - g_l(end)).
//
// The start pattern has v and X in s. Where F is reported, the certificate is either only for W - 1 < s_k workers, k
// the class of s, and F = {k} at the start, or only for more, and F is empty.
//
// Proof. In cycle T view l counts. Going backwards, take the source of the view in each cycle: it is busy, hence counts
// after the cycle before, and has a g by assumption. At the start only the view of s is busy, so that is where this
// ends. In each cycle the potential in the source i, before, exceeds that in the view j, after, by at least 1: the
// moves made lose their weights; another worker that moves from a to b loses h_i(a) - h_j(b) more; and one that stays
// in c loses h_i(c) - h_j(c), which is not negative by (a), and there is at least one of them in each context in which
// others stay; together that is at least the left side of (b). So T is at most the difference between start and end. By
// then each of the W - 1 others, and v, has executed each position exactly once, and none stands anywhere. T is an
// integer. QED.
//
// Nothing needs a weight to be positive. h = 0, other = 1 / s_k, followed = 1, g = 0 always satisfies the conditions (a
// cycle in which v does not execute has s_k others that do) and gives the list bound without its roundings, so a least
// certificate is never worse than that.
//
// What views are for. With one view weights are how much a symbol can delay v on average. For (LLCC)^r that allows 3W
// cycles per iteration: it forgets that symbols executed in the same cycle cannot be waited for again. With a view for
// each class the potential is, roughly, the larger one of what is left for L and what is left for C. Where C has
// nothing to do all workers stand before an L, and there the first is the larger one, by (a): 2W + 2 cycles per
// iteration, which is exact.
//
// What F is for. For LC with two servers for each class, patterns without it allow 3/4 W cycles: they forget that two
// workers arrive at C in each cycle, and let one after another find it empty. With F it is W/2 + 1, which is exact.
//
// Search. Weights are sought in floating point by cutting planes (weights.cpp), rounded to fractions, given their least
// potentials in exact arithmetic (rounding.cpp), and at the end the whole certificate goes through a check that shares
// no code with the search (verify.cpp). Only what passes is reported.
#include "solver/strings/certificate/certificate_bound.hpp"

#include <algorithm>
#include <utility>

#include "solver/makespan/assumptions.hpp"
#include "solver/strings/bounds/list_bound.hpp"
#include "solver/strings/certificate/contexts.hpp"
#include "solver/strings/certificate/rounding.hpp"
#include "solver/strings/certificate/verify.hpp"
#include "solver/strings/certificate/weights.hpp"
#include "solver/strings/schedules/string.hpp"

namespace warpspan::solver {

using support::Integer;

namespace {

constexpr size_t most_contexts = 14;     // the table of patterns has 2^contexts entries for each of them
constexpr size_t sweeps_expected = 400;  // over all steps, in each view
constexpr int64_t most_servers = 64;     // that the check follows
constexpr int64_t few_workers = 4;       // up to here it helps that patterns need workers

struct Proof {
  Certificate certificate;
  Line line;
  Integer makespan;
};

// What a certificate is to be like.
struct Attempt {
  const Automaton& automaton;
  bool tells_few = false;
  bool is_for_more = true;  // workers than the problem has
};

// The contexts of a class are at most as many as fit the tables of its steps.
bool small_enough(const Automaton& automaton, size_t classes) {
  if (automaton.contexts.size() > most_contexts) return false;
  std::vector<size_t> of_class(classes);
  for (const Gram& context : automaton.contexts) ++of_class[static_cast<size_t>(context.front())];
  return *std::max_element(of_class.begin(), of_class.end()) <= StepTables<double>::most_contexts_of_class;
}

// Without its weights and potentials.
Certificate outline(const StringProblem& problem, const Attempt& attempt, size_t first_class) {
  Certificate certificate;
  certificate.string = problem.string;
  certificate.servers = problem.servers;
  certificate.tells_few = attempt.tells_few;
  const int64_t servers = problem.servers[first_class];
  if (!attempt.is_for_more) {
    certificate.most_workers = problem.workers;
  } else if (attempt.tells_few && problem.workers <= servers) {
    certificate.most_workers = servers;
  }
  if (attempt.tells_few && problem.workers > servers) certificate.least_workers = std::max<int64_t>(servers + 1, 2);
  return certificate;
}

std::optional<Proof> prove(const StringProblem& problem, const Attempt& attempt, const CertificateLimits& limits,
                           const Deadline& deadline) {
  const Automaton& automaton = attempt.automaton;
  if (!small_enough(automaton, problem.servers.size())) return std::nullopt;
  const auto first_class = static_cast<size_t>(automaton.contexts[static_cast<size_t>(automaton.start)].front());
  Certificate certificate = outline(problem, attempt, first_class);
  const WorkerCounts counts(automaton, problem.servers, attempt.tells_few, certificate.most_workers - 1);
  const bool starts_few = counts.counts(first_class) && problem.workers <= problem.servers[first_class];
  const PatternKey start{automaton.start, ContextSet{1} << automaton.start,
                         starts_few ? ClassSet{1} << first_class : 0};
  StepTables<double> tables(automaton, counts);
  const std::vector<double> ones(automaton.moves.size(), 1);
  tables.set_weights({ones, ones, std::vector<double>(automaton.contexts.size())});
  const auto graph = PatternGraph::make(start, automaton.contexts.size(), counts, tables, limits.patterns,
                                        limits.steps / (sweeps_expected * Views(automaton).size()));
  if (!graph) return std::nullopt;
  const WeightSearch search{automaton, counts, *graph, problem.workers, limits.steps};
  const auto weights = find_weights(search, deadline);
  if (!weights || !set_rounded(search, *weights, certificate)) return std::nullopt;
  const auto line = verify_certificate(certificate);
  if (!line) return std::nullopt;
  const Integer makespan = makespan_on(*line, problem.workers);
  if (makespan.overflowed()) return std::nullopt;
  return Proof{std::move(certificate), *line, makespan};
}

// Keeps the better one. False if there is no proof or it is not better.
bool improve(std::optional<Proof>& best, std::optional<Proof> proof) {
  if (!proof || (best && *proof->makespan.value() >= *best->makespan.value())) return false;
  best = std::move(proof);
  return true;
}

// Contexts of one symbol, then longer ones: merged where these are too many or do not help. Patterns that do not report
// where workers are few are the fewer; they stand in where the others are too many.
void prove(const StringProblem& problem, bool is_for_more, const CertificateLimits& limits, const Deadline& deadline,
           std::optional<Proof>& best) {
  const auto attempt = [&](const Automaton& automaton) {
    std::optional<Proof> proof;
    if (WorkerCounts::can_count(problem.servers)) {
      proof = prove(problem, {automaton, true, is_for_more}, limits, deadline);
    }
    if (!proof) proof = prove(problem, {automaton, false, is_for_more}, limits, deadline);
    return improve(best, std::move(proof));
  };
  size_t plain = 0, merged = 0;  // contexts there were; as many again are the same again
  for (size_t length = 1; length <= limits.longest_context && deadline.look(); ++length) {
    const Grams grams = count_grams(problem.string, length + 1);
    const Automaton automaton = make_automaton(grams, length);
    const size_t shorter = std::exchange(plain, automaton.contexts.size());
    if (plain != shorter && attempt(automaton)) continue;
    const Automaton smaller = make_automaton(grams, length, ContextForm::merged);
    const size_t shorter_merged = std::exchange(merged, smaller.contexts.size());
    if (merged != shorter_merged && merged != plain) attempt(smaller);
  }
}

std::optional<Proof> prove(const StringProblem& problem, const CertificateLimits& limits, const Deadline& deadline) {
  std::optional<Proof> best;
  prove(problem, true, limits, deadline, best);
  if (problem.workers <= few_workers) prove(problem, false, limits, deadline, best);
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
