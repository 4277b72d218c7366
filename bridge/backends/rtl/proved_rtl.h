/* The RTL whose quiescent_o is proved, and for which switches. `make formal-record` proves rtl/ and writes both.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_PROVED_RTL_H
#define HD_PROVED_RTL_H

#define HD_PROVED_RTL UINT64_C(0x28be301cbbf85e6e)

/** Kinds of switches (specification §2.10), one a proof of tb/formal.txt. X(barrier, flits of a message, adaptive, route
 *  cycles, arb cycles, buffer cycles, source table, cut, coder, its wait, ROUTE, values, trees): cut, coder, wait and trees are 0 or 1. */
/* clang-format off */
#define HD_PROVED_KINDS(X)                                                \
  X(0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0) /* quiescent */                \
  X(0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1) /* quiescent-trees */          \
  X(0, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0) /* quiescent-out */            \
  X(0, 0, 0, 2, 2, 1, 0, 0, 0, 0, 0, 0, 0) /* quiescent-slow */           \
  X(0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0) /* quiescent-adaptive */       \
  X(0, 0, 3, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0) /* quiescent-ways */           \
  X(0, 0, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0) /* quiescent-counts */         \
  X(1, 2, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0) /* quiescent-barrier */        \
  X(0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0) /* quiescent-coder */          \
  X(0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0) /* quiescent-source */         \
  X(0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0) /* quiescent-cut */            \
  X(0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0) /* quiescent-arb */            \
  X(0, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0) /* quiescent-route-arb */      \
  X(0, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0) /* quiescent-adaptive-cut */   \
  X(0, 0, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0) /* quiescent-adaptive-arb */   \
  X(0, 0, 3, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0) /* quiescent-ways-cut */       \
  X(0, 0, 2, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0) /* quiescent-counts-cut */     \
  X(1, 2, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0) /* quiescent-barrier-source */ \
  X(1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0) /* quiescent-barrier-32 */     \
  X(1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0) /* quiescent-values */         \
  X(2, 2, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0) /* quiescent-fixed */          \
  X(4, 2, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0) /* quiescent-queued */         \
  X(3, 2, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0) /* quiescent-moving */         \
  X(5, 2, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0) /* quiescent-reserved */       \
  X(1, 2, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0) /* quiescent-barrier-slow */   \
  X(2, 2, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0) /* quiescent-fixed-slow */     \
  X(3, 2, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0) /* quiescent-moving-slow */    \
  X(4, 2, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0) /* quiescent-queued-slow */    \
  X(5, 2, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0) /* quiescent-reserved-slow */  \
  X(0, 0, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0, 0) /* quiescent-coder-source */   \
  X(0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0) /* quiescent-deep */           \
  X(0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0) /* quiescent-wide */           \
  X(0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0) /* quiescent-mesh */           \
  X(0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0) /* quiescent-mesh-cut */       \
  X(0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 4, 0, 0) /* quiescent-digits-arb */     \
  X(0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0) /* quiescent-mesh-route */     \
  X(1, 2, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0) /* quiescent-mesh-barrier */   \
  X(0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 2, 0, 0) /* quiescent-torus */          \
  X(0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 2, 0, 0) /* quiescent-torus-cut */      \
  X(0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 2, 0, 0) /* quiescent-torus-route */    \
  X(0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 3, 0, 0) /* quiescent-hypercube */      \
  X(0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 4, 0, 0) /* quiescent-digits */         \
  X(0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 4, 0, 0) /* quiescent-digits-source */  \
  X(0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 4, 0, 0) /* quiescent-digits-route */

/* clang-format on */

#endif
