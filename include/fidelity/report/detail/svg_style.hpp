// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace fidelity::detail {

/// Colours that people with any colour vision can tell apart (Okabe and Ito), on light and on dark ground.
constexpr std::string_view svg_style =
    R"(:root{--ground:#fff;--ink:#1b1b1b;--faint:#767676;--grid:#e3e3e3;--p1:#0060a8;--p2:#c04a00;--p3:#00795a;--p4:#8d3f78;
--holds:#d9a400;--both:#0072b2;--chosen:#009e73;--unknown:#8a8a8a;--failed:#c62828}
@media screen and (prefers-color-scheme:dark){:root{--ground:#16181b;--ink:#ececec;--faint:#a3a3a3;--grid:#33373c;--p1:#6cb8ee;
--p2:#f0955a;--p3:#3fcf9f;--p4:#dd94c6;--holds:#e6b822;--both:#4aa8e0;--chosen:#27c795;--unknown:#9a9a9a;--failed:#ff6b6b}}
text{font:12px system-ui,sans-serif;fill:var(--ink)}.title{font-size:16px;font-weight:600}.panel{font-weight:600}
.over{paint-order:stroke;stroke:var(--ground);stroke-width:3px;stroke-linejoin:round}
.faint{fill:var(--faint)}.end{text-anchor:end}.mid{text-anchor:middle}
.line{fill:none;stroke-width:1.4;stroke-linejoin:round}.dot{stroke:none}
.line.thin{stroke-width:.8;stroke-opacity:.6}.band{fill:var(--p1);fill-opacity:.16;stroke:var(--p1);stroke-opacity:.45;stroke-width:.7}
.p1{stroke:var(--p1)}.p2{stroke:var(--p2);stroke-dasharray:7 3}.p3{stroke:var(--p3);stroke-dasharray:2 2}
.p4{stroke:var(--p4);stroke-dasharray:9 3 2 3}
.dot.p1{fill:var(--p1)}.dot.p2{fill:var(--p2)}.dot.p3{fill:var(--p3)}.dot.p4{fill:var(--p4)}
.grid{stroke:var(--grid)}.frame{fill:none;stroke:var(--faint)}.level{stroke:var(--ink);stroke-dasharray:5 4}
.mark{stroke:var(--faint)}.strong{stroke:var(--ink);stroke-width:1.6}
.area{fill-opacity:.18}.holds{fill:var(--holds)}.both{fill:var(--both)}.chosen{fill:var(--chosen)}
.unknown{fill:var(--unknown)}.failed{fill:var(--failed)}
.hatch{stroke-width:1.2;stroke-opacity:.65}.hatch.holds{stroke:var(--holds)}.hatch.both{stroke:var(--both)}
.hatch.chosen{stroke:var(--chosen)}.hatch.unknown{stroke:var(--unknown)}.hatch.failed{stroke:var(--failed)}
)";

/// One pattern for each meaning: direction and width differ, so that they read without colour.
constexpr std::string_view svg_patterns =
    R"(<defs><pattern id="holds" width="8" height="8" patternUnits="userSpaceOnUse"><path class="hatch holds" d="M-1 9L9 -1"/></pattern>
<pattern id="both" width="8" height="8" patternUnits="userSpaceOnUse"><path class="hatch both" d="M-1 -1L9 9"/></pattern>
<pattern id="chosen" width="6" height="6" patternUnits="userSpaceOnUse"><path class="hatch chosen" d="M-1 7L7 -1M-1 -1L7 7"/></pattern>
<pattern id="unknown" width="5" height="5" patternUnits="userSpaceOnUse"><path class="hatch unknown" d="M0 2.5H1.5"/></pattern>
<pattern id="failed" width="5" height="5" patternUnits="userSpaceOnUse"><path class="hatch failed" d="M2.5 0V5"/></pattern></defs>
)";

}  // namespace fidelity::detail
