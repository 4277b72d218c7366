-- The buffer of one virtual channel of an input: DEPTH flits, and where the packet at its front goes.
-- SPDX-License-Identifier: Apache-2.0
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.router_pkg.all;

entity lane is
  generic (
    FLIT_W : positive; -- {data, kind}
    DEPTH  : positive;
    WAY_W  : positive  -- {output port, its virtual channel}
  );
  port (
    clk, rst   : in  std_logic;
    push_i     : in  std_logic;
    flit_i     : in  std_logic_vector(FLIT_W - 1 downto 0);
    no_way_i   : in  std_logic; -- the head at the front has none: its packet is dropped
    grant_i    : in  std_logic; -- the front leaves
    way_i      : in  std_logic_vector(WAY_W - 1 downto 0); -- with a head that is granted
    valid_o    : out std_logic; -- there is a front that wants to leave
    front_o    : out std_logic_vector(FLIT_W - 1 downto 0);
    open_o     : out std_logic; -- it belongs to a packet whose head has left, by this way
    way_o      : out std_logic_vector(WAY_W - 1 downto 0);
    empty_o    : out std_logic;
    freed_o    : out std_logic  -- a register: a slot became free
  );
end entity;

architecture rtl of lane is
  signal slots_q        : flits(0 to DEPTH - 1)(FLIT_W - 1 downto 0);
  signal oldest_q       : natural range 0 to DEPTH - 1;
  signal held_q         : natural range 0 to DEPTH;
  signal open_q, drop_q : std_logic;
  signal way_q          : std_logic_vector(WAY_W - 1 downto 0);
  signal freed_q        : std_logic;
  signal any, drop, pop : std_logic;
  alias kind is front_o(2 downto 0);
begin
  any     <= '1' when held_q /= 0 else '0';
  front_o <= slots_q(oldest_q);

  -- a packet without a way, a flit without a packet, and what is of no packet
  drop <= any and (kind(2) or drop_q or (not open_q and (not kind(1) or no_way_i)));
  pop  <= grant_i or drop;

  process (clk)
  begin
    if rising_edge(clk) then
      assert rst = '1' or push_i /= '1' or held_q < DEPTH report "a flit came without a credit" severity error;
      if push_i = '1' and held_q < DEPTH then
        slots_q((oldest_q + held_q) mod DEPTH) <= flit_i;
      end if;
      if rst = '1' then
        oldest_q <= 0;
        held_q   <= 0;
        open_q   <= '0';
        drop_q   <= '0';
        freed_q  <= '0';
      else
        freed_q <= pop;
        if pop = '1' then
          oldest_q <= (oldest_q + 1) mod DEPTH;
          if kind(2) = '0' then
            open_q <= grant_i and not kind(0);
            drop_q <= drop and not kind(0);
          end if;
          if grant_i = '1' and kind(1) = '1' then
            way_q <= way_i;
          end if;
        end if;
        if push_i = '1' and pop = '0' and held_q < DEPTH then
          held_q <= held_q + 1;
        elsif push_i = '0' and pop = '1' then
          held_q <= held_q - 1;
        end if;
      end if;
    end if;
  end process;

  valid_o <= any and not drop;
  open_o  <= open_q;
  way_o   <= way_q;
  empty_o <= not any;
  freed_o <= freed_q;
end architecture;
