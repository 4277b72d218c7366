// The files of axis_router; packages come first, wherever they stand.
// SPDX-License-Identifier: Apache-2.0
axis_router.sv
axis_pkg.sv
../xy_router.v
