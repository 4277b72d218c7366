-- An output: credits and owners of its virtual channels, and which input lane sends next.
-- SPDX-License-Identifier: Apache-2.0
--
-- A head takes a channel that its table entry allows, that no packet holds and that has a credit; the packet holds it
-- until its tail has left. Lanes have their turn one after the other.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.router_pkg.all;

entity output is
  generic (
    LANES  : positive; -- of all inputs
    VCS    : positive;
    VC_W   : positive;
    DEPTH  : positive; -- of the next switch's lanes
    FLIT_W : positive
  );
  port (
    clk, rst   : in  std_logic;
    want_i     : in  std_logic_vector(LANES - 1 downto 0);
    open_i     : in  std_logic_vector(LANES - 1 downto 0);
    mask_i     : in  vectors(0 to LANES - 1)(VCS - 1 downto 0);  -- channels for a head,
    vc_i       : in  vectors(0 to LANES - 1)(VC_W - 1 downto 0); -- the channel of what is open
    front_i    : in  flits(0 to LANES - 1)(FLIT_W - 1 downto 0);
    credit_i   : in  std_logic_vector(VCS - 1 downto 0);
    grant_o    : out std_logic_vector(LANES - 1 downto 0);
    grant_vc_o : out std_logic_vector(VC_W - 1 downto 0);
    valid_o    : out std_logic;
    vc_o       : out std_logic_vector(VC_W - 1 downto 0);
    flit_o     : out std_logic_vector(FLIT_W - 1 downto 0)
  );
end entity;

architecture rtl of output is
  type counts is array (natural range <>) of natural range 0 to DEPTH;
  signal credits_q  : counts(0 to VCS - 1);
  signal taken_q    : std_logic_vector(VCS - 1 downto 0);
  signal turn_q     : natural range 0 to LANES - 1; -- this lane is first
  signal any        : std_logic;
  signal lane       : natural range 0 to LANES - 1; -- that sends now,
  signal vc         : natural range 0 to VCS - 1;   -- on this channel
begin

  arbiter : process (all)
    variable able : boolean;
    variable l, v : natural;
  begin
    any  <= '0';
    lane <= 0;
    vc   <= 0;
    for k in LANES - 1 downto 0 loop -- the last assignment counts: the first lane from turn_q on
      l := (turn_q + k) mod LANES;
      if want_i(l) = '1' then
        able := false;
        v    := 0;
        if open_i(l) = '1' then
          v    := to_integer(unsigned(vc_i(l)));
          able := credits_q(v) /= 0;
        else
          for c in VCS - 1 downto 0 loop
            if mask_i(l)(c) = '1' and taken_q(c) = '0' and credits_q(c) /= 0 then
              v    := c;
              able := true;
            end if;
          end loop;
        end if;
        if able then
          any  <= '1';
          lane <= l;
          vc   <= v;
        end if;
      end if;
    end loop;
  end process;

  process (all)
  begin
    grant_o       <= (others => '0');
    grant_o(lane) <= any;
  end process;
  grant_vc_o <= std_logic_vector(to_unsigned(vc, VC_W));

  process (clk)
    variable sent, freed : natural range 0 to 1;
  begin
    if rising_edge(clk) then
      if rst = '1' then
        credits_q <= (others => DEPTH);
        taken_q   <= (others => '0');
        turn_q    <= 0;
        valid_o   <= '0';
      else
        valid_o <= any;
        vc_o    <= grant_vc_o;
        flit_o  <= front_i(lane);
        if any = '1' then
          taken_q(vc) <= not front_i(lane)(0);
          turn_q      <= (lane + 1) mod LANES;
        end if;
        for c in 0 to VCS - 1 loop
          sent  := 1 when any = '1' and vc = c else 0;
          freed := 1 when credit_i(c) = '1' else 0;
          assert credits_q(c) + freed <= DEPTH + sent report "a credit for a slot that was free" severity error;
          credits_q(c) <= credits_q(c) + freed - sent;
        end loop;
      end if;
    end if;
  end process;
end architecture;
