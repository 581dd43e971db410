// SPDX-License-Identifier: MIT
/// JSON of comparisons and load reports. (Samplings: sampling_json.hpp.)
#pragma once

#include <fidelity/report/comparison_json.hpp>
#include <fidelity/report/comparisons_json.hpp>
#include <fidelity/report/load_report_json.hpp>
