-- Types of the VHDL router (docs/your-own-switch.md).
-- SPDX-License-Identifier: Apache-2.0
library ieee;
use ieee.std_logic_1164.all;

package router_pkg is

  -- what lies in a buffer; in kind, bit 0 says last flit, bit 1 first flit, bit 2 none of a packet
  type flits is array (natural range <>) of std_logic_vector;
  type vectors is array (natural range <>) of std_logic_vector;

  -- bits of a number below n, at least 1
  function width_of(n : positive) return positive;

end package;

package body router_pkg is

  function width_of(n : positive) return positive is
    variable bits : positive := 1;
  begin
    while 2 ** bits < n loop
      bits := bits + 1;
    end loop;
    return bits;
  end function;

end package body;
