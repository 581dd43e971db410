// SPDX-License-Identifier: MIT
// Isolates the solve of a transport problem: the costs are in memory before the clock starts. Families of costs:
// `uniform`, independent numbers from U(0, 1); `euclid`, distances of points in the plane; `series`, L2 distances of
// noisy step responses of random second order systems. The peer, where it is installed, is the NetworkSimplex of LEMON
// with its block search, integer supplies and a graph built outside the clock. Every instance is first solved by both
// and the costs and the certificate are compared; where they do not hold the program ends.
//
// Solver and peer are timed by turns, several rounds, and medians are reported: on a machine with other work the ratio
// of neighbouring runs is what can be trusted. Name one or more parts to run only these:
//   transport_bench [square] [rectangular] [small] [warm] [permutations] [one_dimension] [huge] [--largest N]
// `huge`, a problem of more than 2^31 entries, runs only when named.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <numbers>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>
#include <Eigen/Core>

#include <fidelity/detail/random.hpp>
#include <fidelity/transport/certificate.hpp>
#include <fidelity/transport/solver.hpp>
#include <fidelity/transport/transport.hpp>
#include <fidelity/transport/wasserstein.hpp>
#include <fidelity/transport/wasserstein_1d.hpp>

#ifdef FIDELITY_BENCH_LEMON
#include <lemon/network_simplex.h>
#include <lemon/smart_graph.h>
#endif

namespace {

namespace fd = fidelity;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

[[noreturn]] void give_up(const std::string& what) {
  std::fprintf(stderr, "transport_bench: %s\n", what.c_str());
  std::exit(1);
}

// --- costs ---

template <class Entry>
Matrix matrix(std::size_t rows, std::size_t columns, Entry&& entry) {
  Matrix out(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
  for (Eigen::Index i = 0; i < out.rows(); ++i)
    for (Eigen::Index j = 0; j < out.cols(); ++j) out(i, j) = entry(i, j);
  return out;
}

Matrix uniform(std::size_t rows, std::size_t columns) {
  fd::detail::Random random(1, rows, columns);
  return matrix(rows, columns, [&](Eigen::Index, Eigen::Index) { return random.uniform(); });
}

/// Distances between the rows of two matrices.
Matrix distances(const Matrix& x, const Matrix& y) {
  return matrix(static_cast<std::size_t>(x.rows()), static_cast<std::size_t>(y.rows()),
                [&](Eigen::Index i, Eigen::Index j) { return (x.row(i) - y.row(j)).norm(); });
}

Matrix euclid(std::size_t rows, std::size_t columns) {
  fd::detail::Random random(2, rows, columns);
  const auto points = [&](std::size_t n) {
    return matrix(n, 2, [&](Eigen::Index, Eigen::Index) { return random.uniform(); });
  };
  const Matrix x = points(rows), y = points(columns);
  return distances(x, y);
}

double normal(fd::detail::Random& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

/// Step responses at 64 times, frequency and damping random, noise of 2 % of the step.
Matrix series(std::size_t rows, std::size_t columns) {
  fd::detail::Random random(3, rows, columns);
  const auto responses = [&](std::size_t n) {
    Matrix out(static_cast<Eigen::Index>(n), 64);
    for (Eigen::Index i = 0; i < out.rows(); ++i) {
      const double frequency = std::exp(0.1 * normal(random)), damping = 0.3 * std::exp(0.2 * normal(random));
      const double gain = 1 + 0.05 * normal(random), ring = std::sqrt(std::max(1e-3, 1 - damping * damping));
      for (Eigen::Index k = 0; k < 64; ++k) {
        const double t = 0.2 * static_cast<double>(k) * frequency;
        const double decay = std::exp(-damping * t) * (std::cos(ring * t) + damping / ring * std::sin(ring * t));
        out(i, k) = gain * (1 - decay) + 0.02 * normal(random);
      }
    }
    return out;
  };
  const Matrix x = responses(rows), y = responses(columns);
  return distances(x, y);
}

struct Family {
  const char* name;
  Matrix (*costs)(std::size_t, std::size_t);
};
constexpr Family families[] = {{"series", series}, {"euclid", euclid}, {"uniform", uniform}};

std::vector<double> random_weights(std::size_t size, std::uint64_t seed) {
  fd::detail::Random random(4, seed, size);
  std::vector<double> weights(size);
  for (double& weight : weights) weight = static_cast<double>(1 + random.below(1000));
  return weights;
}

// --- time ---

/// Processor time: everything here runs on one thread, and other programs may share the machine.
double seconds(const std::function<void()>& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / static_cast<double>(CLOCKS_PER_SEC);
}
double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}
/// Median times of both, run by turns; enough rounds for short work.
std::pair<double, double> by_turns(const std::function<void()>& ours, const std::function<void()>& peer) {
  std::vector<double> a, b;
  double spent = 0;
  while (a.size() < 5 || (spent < 0.5 && a.size() < 2000)) {
    a.push_back(seconds(ours));
    b.push_back(peer ? seconds(peer) : 0.0);
    spent += a.back() + b.back();
    if (spent > 60 && a.size() >= 3) break;
  }
  return {median(a), median(b)};
}

// --- the peer ---

#ifdef FIDELITY_BENCH_LEMON
constexpr bool has_peer = true;
/// Integer supplies: those of the library's own plan, so that both solve the same problem. Timed is what it takes to
/// solve from a graph: a NetworkSimplex, its maps, and run(); `only_run` leaves out the first two.
class Peer {
 public:
  Peer(const Matrix& cost, const std::vector<std::int64_t>& supply, const std::vector<std::int64_t>& demand)
      : costs_(graph_), supplies_(graph_), total_(std::accumulate(supply.begin(), supply.end(), std::int64_t{0})) {
    const int n = static_cast<int>(cost.rows()), m = static_cast<int>(cost.cols());
    graph_.reserveNode(n + m);
    graph_.reserveArc(n * m);
    for (int k = 0; k < n + m; ++k) graph_.addNode();
    for (int i = 0; i < n; ++i) supplies_[graph_.nodeFromId(i)] = supply[static_cast<std::size_t>(i)];
    for (int j = 0; j < m; ++j) supplies_[graph_.nodeFromId(n + j)] = -demand[static_cast<std::size_t>(j)];
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m; ++j) costs_[graph_.addArc(graph_.nodeFromId(i), graph_.nodeFromId(n + j))] = cost(i, j);
  }
  void solve() {
    simplex_.emplace(graph_);
    simplex_->costMap(costs_).supplyMap(supplies_);
    run();
  }
  void run() {
    if (simplex_->run(Simplex::BLOCK_SEARCH) != Simplex::OPTIMAL) give_up("LEMON finds no optimum");
  }
  [[nodiscard]] double cost_per_mass() const { return simplex_->totalCost<double>() / static_cast<double>(total_); }

 private:
  using Graph = lemon::SmartDigraph;
  using Simplex = lemon::NetworkSimplex<Graph, std::int64_t, double>;
  Graph graph_ = {};
  Graph::ArcMap<double> costs_;
  Graph::NodeMap<std::int64_t> supplies_;
  std::int64_t total_;
  std::optional<Simplex> simplex_ = {};
};
#else
constexpr bool has_peer = false;
class Peer {
 public:
  Peer(const Matrix&, const std::vector<std::int64_t>&, const std::vector<std::int64_t>&) {}
  void solve() {}
  void run() {}
  [[nodiscard]] double cost_per_mass() const { return 0; }
};
#endif

// --- what is compared ---

std::vector<std::int64_t> units_of(const fd::TransportPlan& plan, std::size_t count, bool rows) {
  std::vector<std::int64_t> units(count);
  for (std::size_t k = 0; k < plan.entries.size(); ++k)
    units[rows ? plan.entries[k].row : plan.entries[k].column] += plan.units[k];
  return units;
}

void require_proof(const std::string& what, const Matrix& cost, const fd::TransportPlan& plan) {
  const fd::Certificate proof = fd::verify(cost, plan);
  if (!proof.optimal(1e-12) || plan.gap > 1e-12 * cost.cwiseAbs().maxCoeff() * plan.mass)
    give_up(what + ": the certificate does not hold");
}

struct Result {
  std::string name;
  std::size_t n, m;
  double ours, peer, peer_run;
};
std::vector<Result> all_results;

Result compare(const std::string& name, const Matrix& cost, const fd::TransportOptions& options) {
  const auto n = static_cast<std::size_t>(cost.rows()), m = static_cast<std::size_t>(cost.cols());
  const fd::TransportPlan plan = fd::transport(cost, options);
  require_proof(name, cost, plan);
  Peer peer(cost, units_of(plan, n, true), units_of(plan, m, false));
  if (has_peer) {
    peer.solve();
    if (std::fabs(peer.cost_per_mass() - plan.cost_per_mass) > 1e-9 * std::fabs(plan.cost_per_mass))
      give_up(name + ": the peer finds another cost");
  }
  const auto ours_once = [&] { benchmark::DoNotOptimize(fd::transport(cost, options).cost); };
  std::function<void()> peer_once, peer_run;
  if (has_peer) {
    peer_once = [&] { peer.solve(); };
    peer_run = [&] { peer.run(); };
  }
  const auto [ours, theirs] = by_turns(ours_once, peer_once);
  const double run = by_turns(peer_run ? peer_run : ours_once, nullptr).first;
  std::printf("%-24s %5zu x %-5zu %10.3f ms", name.c_str(), n, m, 1e3 * ours);
  if (has_peer) std::printf(" %10.3f ms %6.2f (run only %6.2f)", 1e3 * theirs, theirs / ours, run / ours);
  std::printf("   %zu pivots, gap %.1e\n", plan.pivots, plan.gap / plan.mass);
  std::fflush(stdout);
  all_results.push_back({name, n, m, ours, theirs, run});
  return all_results.back();
}

void warm_against_cold(const Family& family, std::size_t n) {
  const Matrix cost = family.costs(n, n);
  fd::TransportOptions before{.supply = random_weights(n, 0), .demand = random_weights(n, 1), .normalise = true};
  fd::TransportOptions after = before;
  for (std::size_t k = 0; k < n; k += 10) after.supply[k] += 20;
  fd::TransportSolver solver;
  std::vector<double> cold, warm;
  for (int round = 0; round < 7; ++round) {
    (void)solver.solve(cost, before);
    fd::TransportPlan a, b;
    warm.push_back(seconds([&] { a = solver.resolve(cost, after); }));
    cold.push_back(seconds([&] { b = fd::transport(cost, after); }));
    if (std::fabs(a.cost - b.cost) > 1e-12 * std::fabs(b.cost)) give_up("the warm solve has another cost");
    require_proof("warm", cost, a);
  }
  std::printf("%-24s %5zu x %-5zu warm %8.3f ms, cold %8.3f ms, ratio %.2f\n", family.name, n, n, 1e3 * median(warm),
              1e3 * median(cold), median(warm) / median(cold));
}

/// W_1 between the two halves of shuffled pooled runs, from one solver and from 999 calls.
void permutations(const Family& family, std::size_t n) {
  const Matrix pooled = family.costs(2 * n, 2 * n);
  std::vector<std::vector<std::size_t>> orders(999, std::vector<std::size_t>(2 * n));
  for (std::size_t r = 0; r < orders.size(); ++r) {
    std::iota(orders[r].begin(), orders[r].end(), std::size_t{0});
    fd::detail::Random(0, 5, r).sample_to_front(std::span(orders[r]), n);
  }
  const auto sum_over = [&](auto&& distance) {
    double sum = 0;
    for (const auto& order : orders)
      sum += distance(fd::CostView(pooled, std::span(order).first(n), std::span(order).last(n)));
    return sum;
  };
  double together = 0, alone = 0;
  std::vector<double> shared, cold;
  for (int round = 0; round < (n > 100 ? 1 : 5); ++round) {
    shared.push_back(seconds([&] {
      fd::TransportSolver solver;
      together = sum_over([&](const auto& view) { return solver.distance(view); });
    }));
    cold.push_back(seconds([&] { alone = sum_over([](const auto& view) { return fd::wasserstein(view).value; }); }));
  }
  if (together != alone) give_up("the replicates of a solver are not those of wasserstein()");
  std::printf("%-24s %5zu x %-5zu 999 permutations %.3f s, 999 wasserstein() %.3f s, ratio %.2f\n", family.name, n, n,
              median(shared), median(cold), median(shared) / median(cold));
}

void one_dimension(std::size_t n) {
  fd::detail::Random random(6, 0, n);
  std::vector<double> x(n), y(n);
  for (auto* side : {&x, &y})
    for (double& value : *side) value = random.uniform();
  const auto [ours, sorts] = by_turns([&] { benchmark::DoNotOptimize(fd::wasserstein_1d(x, y).value); },
                                      [&] {
                                        std::vector<double> a = x, b = y;
                                        std::sort(a.begin(), a.end());
                                        std::sort(b.begin(), b.end());
                                        benchmark::DoNotOptimize(a.data());
                                        benchmark::DoNotOptimize(b.data());
                                      });
  std::printf("wasserstein_1d %zu + %zu: %.1f ms, two sorts %.1f ms, ratio %.2f\n", n, n, 1e3 * ours, 1e3 * sorts,
              ours / sorts);
}

/// More than 2^31 entries, from a function: points on two lines, where the optimum is known from sorting.
void huge() {
  const std::size_t n = 47000, m = 47000;
  const auto x = [](std::size_t i) { return static_cast<double>(i * 7919 % 47000); };
  const auto y = [](std::size_t j) { return static_cast<double>(j) + 0.25; };
  const fd::CostFunction cost(n, m, [&](std::size_t i, std::size_t j) { return std::fabs(x(i) - y(j)); });
  std::optional<fd::TransportPlan> plan;
  const double time = seconds([&] { plan = fd::transport(cost); });
  if (std::fabs(plan->cost - 0.25) > 1e-9 || plan->gap > 1e-9) give_up("a problem of more than 2^31 entries is wrong");
  std::printf("%zu x %zu costs from a function (%.2f * 2^31 entries): %.1f s, %zu pivots, gap %.1e\n", n, m,
              static_cast<double>(n) * static_cast<double>(m) / 0x1p31, time, plan->pivots, plan->gap);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> parts;
  std::size_t largest = 4000;
  for (int k = 1; k < argc; ++k) {
    if (std::strcmp(argv[k], "--largest") == 0 && k + 1 < argc)
      largest = std::strtoul(argv[++k], nullptr, 10);
    else
      parts.emplace_back(argv[k]);
  }
  const auto wanted = [&](const char* part) {
    return parts.empty() || std::find(parts.begin(), parts.end(), part) != parts.end();
  };
  std::printf("%-40s %13s%s\n", "problem", "transport()", has_peer ? "  LEMON simplex   ratio" : "");
  if (wanted("square"))
    for (const Family& family : families) {
      std::vector<Result> results;
      for (const std::size_t n : {500U, 1000U, 2000U, 4000U})
        if (n <= largest) results.push_back(compare(family.name, family.costs(n, n), {}));
      for (std::size_t k = 1; k < results.size(); ++k)
        std::printf("  growth from %zu to %zu: n^%.2f\n", results[k - 1].n, results[k].n,
                    std::log(results[k].ours / results[k - 1].ours) /
                        std::log(static_cast<double>(results[k].n) / static_cast<double>(results[k - 1].n)));
    }
  if (wanted("rectangular")) {
    for (const Family& family : families) compare(family.name, family.costs(1000, 1500), {});
    for (const Family& family : families)
      compare(std::string(family.name) + ", random weights", family.costs(1000, 1000),
              {.supply = random_weights(1000, 0), .demand = random_weights(1000, 1), .normalise = true});
  }
  if (wanted("small"))
    for (const Family& family : families)
      for (const std::size_t n : {10U, 50U, 100U, 200U}) compare(family.name, family.costs(n, n), {});
  if (wanted("warm"))
    for (const Family& family : families) warm_against_cold(family, 1000);
  if (wanted("permutations"))
    for (const Family& family : families)
      for (const std::size_t n : {50U, 300U}) permutations(family, n);
  if (wanted("one_dimension")) one_dimension(1'000'000);
  if (std::find(parts.begin(), parts.end(), "huge") != parts.end()) huge();

  if (has_peer && !all_results.empty()) {
    std::printf("\n%-24s %13s %12s %12s\n", "time of LEMON / ours", "", "from graph", "run() only");
    for (const Result& r : all_results)
      std::printf("%-24s %5zu x %-5zu %12.2f %12.2f\n", r.name.c_str(), r.n, r.m, r.peer / r.ours, r.peer_run / r.ours);
  }
  return 0;
}
