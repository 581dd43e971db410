// SPDX-License-Identifier: MIT
// Programs that must not compile. Case 0 must: it proves that the rest of the file is in order and that the headers are
// found. The reasons that the others must give stand in CMakeLists.txt.
#include <chrono>
#include <vector>

#include <fidelity/distance/twed.hpp>
#include <fidelity/sampling/conditions.hpp>
#include <fidelity/sampling/window_search.hpp>
#include <fidelity/series/resample.hpp>
#include <fidelity/series/series.hpp>
#include <fidelity/series/statistics.hpp>

#ifndef CASE
#error "CASE is not defined"
#endif

namespace fd = fidelity;
using namespace std::chrono_literals;

using Series = fd::Series<double, double>;

inline Series make() { return {{0.0, 1.0}, {1.0, 2.0}}; }
inline const Series make_const() { return make(); }

inline void everything_is_in_order() {
  const Series series = make();
  const fd::SeriesView<double, double> view = series;
  (void)fd::channel(series, 0);
  (void)fd::channel(view, "x");
  (void)fd::slice(fd::channel(series, 0), {0.0, 1.0});
  (void)fd::with_interpolation(view, fd::Interpolation::hold);
  (void)fd::resample(series, fd::Every{0.1});
  (void)fd::resample(fd::Series<>({fd::Timestamp{}}, {1.0}), fd::Every{100ms});
  (void)fd::mean(series, {0.0, 1.0});
  (void)fd::Twed{.stiffness = 1, .penalty = 0.5};
  (void)fd::WindowOptions<>{.length = 1h};
  (void)fd::Hysteresis{.on = 8, .off = 2};
}

#if CASE == 1  // a view of a temporary series would dangle
const fd::SeriesView<double, double> test_view = make();
#endif

#if CASE == 2  // as above, with deduced types
inline void test() { const fd::SeriesView view{make()}; }
#endif

#if CASE == 3  // as above, with a constant temporary
const fd::SeriesView<double, double> test_view = make_const();
#endif

#if CASE == 4
inline auto test() { return fd::channel(make(), 0); }
#endif

#if CASE == 5
inline auto test() { return fd::channel(make_const(), "flow"); }
#endif

#if CASE == 6
inline auto test() { return fd::slice(make(), fd::Window{0.0, 1.0}); }
#endif

#if CASE == 7
inline auto test() { return fd::slice(make_const(), fd::Window{0.0, 1.0}); }
#endif

#if CASE == 8
inline auto test() { return fd::with_interpolation(make(), fd::Interpolation::hold); }
#endif

#if CASE == 9
inline auto test() { return fd::with_interpolation(make_const(), fd::Interpolation::hold); }
#endif

#if CASE == 10  // seconds as double do not say what they mean for an absolute time
inline auto test(const fd::Series<>& series) { return fd::resample(series, fd::Every{0.1}); }
#endif

#if CASE == 11  // a window of another time type
inline auto test(const fd::Series<>& series) { return fd::mean(series, fd::Window{0.0, 1.0}); }
#endif

#if CASE == 12
inline auto test(const fd::Series<>& series) { return fd::slice(series, fd::Window{0.0, 1.0}); }
#endif

#if CASE == 13  // values are double or float
inline auto test() { return fd::Series<int, double>({0.0}, {1}); }
#endif

#if CASE == 14  // the two kinds of time never mix
inline fd::Series<> test(const Series& series) { return fd::Series<>{series}; }
#endif

#if CASE == 15
inline auto test(const fd::Series<>& series) { return fd::value_at(series, 1.0); }
#endif

#if CASE == 16
inline auto test(const fd::WindowSet<double>& a, const fd::WindowSet<>& b) { return a & b; }
#endif

#if CASE == 17  // a number is no time but in double
inline auto test() { return fd::Series<double, float>({0.0F}, {1.0}); }
#endif

#if CASE == 18  // a max_gap in plain seconds for an absolute time
inline auto test() { return fd::Series<>({fd::Timestamp{}}, {1.0}, {.max_gap = 2.0}); }
#endif

#if CASE == 19  // no default for the stiffness
inline auto test() { return fd::Twed{.penalty = 0.5}; }
#endif

#if CASE == 20  // no default for the penalty
inline auto test() { return fd::Twed{.stiffness = 0.1}; }
#endif

#if CASE == 21  // never two adjacent unnamed numbers
inline auto test() { return fd::Twed{0.1, 0.5}; }
#endif

#if CASE == 22  // nor with the first member skipped
inline auto test() { return fd::Twed{{}, 0.1, 0.5}; }
#endif

#if CASE == 23  // no default for the length of a window
inline auto test() { return fd::WindowOptions<>{.pick = fd::Pick::all}; }
#endif

#if CASE == 24  // a length in plain seconds for an absolute time
inline auto test() { return fd::WindowOptions<>{.length = 3600.0}; }
#endif

#if CASE == 25  // which number switches on must be said
inline auto test() { return fd::Hysteresis{8.0, 2.0}; }
#endif

#if CASE == 26  // no default for the run time
#include <fidelity/sampling/sampler.hpp>
inline auto test() { return fd::SamplingPlan<>{.enabled = false}; }
#endif

#if CASE == 27  // no default for the quantum
#include <fidelity/qss/qss_options.hpp>
inline auto test() { return fd::QssOptions{.order = 2, .end = 10}; }
#endif
