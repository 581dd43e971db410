// SPDX-License-Identifier: MIT
// The matrix of distances over the ranks of an MPI job: every rank makes (or loads) the same runs, each tile of the
// matrix is computed by whoever is free, and all ranks get the whole matrix, the same bits as that of one computer.
//
//   mpirun -n 4 05_mpi_pairwise              on one machine
//   srun --ntasks 256 05_mpi_pairwise        on a cluster: one rank a core
//
// Ends with 0 if the matrix equals the serial one bit for bit.
#include <fidelity/mpi.hpp>  // includes mpi.h

#include <exception>

#include <fmt/format.h>

#include <fidelity/distance/twed.hpp>

#include "vehicle_runs.hpp"

namespace fd = fidelity;

namespace {
int compare_with_serial(int rank) {
  const auto simulated = vehicle::runs(vehicle::right_model, 400, 2, "right");
  const auto measured = vehicle::runs(vehicle::test_car, 300, 1, "measured");
  const fd::Twed metric{.stiffness = 0.05, .penalty = 0.005};

  const double started = MPI_Wtime();
  const fd::CostMatrix matrix = fd::mpi::pairwise(MPI_COMM_WORLD, simulated, measured, metric);
  const double seconds = MPI_Wtime() - started;
  if (rank > 0) return 0;

  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const bool equal = matrix == fd::pairwise(simulated, measured, metric, {.threads = 1});
  fmt::print("{} x {} distances on {} ranks in {:.3f} s; the serial matrix is {}\n", matrix.rows(), matrix.cols(),
             ranks, seconds, equal ? "the same, bit for bit" : "ANOTHER ONE");
  return equal ? 0 : 1;
}
}  // namespace

int main(int argc, char** argv) {
  int rank = 0, code = 2, level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED,
                  &level);  // rank 0 deals from its main thread and computes in another
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  try {
    code = compare_with_serial(rank);
  } catch (const std::exception& error) {  // the same one on all ranks: it names the rank and the series
    if (rank == 0) fmt::print(stderr, "{}\n", error.what());
  }
  MPI_Finalize();
  return code;
}
