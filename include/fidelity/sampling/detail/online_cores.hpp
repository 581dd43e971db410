// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include <fidelity/sampling/detail/line_fit.hpp>
#include <fidelity/sampling/detail/student_t.hpp>
#include <fidelity/sampling/online_options.hpp>

namespace fidelity::detail {

/// What a detector thinks after a sample.
struct OnlineStep {
  OnlineState state = OnlineState::unknown;
  std::optional<double> score = {};
};

/// Mean and variance of the first samples (Welford 1962).
class StartSamples {
 public:
  explicit StartSamples(std::size_t needed) : needed_(needed) {}
  /// Takes one more. Are there enough now?
  bool complete(double x) {
    const double difference = x - mean_;
    ++count_;
    mean_ += difference / static_cast<double>(count_);
    squares_ += difference * (x - mean_);
    return count_ == needed_;
  }
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double variance() const { return squares_ / static_cast<double>(needed_ - 1); }

 private:
  std::size_t needed_, count_ = 0;
  double mean_ = 0, squares_ = 0;
};

class RStatisticCore {
 public:
  explicit RStatisticCore(const RStatisticOptions& options) : options_(options), start_(options.start_samples) {}
  void restart() { *this = RStatisticCore(options_); }
  [[nodiscard]] bool filled() const { return filled_; }

  OnlineStep push(double, double x) {
    if (!filled_) {
      filled_ = start_.complete(x);
      last_ = x;
      filtered_ = start_.mean();
      if (filled_) long_ = short_ = start_.variance();
      skip_ = options_.skip_after_start;
      return {};
    }
    if (skip_) {
      skip_ = false;
      return {};
    }
    const auto& [l1, l2, l3] = options_.filters;
    const double deviation = x - filtered_, step = x - last_;
    long_ = l2 * deviation * deviation + (1 - l2) * long_;
    short_ = l3 * step * step + (1 - l3) * short_;
    filtered_ = l1 * x + (1 - l1) * filtered_;
    last_ = x;
    double ratio = 0;
    if (long_ > 0) ratio = short_ > 0 ? (2 - l1) * long_ / short_ : std::numeric_limits<double>::infinity();
    if (ratio <= options_.accept) state_ = OnlineState::steady;
    if (ratio > options_.reject) state_ = OnlineState::transient;
    return {state_, ratio};
  }

  /// Filtered value, and the two variances whose ratio is the score (before the factor 2 - l1).
  [[nodiscard]] double filtered() const { return filtered_; }
  [[nodiscard]] double variance_about_filter() const { return long_; }
  [[nodiscard]] double variance_of_steps() const { return short_; }

 private:
  RStatisticOptions options_;
  StartSamples start_;
  bool filled_ = false, skip_ = false;
  double filtered_ = 0, long_ = 0, short_ = 0, last_ = 0;
  OnlineState state_ = OnlineState::unknown;
};

/// A number of samples; the oldest makes room.
class Ring {
 public:
  explicit Ring(std::size_t size) : t_(size), x_(size) {}
  void clear() { next_ = count_ = 0; }
  void push(double t, double x) {
    t_[next_] = t;
    x_[next_] = x;
    next_ = next_ + 1 == t_.size() ? 0 : next_ + 1;
    count_ = std::min(count_ + 1, t_.size());
  }
  [[nodiscard]] bool full() const { return count_ == t_.size(); }
  [[nodiscard]] std::size_t oldest() const { return next_; }                                   ///< once full
  [[nodiscard]] std::size_t newest() const { return next_ == 0 ? t_.size() - 1 : next_ - 1; }  ///< once full
  [[nodiscard]] const std::vector<double>& t() const { return t_; }
  [[nodiscard]] const std::vector<double>& x() const { return x_; }

 private:
  std::vector<double> t_, x_;
  std::size_t next_ = 0, count_ = 0;
};

class KellyHedengrenCore {
 public:
  explicit KellyHedengrenCore(const KellyHedengrenOptions& options)
      : options_(options),
        ring_(options.samples),
        critical_(student_t_quantile(options.alpha, static_cast<double>(options.samples) - 2)) {}
  void restart() { ring_.clear(); }

  OnlineStep push(double t, double x) {
    ring_.push(t, x);
    if (!ring_.full()) return {};
    // About the oldest sample, so that neither a late time nor a large offset costs digits.
    const double t0 = ring_.t()[ring_.oldest()], x0 = ring_.x()[ring_.oldest()];
    const auto count = static_cast<double>(ring_.x().size());
    slope_ = (ring_.x()[ring_.newest()] - x0) / (ring_.t()[ring_.newest()] - t0);
    double sum_t = 0, sum_x = 0;
    for (std::size_t i = 0; i < ring_.x().size(); ++i) {
      sum_t += ring_.t()[i] - t0;
      sum_x += ring_.x()[i] - x0;
    }
    const double level = (sum_x - slope_ * sum_t) / count;
    double squares = 0;
    for (std::size_t i = 0; i < ring_.x().size(); ++i) {
      const double residual = ring_.x()[i] - x0 - slope_ * (ring_.t()[i] - t0) - level;
      squares += residual * residual;
    }
    spread_ = std::sqrt(squares / (count - 2));
    level_ = x0 + level;
    inside_ = 0;
    for (const double value : ring_.x()) inside_ += std::abs(value - x0 - level) <= critical_ * spread_;
    const double share = static_cast<double>(inside_) / count;
    return {share >= options_.p_min ? OnlineState::steady : OnlineState::transient, share};
  }

  /// Slope per second, level and spread of the last full window, and how many of its samples are inside.
  [[nodiscard]] double slope() const { return slope_; }
  [[nodiscard]] double level() const { return level_; }
  [[nodiscard]] double spread() const { return spread_; }
  [[nodiscard]] std::size_t inside() const { return inside_; }

 private:
  KellyHedengrenOptions options_;
  Ring ring_;
  double critical_;
  double slope_ = 0, level_ = 0, spread_ = 0;
  std::size_t inside_ = 0;
};

/// The moments of a sliding window as a queue of two stacks: nothing is ever subtracted, so a spike leaves no trace
/// when it leaves the window. Amortised O(1) a sample.
class SlidingMoments {
 public:
  void clear() { *this = SlidingMoments(); }
  void push(double t, double x) {
    back_.push_back(LineMoments::of(t, x));
    back_sum_ = back_sum_ + back_.back();
  }
  /// Drops the samples before `t`.
  void drop_before(double t) {
    for (;;) {
      if (front_.empty()) {
        if (back_.empty() || back_.front().mean_t >= t) return;
        LineMoments sum;
        for (; !back_.empty(); back_.pop_back()) front_.push_back({back_.back().mean_t, sum = back_.back() + sum});
        back_sum_ = {};
      }
      if (front_.back().time >= t) return;
      front_.pop_back();
    }
  }
  [[nodiscard]] LineMoments moments() const { return front_.empty() ? back_sum_ : front_.back().from_here + back_sum_; }

 private:
  struct Older {
    double time;
    LineMoments from_here;  ///< of this sample and all younger ones of the stack
  };
  std::vector<Older> front_;
  std::vector<LineMoments> back_;
  LineMoments back_sum_;
};

class WindowedSlopeCore {
 public:
  template <TimePoint Time>
  explicit WindowedSlopeCore(const WindowedSlopeOptions<Time>& options)
      : window_(seconds(Duration<Time>(options.window))),
        limits_{options.noise_max, options.slope_max.per_second(), options.confidence, options.strict} {}
  void restart() {
    window_moments_.clear();
    start_.reset();
  }

  OnlineStep push(double t, double x) {
    if (start_ && t - last_ > window_) restart();  // the window has run empty
    last_ = t;
    if (!start_) start_ = {t, x};
    window_moments_.push(t, x - start_->x);
    window_moments_.drop_before(t - window_);
    const LineMoments moments = window_moments_.moments();
    if (t - start_->t < window_ || moments.count < 3) return {};
    line_ = fit_line(moments);
    line_.mean += start_->x;
    return {judge(line_, limits_).steady() ? OnlineState::steady : OnlineState::transient, line_.slope};
  }

  /// The line of the last full window, times in seconds since the detector (re)started.
  [[nodiscard]] const LineFit& line() const { return line_; }

 private:
  double window_;
  LineLimits limits_;
  SlidingMoments window_moments_;
  struct Start {
    double t, x;
  };
  std::optional<Start> start_;  ///< since the restart: values are taken from here, so that an offset costs no digits
  double last_ = 0;
  LineFit line_{};
};

class CusumCore {
 public:
  explicit CusumCore(const CusumOptions& options) : options_(options), start_(options.start_samples) {}
  void restart() { *this = CusumCore(options_); }

  OnlineStep push(double, double x) {
    if (!filled_) {
      filled_ = start_.complete(x);
      return {state_, {}};
    }
    const double deviation = x - start_.mean(), sigma = std::sqrt(start_.variance());
    up_ = std::max(0.0, up_ + deviation - options_.slack * sigma);
    down_ = std::max(0.0, down_ - deviation - options_.slack * sigma);
    const double score = std::max(up_, down_);
    state_ = score > options_.limit * sigma ? OnlineState::transient : OnlineState::steady;
    if (state_ == OnlineState::transient) {  // mean and spread are learnt anew; until then it stays transient
      restart();
      state_ = OnlineState::transient;
    }
    return {state_, score};
  }

 private:
  CusumOptions options_;
  StartSamples start_;
  bool filled_ = false;
  double up_ = 0, down_ = 0;
  OnlineState state_ = OnlineState::unknown;
};

}  // namespace fidelity::detail
