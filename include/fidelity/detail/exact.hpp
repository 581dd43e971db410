// SPDX-License-Identifier: MIT
// FIDELITY_EXACT before a function and FIDELITY_EXACT_BODY as its first statement: no product is fused with a following
// addition inside it, whatever the user's flags, so that results are the same bits on every machine.
#pragma once

#if defined(__clang__)
#define FIDELITY_EXACT
#define FIDELITY_EXACT_BODY _Pragma("clang fp contract(off)")
#elif defined(__GNUC__)
#define FIDELITY_EXACT [[gnu::optimize("fp-contract=off")]]
#define FIDELITY_EXACT_BODY
#else
#define FIDELITY_EXACT
#define FIDELITY_EXACT_BODY
#endif
