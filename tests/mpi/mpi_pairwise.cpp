// SPDX-License-Identifier: MIT
// One program for all tests of mpi.hpp; its argument says what is tried. Rank 0 prints what was found. Each case must
// end on all ranks within ten seconds.
#include <fidelity/mpi.hpp>

#include <cmath>
#include <exception>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <fidelity/distance/twed.hpp>
#include <fidelity/series/series.hpp>

namespace fd = fidelity;
using Run = fd::Series<double, double>;

namespace {

const fd::Twed metric{.stiffness = 0.1, .penalty = 0.5};

std::vector<Run> runs(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto uniform = [&] { return static_cast<double>(random()) / 4294967296.0; };
  std::vector<Run> list;
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<double> times, values;
    double t = uniform(), x = 0;
    for (std::size_t i = 0; i < 1 + random() % 150; ++i) {
      times.push_back(t += 0.1 + uniform());
      values.push_back(x += uniform() - 0.5);
    }
    list.emplace_back(times, values, fd::SeriesOptions<double>{.name = "run " + std::to_string(k)});
  }
  return list;
}

double slow_mean_difference(const Run& a, const Run& b) {
  return std::abs(a(0) - b(0)) + 0.5 * std::abs(a.time(0) - b.time(0));
}

bool equal_to_serial() {
  const auto a = runs(70, 1), b = runs(45, 2);
  const std::vector<Run> none;
  const auto world = MPI_COMM_WORLD;
  return fd::mpi::pairwise(world, a, b, metric) == fd::pairwise(a, b, metric) &&
         fd::mpi::pairwise(world, a, metric) == fd::pairwise(a, metric) &&
         fd::mpi::pairwise_pooled(world, a, b, metric) == fd::pairwise_pooled(a, b, metric) &&
         fd::mpi::pairwise(world, a, b, slow_mean_difference) == fd::pairwise(a, b, slow_mean_difference) &&
         fd::mpi::pairwise(world, a, b, metric, {.precision = fd::Precision::single}) ==
             fd::pairwise(a, b, metric, {.precision = fd::Precision::single}) &&
         fd::mpi::pairwise(world, none, b, metric).size() == 0;
}

void with_invalid_series(int rank) {
  auto a = runs(30, 1), b = runs(20, 2);
  if (rank == 1) b[17] = Run({0.0, 1.0}, {1.0, std::numeric_limits<double>::quiet_NaN()}, {.name = "broken"});
  (void)fd::mpi::pairwise(MPI_COMM_WORLD, a, b, metric);
}

void with_throwing_metric(int rank) {
  const auto a = runs(60, 1), b = runs(60, 2);
  const auto throwing = [rank](const Run& x, const Run& y) {
    if (rank == 1) throw std::runtime_error("no licence");
    double sum = 0;  // slow enough for every rank to get tiles
    for (int k = 0; k < 20000; ++k) sum += std::sqrt(static_cast<double>(k));
    return std::abs(x(0) - y(0)) + 0 * sum;
  };
  (void)fd::mpi::pairwise(MPI_COMM_WORLD, a, b, throwing);
}

void with_other_series(int rank) {
  auto a = runs(30, 1);
  if (rank == 2) a[3] = runs(1, 99)[0];
  (void)fd::mpi::pairwise(MPI_COMM_WORLD, a, metric);
}

void with_cancelling_progress() {
  const auto a = runs(60, 1), b = runs(60, 2);
  const auto slow = [](const Run& x, const Run& y) {
    double sum = 0;
    for (int k = 0; k < 100000; ++k) sum += std::sqrt(static_cast<double>(k));
    return std::abs(x(0) - y(0)) + 0 * sum;
  };
  (void)fd::mpi::pairwise(MPI_COMM_WORLD, a, b, slow,
                          {.progress = [](const fd::Progress&) { return fd::Continue::no; }});
}

/// What happened, in words, the same on all ranks.
std::string outcome(const std::string& what, int rank) {
  try {
    if (what == "equal") return equal_to_serial() ? "the same bits" : "other bits";
    if (what == "invalid") with_invalid_series(rank);
    if (what == "throwing") with_throwing_metric(rank);
    if (what == "other") with_other_series(rank);
    if (what == "cancel") with_cancelling_progress();
    return "no error";
  } catch (const fd::Cancelled& cancelled) {
    return cancelled.finished < cancelled.total ? "cancelled" : "cancelled too late";
  } catch (const fd::mpi::RankError& error) {
    return error.what();
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  int rank = 0, size = 1, level = 0;
  if (what == "equal-unthreaded")
    MPI_Init(&argc, &argv);
  else
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::string text = outcome(what.substr(0, what.find('-')), rank);

  // All ranks must have come to the same end.
  std::vector<char> mine(400, '\0'), first;
  text.copy(mine.data(), mine.size() - 1);
  first = mine;
  MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  const int same = mine == first ? 1 : 0;
  int all = 0;
  MPI_Allreduce(&same, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (rank == 0) fmt::print("{} ranks, {}: {}\n", size, all == 1 ? "all" : "NOT all", text);
  MPI_Finalize();
  return text == "the same bits" ? 0 : 1;
}
