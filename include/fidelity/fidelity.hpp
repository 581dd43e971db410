// SPDX-License-Identifier: MIT
/// Everything but files (io/), printing (report/) and many machines: include this, and what you need of those.
#pragma once

#include <fidelity/distance/metric.hpp>
#include <fidelity/distance/pairwise.hpp>
#include <fidelity/distance/twed.hpp>
#include <fidelity/errors.hpp>
#include <fidelity/series/resample.hpp>
#include <fidelity/series/series.hpp>
#include <fidelity/series/signal.hpp>
#include <fidelity/series/statistics.hpp>
#include <fidelity/series/time.hpp>
#include <fidelity/series/window.hpp>
#include <fidelity/transport/assign.hpp>
#include <fidelity/transport/transport.hpp>
#include <fidelity/transport/wasserstein.hpp>
#include <fidelity/validation/compare.hpp>
#include <fidelity/version.hpp>
