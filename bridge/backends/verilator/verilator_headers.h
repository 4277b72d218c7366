// Headers that the shim and all files of Verilator include. Each runtime library precompiles them.
// SPDX-License-Identifier: Apache-2.0
#ifndef HD_VERILATOR_HEADERS_H
#define HD_VERILATOR_HEADERS_H

#include "verilator_print.h" // before all headers of Verilator

#include "verilated.h"
#if VM_SC
#include "verilated_sc.h" // includes SystemC
#endif
#include "verilated_save.h"
#if VM_TRACE
#include "verilated_fst_c.h"
#endif
#if VM_COVERAGE
#include "verilated_cov.h"
#endif
#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#endif
