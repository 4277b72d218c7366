// The program that heddle starts for a SystemC backend: a switch as a module, driven by heddle.
// SPDX-License-Identifier: Apache-2.0
//
// verilator.cpp is compiled into it with HD_FORM 2 and implements the operations.
#define _Static_assert static_assert
#include "systemc_serve.h"

#include <cstdlib>
#include <systemc>

int sc_main(int argc, char **argv)
{
  return hd_systemc_serve(hd_dut_backend(), argc > 1 ? argv[1] : "");
}

int main(int argc, char **argv)
{
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1); // The log is kept for errors.
  return sc_core::sc_elab_and_sim(argc, argv);
}
