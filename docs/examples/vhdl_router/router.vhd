-- A wormhole router in VHDL that is not Heddle's: the example of docs/your-own-switch.md.
-- SPDX-License-Identifier: Apache-2.0
--
-- A flit that came in one cycle can leave in the next. Each virtual channel of each input has a lane of its own to every
-- output, so channels of one input do not wait for each other. Routes come from a table for each input.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.router_pkg.all;

entity router is
  generic (
    N, VCS, DEPTH, NODES, DATA_W : positive;
    VC_W, NODE_W                 : positive;
    FLIT_W                       : positive -- {data, kind}
  );
  port (
    clk, rst       : in  std_logic;
    push_i         : in  std_logic_vector(N * VCS - 1 downto 0);
    flit_i         : in  flits(0 to N - 1)(FLIT_W - 1 downto 0);
    freed_o        : out std_logic_vector(N * VCS - 1 downto 0);
    valid_o        : out std_logic_vector(N - 1 downto 0);
    vc_o           : out vectors(0 to N - 1)(VC_W - 1 downto 0);
    flit_o         : out flits(0 to N - 1)(FLIT_W - 1 downto 0);
    credit_i       : in  std_logic_vector(N * VCS - 1 downto 0);
    table_write_i  : in  std_logic;
    table_port_i   : in  unsigned(3 downto 0);
    table_node_i   : in  unsigned(11 downto 0);
    table_entry_i  : in  std_logic_vector(12 downto 0); -- {there is a way, channels, output}
    empty_o        : out std_logic
  );
end entity;

architecture rtl of router is
  constant LANES : positive := N * VCS;
  constant WAY_W : positive := 4 + VC_W;
  signal tables_q           : vectors(0 to N * NODES - 1)(12 downto 0) := (others => (others => '0'));
  signal valid, empty       : std_logic_vector(LANES - 1 downto 0);
  signal is_open            : std_logic_vector(LANES - 1 downto 0);
  signal front              : flits(0 to LANES - 1)(FLIT_W - 1 downto 0);
  signal mask               : vectors(0 to LANES - 1)(VCS - 1 downto 0);
  signal vc                 : vectors(0 to LANES - 1)(VC_W - 1 downto 0);
  signal goes               : vectors(0 to LANES - 1)(N - 1 downto 0); -- to which output a lane wants to send
  signal want, grant        : vectors(0 to N - 1)(LANES - 1 downto 0);
  signal grant_vc           : vectors(0 to N - 1)(VC_W - 1 downto 0);
begin

  process (clk)
  begin
    if rising_edge(clk) and table_write_i = '1' and rst = '0' and table_port_i < N and table_node_i < NODES then
      tables_q(to_integer(table_port_i) * NODES + to_integer(table_node_i)) <= table_entry_i;
    end if;
  end process;

  inputs : for l in 0 to LANES - 1 generate
    signal way, next_way : std_logic_vector(WAY_W - 1 downto 0);
    signal way_entry     : std_logic_vector(12 downto 0);
    signal goes_to       : unsigned(3 downto 0);
    signal granted       : std_logic;
    signal no_way        : std_logic;
  begin
    -- the header of a head: mode in its lowest two bits, destination above
    look_up : process (all)
      variable node : natural;
    begin
      node := to_integer(unsigned(front(l)(3 + 2 + NODE_W - 1 downto 3 + 2)));
      way_entry <= tables_q(l / VCS * NODES + node) when node < NODES and front(l)(4) = '0' else (others => '0');
    end process;
    mask(l) <= way_entry(4 + VCS - 1 downto 4);
    no_way  <= '1' when way_entry(12) /= '1' or unsigned(way_entry(3 downto 0)) >= N or unsigned(mask(l)) = 0 else '0';
    goes_to <= unsigned(way(WAY_W - 1 downto VC_W)) when is_open(l) = '1' else unsigned(way_entry(3 downto 0));
    vc(l)   <= way(VC_W - 1 downto 0);

    to_outputs : process (all)
    begin
      granted  <= '0';
      next_way <= (others => '0');
      for o in 0 to N - 1 loop
        goes(l)(o) <= '1' when valid(l) = '1' and goes_to = o else '0';
        if grant(o)(l) = '1' then
          granted  <= '1';
          next_way <= std_logic_vector(to_unsigned(o, 4)) & grant_vc(o);
        end if;
      end loop;
    end process;

    buffered : entity work.lane
      generic map (FLIT_W => FLIT_W, DEPTH => DEPTH, WAY_W => WAY_W)
      port map (
        clk => clk, rst => rst, push_i => push_i(l), flit_i => flit_i(l / VCS), no_way_i => no_way, grant_i => granted,
        way_i => next_way, valid_o => valid(l), front_o => front(l), open_o => is_open(l), way_o => way,
        empty_o => empty(l), freed_o => freed_o(l)
      );
  end generate;

  outputs : for o in 0 to N - 1 generate
    wanted : for l in 0 to LANES - 1 generate
      want(o)(l) <= goes(l)(o);
    end generate;
    sender : entity work.output
      generic map (LANES => LANES, VCS => VCS, VC_W => VC_W, DEPTH => DEPTH, FLIT_W => FLIT_W)
      port map (
        clk => clk, rst => rst, want_i => want(o), open_i => is_open, mask_i => mask, vc_i => vc, front_i => front,
        credit_i => credit_i((o + 1) * VCS - 1 downto o * VCS), grant_o => grant(o), grant_vc_o => grant_vc(o),
        valid_o => valid_o(o), vc_o => vc_o(o), flit_o => flit_o(o)
      );
  end generate;

  empty_o <= '1' when (and empty) = '1' and (or valid_o) = '0' and (or freed_o) = '0' else '0';
end architecture;
