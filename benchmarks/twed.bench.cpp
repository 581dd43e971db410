// SPDX-License-Identifier: MIT
// Isolates the sweep over the n x m cells of the time warp edit distance: random walks with irregular stamps, made and
// packed before the clock starts for a pair; pairwise() packs inside the clock, which is O(samples) beside O(cells).
// Two baselines in this file, without the library, on the same numbers: the loop of a textbook, and the two-row loop by
// the operations that the library uses. Before anything is timed, the matrices of all levels are compared with the
// latter, without tolerance; where they differ the program ends. A table of ratios follows the benchmarks.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <sys/resource.h>

#include <benchmark/benchmark.h>

#include <fidelity/distance/isa.hpp>
#include <fidelity/distance/pairwise.hpp>
#include <fidelity/distance/twed.hpp>
#include <fidelity/series/series.hpp>

namespace {

namespace fd = fidelity;
using Run = fd::Series<double, double>;

constexpr double stiffness = 0.001, penalty = 1;

struct Raw {
  std::size_t channels = 1;
  std::vector<double> times, values;  // values sample after sample
};

std::vector<Raw> random_walks(std::size_t count, std::size_t length, std::size_t channels, std::uint32_t seed,
                              bool shared_stamps = false) {
  std::mt19937 random(seed);
  const auto uniform = [&] { return static_cast<double>(random()) / 4294967296.0; };
  std::vector<Raw> walks(count);
  for (Raw& walk : walks) {
    walk.channels = channels;
    double t = uniform();
    std::vector<double> x(channels);
    for (std::size_t i = 0; i < length; ++i) {
      walk.times.push_back(shared_stamps ? 0.1 * static_cast<double>(i) : t += 0.5 + uniform());
      for (double& value : x) walk.values.push_back(value += uniform() - 0.5);
    }
  }
  return walks;
}

std::vector<Run> as_series(const std::vector<Raw>& walks) {
  std::vector<Run> series;
  for (const Raw& walk : walks)
    series.emplace_back(
        walk.times, walk.values,
        fd::SeriesOptions<double>{.channel_names = std::vector<std::string>(walk.channels, std::string("x"))});
  return series;
}

// --- the baseline ---

double point_distance(const Raw& a, std::size_t i, const Raw& b, std::size_t j) {
  if (a.channels == 1) return std::abs(a.values[i] - b.values[j]);
  double sum = 0;
  for (std::size_t c = 0; c < a.channels; ++c) {
    const double difference = a.values[i * a.channels + c] - b.values[j * b.channels + c];
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

std::vector<double> deletion_costs(const Raw& a) {
  std::vector<double> costs(a.times.size());
  for (std::size_t i = 1; i < costs.size(); ++i)
    costs[i] = point_distance(a, i, a, i - 1) + stiffness * (a.times[i] - a.times[i - 1]) + penalty;
  return costs;
}

double textbook_twed(const Raw& a, const Raw& b) {
  const std::size_t n = a.times.size(), m = b.times.size();
  const std::vector<double> delete_a = deletion_costs(a), delete_b = deletion_costs(b);
  const auto phi = [&](std::size_t i, std::size_t j) {
    return point_distance(a, i, b, j) + stiffness * std::abs(a.times[i] - b.times[j]);
  };
  std::vector<double> above(m), row(m), phi_above(m), phi_row(m);
  for (std::size_t j = 0; j < m; ++j) {
    phi_row[j] = phi(0, j);
    row[j] = j == 0 ? phi_row[0] : row[j - 1] + delete_b[j];
  }
  for (std::size_t i = 1; i < n; ++i) {
    std::swap(above, row);
    std::swap(phi_above, phi_row);
    phi_row[0] = phi(i, 0);
    double left = row[0] = above[0] + delete_a[i];
    for (std::size_t j = 1; j < m; ++j) {
      phi_row[j] = phi(i, j);
      const double match = above[j - 1] + phi_above[j - 1] + phi_row[j];
      row[j] = left = std::min(std::min(match, above[j] + delete_a[i]), left + delete_b[j]);
    }
  }
  return row[m - 1];
}

// The same by the operations of the library, T37 of its specification: stamps times stiffness and costs of deletion
// first, D and E = D + match cost of one row kept. The yardstick of the speed targets.

struct Packed {
  std::size_t channels = 1;
  std::vector<double> times, values, deletions;
};

Packed pack(const Raw& a, double origin) {
  Packed packed{a.channels, {}, a.values, std::vector<double>(a.times.size())};
  for (const double t : a.times) packed.times.push_back(stiffness * (t - origin));
  for (std::size_t i = 1; i < a.times.size(); ++i)
    packed.deletions[i] = (point_distance(a, i, a, i - 1) + (packed.times[i] - packed.times[i - 1])) + penalty;
  return packed;
}

template <class Distance>
double two_row_loop(const Packed& a, const Packed& b, const Distance& distance) {
  const std::size_t n = a.times.size(), m = b.times.size();
  std::vector<double> cost(m), with_match(m);
  for (std::size_t j = 0; j < m; ++j) {
    const double match = distance(0, j) + std::abs(a.times[0] - b.times[j]);
    cost[j] = j == 0 ? match : cost[j - 1] + b.deletions[j];
    with_match[j] = cost[j] + match;
  }
  for (std::size_t i = 1; i < n; ++i) {
    double diagonal = with_match[0];
    double left = cost[0] = cost[0] + a.deletions[i];
    with_match[0] = left + (distance(i, 0) + std::abs(a.times[i] - b.times[0]));
    for (std::size_t j = 1; j < m; ++j) {
      const double match = distance(i, j) + std::abs(a.times[i] - b.times[j]);
      left = std::min(std::min(diagonal + match, cost[j] + a.deletions[i]), left + b.deletions[j]);
      diagonal = with_match[j];
      cost[j] = left;
      with_match[j] = left + match;
    }
  }
  return cost[m - 1];
}
double two_row_twed(const Packed& a, const Packed& b) {
  if (a.channels == 1)
    return two_row_loop(a, b, [&](std::size_t i, std::size_t j) { return std::abs(a.values[i] - b.values[j]); });
  return two_row_loop(a, b, [&](std::size_t i, std::size_t j) {
    double sum = 0;
    for (std::size_t c = 0; c < a.channels; ++c) {
      const double difference = a.values[i * a.channels + c] - b.values[j * b.channels + c];
      sum += difference * difference;
    }
    return std::sqrt(sum);
  });
}

double textbook_sum(const std::vector<Raw>& rows, const std::vector<Raw>& columns) {
  double sum = 0;
  for (const Raw& a : rows)
    for (const Raw& b : columns) sum += textbook_twed(a, b);
  return sum;
}

// --- what is timed ---

const fd::Twed twed{.stiffness = stiffness, .penalty = penalty};

struct Shape {
  std::size_t rows = 64, columns = 64, length = 256, channels = 1;
  bool shared_stamps = false, ragged = false;
  [[nodiscard]] double cells() const {
    return static_cast<double>(rows * length) * static_cast<double>(columns * length);
  }
};
struct Runs {
  std::vector<Raw> raw_rows, raw_columns;
  std::vector<Run> rows, columns;
  double cells = 0;
};

/// Ragged lengths lie evenly between a half and three halves of the length.
Runs make_runs(const Shape& shape) {
  Runs runs;
  const auto make = [&](std::size_t count, std::uint32_t seed) {
    if (!shape.ragged) return random_walks(count, shape.length, shape.channels, seed, shape.shared_stamps);
    std::vector<Raw> walks;
    for (std::size_t k = 0; k < count; ++k)
      walks.push_back(random_walks(1, shape.length / 2 + shape.length * (k * 7 % count) / count, shape.channels,
                                   seed + static_cast<std::uint32_t>(k), shape.shared_stamps)[0]);
    return walks;
  };
  runs.raw_rows = make(shape.rows, 1);
  runs.raw_columns = make(shape.columns, 1000);
  runs.rows = as_series(runs.raw_rows);
  runs.columns = as_series(runs.raw_columns);
  for (const Raw& a : runs.raw_rows)
    for (const Raw& b : runs.raw_columns)
      runs.cells += static_cast<double>(a.times.size()) * static_cast<double>(b.times.size());
  return runs;
}

void add_matrix(const std::string& name, const Shape& shape, const fd::Twed& metric,
                const fd::PairwiseOptions& options) {
  benchmark::RegisterBenchmark(
      name.c_str(),
      [shape, metric, options](benchmark::State& state) {
        const Runs runs = make_runs(shape);
        for (auto _ : state) benchmark::DoNotOptimize(fd::pairwise(runs.rows, runs.columns, metric, options).sum());
        state.counters["cells"] = benchmark::Counter(runs.cells, benchmark::Counter::kIsIterationInvariantRate);
      })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

std::string text(const Shape& shape) {
  return std::to_string(shape.rows) + "x" + std::to_string(shape.columns) + "x" + std::to_string(shape.length);
}

void add_all() {
  const auto with = [](fd::Norm norm) { return fd::Twed{.stiffness = stiffness, .penalty = penalty, .norm = norm}; };
  const Shape shapes[] = {{64, 64, 256}, {16, 16, 2048}, {8, 8, 4096}};
  for (const fd::Isa isa : fd::available_isas()) {
    const std::string level(fd::to_text(isa));
    for (const Shape& shape : shapes) {
      add_matrix("level/" + level + "/" + text(shape), shape, twed, {.threads = 1, .isa = isa});
      add_matrix("float/" + level + "/" + text(shape), shape, twed,
                 {.threads = 1, .isa = isa, .precision = fd::Precision::single});
    }
    Shape shared = shapes[0];
    shared.shared_stamps = true;
    add_matrix("shared_stamps/" + level, shared, twed, {.threads = 1, .isa = isa});
    for (const std::size_t channels : {2U, 3U, 6U})
      for (const fd::Norm& norm : {fd::Norm(2), fd::Norm(1), fd::Norm::maximum()}) {
        Shape shape = shapes[0];
        shape.channels = channels;
        add_matrix("channels/" + std::to_string(channels) + "/" + fd::to_text(norm) + "/" + level, shape, with(norm),
                   {.threads = 1, .isa = isa});
      }
  }
  for (const unsigned threads : {1U, 2U})
    add_matrix("threads/" + std::to_string(threads), shapes[0], twed, {.threads = threads});
  Shape ragged = shapes[0];
  ragged.ragged = true;
  add_matrix("ragged", ragged, twed, {.threads = 1});
  for (const std::size_t count : {1U, 2U, 4U, 8U, 16U, 32U, 128U})
    add_matrix("growth/columns/" + std::to_string(count), {64, count, 256}, twed, {.threads = 1});
  for (const std::size_t count : {1U, 4U, 16U, 128U})
    add_matrix("growth/rows/" + std::to_string(count), {count, 64, 256}, twed, {.threads = 1});
  for (const std::size_t length : {16U, 64U, 512U, 1024U})
    add_matrix("growth/length/" + std::to_string(length), {32, 32, length}, twed, {.threads = 1});
}

void bm_one_pair(benchmark::State& state) {
  const Runs runs =
      make_runs({1, 1, static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1))});
  const auto a = twed.prepare(runs.rows[0], 0.0), b = twed.prepare(runs.columns[0], 0.0);
  for (auto _ : state) benchmark::DoNotOptimize(twed(a, b));
  state.counters["cells"] = benchmark::Counter(runs.cells, benchmark::Counter::kIsIterationInvariantRate);
}
void bm_two_row_loop(benchmark::State& state) {
  const Runs runs =
      make_runs({1, 1, static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1))});
  const Packed a = pack(runs.raw_rows[0], 0), b = pack(runs.raw_columns[0], 0);
  for (auto _ : state) benchmark::DoNotOptimize(two_row_twed(a, b));
  state.counters["cells"] = benchmark::Counter(runs.cells, benchmark::Counter::kIsIterationInvariantRate);
}
void bm_textbook(benchmark::State& state) {
  const Runs runs =
      make_runs({1, 1, static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1))});
  for (auto _ : state) benchmark::DoNotOptimize(textbook_twed(runs.raw_rows[0], runs.raw_columns[0]));
  state.counters["cells"] = benchmark::Counter(runs.cells, benchmark::Counter::kIsIterationInvariantRate);
}
void pairs(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"length", "channels"})->Unit(benchmark::kMicrosecond);
  for (const std::int64_t channels : {1, 3})
    bench->Args({256, channels})->Args({2048, channels})->Args({4096, channels});
}
BENCHMARK(bm_one_pair)->Apply(pairs);
BENCHMARK(bm_two_row_loop)->Apply(pairs);
BENCHMARK(bm_textbook)->Apply(pairs);

// --- ratios, each measured in turns with what it is compared with ---

double seconds_of(const std::function<double()>& work) {
  const auto start = std::chrono::steady_clock::now();
  benchmark::DoNotOptimize(work());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Rate {
  const char* name;
  double cells;
  std::function<double()> work;
};

/// Median cells per second of 7 rounds in which all take their turn.
std::vector<double> rates(const std::vector<Rate>& all) {
  std::vector<std::vector<double>> measured(all.size());
  for (int round = 0; round < 7; ++round)
    for (std::size_t k = 0; k < all.size(); ++k) measured[k].push_back(all[k].cells / seconds_of(all[k].work));
  std::vector<double> medians;
  for (auto& one : measured) {
    std::nth_element(one.begin(), one.begin() + 3, one.end());
    medians.push_back(one[3]);
  }
  return medians;
}

void print_ratios(const char* title, const std::vector<Rate>& all) {
  const auto medians = rates(all);
  std::printf("\n%s\n", title);
  for (std::size_t k = 0; k < all.size(); ++k)
    std::printf("  %-34s %7.3f e9 cells/s  %6.2f x\n", all[k].name, medians[k] / 1e9, medians[k] / medians[0]);
}

void print_summary() {
  const auto matrix = [](const Runs& runs, const fd::PairwiseOptions& options) {
    return [&runs, options] { return fd::pairwise(runs.rows, runs.columns, twed, options).sum(); };
  };
  for (const Shape& shape : {Shape{64, 64, 256}, Shape{16, 16, 2048}}) {
    const Runs runs = make_runs(shape);
    std::vector<Packed> a, b;
    for (const Raw& raw : runs.raw_rows) a.push_back(pack(raw, 0));
    for (const Raw& raw : runs.raw_columns) b.push_back(pack(raw, 0));
    const std::size_t pairs_timed = 32;
    const double cells = static_cast<double>(pairs_timed) * static_cast<double>(shape.length * shape.length);
    std::vector<Rate> all = {{"two-row loop of T37", cells,
                              [&] {
                                double sum = 0;
                                for (std::size_t k = 0; k < pairs_timed; ++k)
                                  sum += two_row_twed(a[k % a.size()], b[k * 3 % b.size()]);
                                return sum;
                              }},
                             {"textbook loop", cells, [&] {
                                double sum = 0;
                                for (std::size_t k = 0; k < pairs_timed; ++k)
                                  sum += textbook_twed(runs.raw_rows[k % a.size()], runs.raw_columns[k * 3 % b.size()]);
                                return sum;
                              }}};
    for (const fd::Isa isa : fd::available_isas())
      all.push_back({fd::to_text(isa).data(), runs.cells, matrix(runs, {.threads = 1, .isa = isa})});
    print_ratios(("matrix " + text(shape) + ", double, one thread").c_str(), all);
  }
  const Runs base = make_runs({64, 64, 256}), three = make_runs({64, 64, 256, 3}), longer = make_runs({8, 8, 4096}),
             shared = make_runs({64, 64, 256, 1, true}), ragged = make_runs({64, 64, 256, 1, false, true});
  const fd::PairwiseOptions one{.threads = 1};
  print_ratios("against one channel, double, 64x64x256, one thread",
               {{"one channel, double", base.cells, matrix(base, one)},
                {"float", base.cells, matrix(base, {.threads = 1, .precision = fd::Precision::single})},
                {"three channels, L2", three.cells, matrix(three, one)},
                {"shared stamps", shared.cells, matrix(shared, one)},
                {"ragged, lengths 128 to 383", ragged.cells, matrix(ragged, one)},
                {"length 4096", longer.cells, matrix(longer, one)},
                {"two threads", base.cells, matrix(base, {.threads = 2})}});

  const Runs large = make_runs({256, 256, 1024});
  const auto peak = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024;
  };
  const double before = peak();
  const double seconds = seconds_of(matrix(large, one));
  std::printf(
      "\nmatrix 256x256x1024, one thread: %.2f s, %.2f e9 cells/s; peak memory grew by %.1f MB (result 0.5 MB, "
      "packed series %.1f MB)\n",
      seconds, large.cells / seconds / 1e9, (peak() - before) / 1e6, 512 * 1024 * 24 / 1e6);
}

// --- correctness before anything is timed ---

void require_same_sums() {
  for (const std::size_t channels : {1U, 3U})
    for (const bool shared : {false, true}) {
      const auto rows = random_walks(5, 60, channels, 1, shared), columns = random_walks(21, 45, channels, 2, shared);
      double origin = rows[0].times[0];
      for (const auto* list : {&rows, &columns})
        for (const Raw& raw : *list) origin = std::min(origin, raw.times[0]);
      double scalar = 0;
      for (const Raw& a : rows)
        for (const Raw& b : columns) scalar += two_row_twed(pack(a, origin), pack(b, origin));
      const auto check = [&](const char* name, double sum, double expected, double tolerance) {
        if (std::abs(sum - expected) <= tolerance * expected) return;
        std::fprintf(stderr, "twed_bench: %zu channels: the sum of %s is %.17g, expected %.17g\n", channels, name, sum,
                     expected);
        std::exit(1);
      };
      check("the textbook", textbook_sum(rows, columns), scalar, 1e-12);
      for (const fd::Isa isa : fd::available_isas()) {
        const auto matrix = fd::pairwise(as_series(rows), as_series(columns), twed, {.isa = isa});
        double sum = 0;
        for (Eigen::Index k = 0; k < matrix.size(); ++k) sum += matrix.data()[k];
        check(fd::to_text(isa).data(), sum, scalar, 0);
      }
    }
}

}  // namespace

/// After the benchmarks a table of ratios; `--benchmark_filter=none` prints it alone.
/// Takes an option out of the list of arguments; true if it was there.
static bool take(int& argc, char** argv, const std::string& option) {
  const int before = argc;
  argc =
      static_cast<int>(std::remove_if(argv + 1, argv + argc, [&](const char* text) { return text == option; }) - argv);
  return argc < before;
}

int main(int argc, char** argv) {
  const bool no_summary = take(argc, argv, "--no-summary");
  require_same_sums();
  add_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  if (!no_summary) print_summary();
  return 0;
}
