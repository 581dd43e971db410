// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>

#include <fidelity/detail/require.hpp>
#include <fidelity/series/time.hpp>

namespace fidelity {

/// A change per time, given with its time unit: Rate{0.5, 1min} is half a unit of the signal per minute. Never a bare
/// number, since the unit of time is what such limits are confused about.
class Rate {
 public:
  /// `change` in the unit of the signal, `per` a chrono duration or double seconds. Throws InputError for a change that
  /// is NaN and a time that is not positive.
  template <class Per>
    requires std::same_as<Per, double> || detail::is_duration<Per> Rate(double change, Per per)
        : per_second_(change / seconds(per)) {
      if (!(seconds(per) > 0) || !detail::is_finite(seconds(per)))
        detail::fail("Rate", Rule::bad_parameter, "the time of a rate must be positive", {.value = seconds(per)});
      if (change != change) detail::fail("Rate", Rule::bad_parameter, "a rate must be a number");
    }

    /// Unit of the signal per second.
    [[nodiscard]] double per_second() const { return per_second_; }
    friend bool operator==(const Rate&, const Rate&) = default;

   private:
    double per_second_;
};

}  // namespace fidelity
