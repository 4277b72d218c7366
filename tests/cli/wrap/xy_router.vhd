-- xy_router.v in VHDL, cycle for cycle: a router for a mesh with the flow control that FLOW says.
-- SPDX-License-Identifier: Apache-2.0
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity xy_router is
  generic (
    N      : positive := 5;
    VCS    : positive := 1;
    W      : positive := 32;
    FLOW   : natural  := 0; -- 0 valid and ready, 1 a level, 2 credits
    SLOTS  : positive := 8; -- of each input channel
    BEHIND : positive := 4  -- FLOW 2: slots behind each output channel
  );
  port (
    clk, rst_n : in  std_logic;
    my_x, my_y : in  std_logic_vector(3 downto 0);
    in_valid   : in  std_logic_vector(N - 1 downto 0);
    in_flit    : in  std_logic_vector(N * (W + 13) - 1 downto 0);
    in_back    : out std_logic_vector(N * VCS - 1 downto 0);
    out_valid  : out std_logic_vector(N - 1 downto 0);
    out_flit   : out std_logic_vector(N * (W + 13) - 1 downto 0);
    out_back   : in  std_logic_vector(N * VCS - 1 downto 0);
    empty      : out std_logic
  );
end entity;

architecture rtl of xy_router is
  constant FW : positive := W + 13;
  constant Q  : positive := N * VCS;
  type word_array is array (natural range <>) of std_logic_vector(FW - 1 downto 0);
  type naturals is array (natural range <>) of natural;
  constant NOBODY : natural := 255;
  signal rst_q : std_logic; -- registered, as in many routers

  function number(bits : std_logic_vector) return natural is
  begin
    return to_integer(unsigned(bits));
  end function;
begin

  process (clk)
    variable words                   : word_array(0 to Q * SLOTS - 1);
    variable first, held, free, way  : naturals(0 to Q - 1);
    variable owner                   : naturals(0 to Q - 1);
    variable turn, c, l              : natural;
    variable under_way, popped       : std_logic_vector(Q - 1 downto 0);
    variable used                    : std_logic_vector(N - 1 downto 0);
    variable flit                    : std_logic_vector(FW - 1 downto 0);
    variable to_port, x, y           : natural;
    variable found, some, free_owner : boolean;
  begin
    if rising_edge(clk) then
      rst_q <= rst_n;
      if rst_q /= '1' then
        first     := (others => 0);
        held      := (others => 0);
        free      := (others => BEHIND);
        owner     := (others => NOBODY);
        way       := (others => 0);
        under_way := (others => '0');
        turn      := 0;
        in_back   <= (others => '0');
        out_valid <= (others => '0');
        out_flit  <= (others => '0');
        empty     <= '1';
      else
        popped := (others => '0');
        used   := (others => '0');
        for k in 0 to Q - 1 loop
          if FLOW = 2 and out_back(k) = '1' then
            free(k) := free(k) + 1;
          end if;
        end loop;
        for o in 0 to N - 1 loop
          c := number(out_flit(o * FW + W + 10 downto o * FW + W + 8));
          if not (FLOW = 0 and out_valid(o) = '1' and out_back(o * VCS + c) = '0') then
            found := false;
            for k in 0 to Q - 1 loop
              l    := (turn + k) mod Q;
              c    := l mod VCS;
              flit := words(l * SLOTS + first(l));
              x    := number(flit(W + 7 downto W + 4));
              y    := number(flit(W + 3 downto W));
              if under_way(l) = '1' then
                to_port := way(l);
              elsif x /= number(my_x) then
                to_port := 1 when x > number(my_x) else 2;
              elsif y /= number(my_y) then
                to_port := 3 when y > number(my_y) else 4;
              else
                to_port := 0;
              end if;
              free_owner := owner(o * VCS + c) = l when under_way(l) = '1' else owner(o * VCS + c) = NOBODY;
              if not found and held(l) /= 0 and used(l / VCS) = '0' and to_port = o and free_owner
                 and (FLOW = 0 or (FLOW = 1 and out_back(o * VCS + c) = '1') or (FLOW = 2 and free(o * VCS + c) /= 0)) then
                found                                      := true;
                used(l / VCS)                              := '1';
                popped(l)                                  := '1';
                out_flit((o + 1) * FW - 1 downto o * FW)   <= flit;
                way(l)                                     := to_port;
                under_way(l)                               := not flit(FW - 2);
                owner(o * VCS + c)                         := NOBODY when flit(FW - 2) = '1' else l;
                if FLOW = 2 then
                  free(o * VCS + c) := free(o * VCS + c) - 1;
                end if;
                first(l) := (first(l) + 1) mod SLOTS;
                held(l)  := held(l) - 1;
              end if;
            end loop;
            out_valid(o) <= '1' when found else '0';
          end if;
        end loop;
        turn := (turn + 1) mod Q;
        for p in 0 to N - 1 loop
          flit := in_flit((p + 1) * FW - 1 downto p * FW);
          l    := p * VCS + number(flit(W + 10 downto W + 8));
          if in_valid(p) = '1' and (FLOW /= 0 or in_back(l) = '1') then
            words(l * SLOTS + (first(l) + held(l)) mod SLOTS) := flit;
            held(l)                                           := held(l) + 1;
          end if;
        end loop;
        some := false;
        for k in 0 to Q - 1 loop
          some := some or held(k) /= 0;
          if FLOW = 2 then
            in_back(k) <= popped(k);
          else
            in_back(k) <= '1' when held(k) + (2 * FLOW) < SLOTS else '0';
          end if;
        end loop;
        empty <= '0' when some else '1';
      end if;
    end if;
  end process;
end architecture;
