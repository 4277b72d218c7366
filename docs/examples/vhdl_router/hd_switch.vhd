-- The pins of Heddle's switch around a router in VHDL (docs/your-own-switch.md).
-- SPDX-License-Identifier: Apache-2.0
--
-- Ports as in section 2.11 of the specification; wires, and one register for quiescent_o.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.router_pkg.all;

entity hd_switch is
  generic (
    PORTS         : positive := 5;
    VCS           : positive := 2;
    DATA_W        : positive := 16;
    DEPTH         : positive := 4;
    NODES         : positive := 16;
    ROUTE_CYCLES  : natural  := 1; -- what follows is set by every build; this router has a timing of its own
    ARB_CYCLES    : natural  := 1;
    BUFFER_CYCLES : natural  := 0;
    CUT_FLITS     : natural  := 0;
    SOURCE_TABLE  : natural  := 0;
    ADAPTIVE      : natural  := 0
  );
  port (
    clk          : in  std_logic;
    rst          : in  std_logic;
    in_valid_i   : in  std_logic_vector(PORTS - 1 downto 0);
    in_kind_i    : in  std_logic_vector(PORTS * 3 - 1 downto 0);
    in_vc_i      : in  std_logic_vector(PORTS * width_of(VCS) - 1 downto 0);
    in_data_i    : in  std_logic_vector(PORTS * DATA_W - 1 downto 0);
    in_credit_o  : out std_logic_vector(PORTS * VCS - 1 downto 0);
    out_valid_o  : out std_logic_vector(PORTS - 1 downto 0);
    out_kind_o   : out std_logic_vector(PORTS * 3 - 1 downto 0);
    out_vc_o     : out std_logic_vector(PORTS * width_of(VCS) - 1 downto 0);
    out_data_o   : out std_logic_vector(PORTS * DATA_W - 1 downto 0);
    out_credit_i : in  std_logic_vector(PORTS * VCS - 1 downto 0);
    cfg_write_i  : in  std_logic;
    cfg_read_i   : in  std_logic;
    cfg_addr_i   : in  std_logic_vector(19 downto 0);
    cfg_wdata_i  : in  std_logic_vector(15 downto 0);
    cfg_rdata_o  : out std_logic_vector(15 downto 0);
    quiescent_o  : out std_logic
  );
end entity;

architecture pins of hd_switch is
  constant VC_W   : positive := width_of(VCS);
  constant FLIT_W : positive := DATA_W + 3;
  signal push                  : std_logic_vector(PORTS * VCS - 1 downto 0);
  signal in_flit, out_flit     : flits(0 to PORTS - 1)(FLIT_W - 1 downto 0);
  signal out_vc                : vectors(0 to PORTS - 1)(VC_W - 1 downto 0);
  signal table_write, is_empty : std_logic;
begin
  assert SOURCE_TABLE = 0 and ADAPTIVE = 0 report "this router knows destination tables alone" severity failure;

  port_pins : for p in 0 to PORTS - 1 generate
    in_flit(p) <= in_data_i((p + 1) * DATA_W - 1 downto p * DATA_W) & in_kind_i(3 * p + 2 downto 3 * p);
    out_data_o((p + 1) * DATA_W - 1 downto p * DATA_W) <= out_flit(p)(FLIT_W - 1 downto 3);
    out_kind_o(3 * p + 2 downto 3 * p)                 <= out_flit(p)(2 downto 0);
    out_vc_o((p + 1) * VC_W - 1 downto p * VC_W)       <= out_vc(p);
    lanes : for v in 0 to VCS - 1 generate
      push(p * VCS + v) <= '1' when in_valid_i(p) = '1' and unsigned(in_vc_i((p + 1) * VC_W - 1 downto p * VC_W)) = v
                           else '0';
    end generate;
  end generate;

  -- table entries (section 3.2)
  table_write <= '1' when cfg_write_i = '1' and cfg_addr_i(19 downto 16) = x"1" else '0';
  cfg_rdata_o <= (others => '0'); -- it has no registers to be read

  dut : entity work.router
    generic map (
      N => PORTS, VCS => VCS, DEPTH => DEPTH, NODES => NODES, DATA_W => DATA_W, VC_W => VC_W, NODE_W => width_of(NODES),
      FLIT_W => FLIT_W
    )
    port map (
      clk => clk, rst => rst, push_i => push, flit_i => in_flit, freed_o => in_credit_o, valid_o => out_valid_o,
      vc_o => out_vc, flit_o => out_flit, credit_i => out_credit_i, table_write_i => table_write,
      table_port_i => unsigned(cfg_addr_i(15 downto 12)), table_node_i => unsigned(cfg_addr_i(11 downto 0)),
      table_entry_i => cfg_wdata_i(12 downto 0), empty_o => is_empty
    );

  -- 1 promises that nothing changes until an input is active (section 2.10)
  process (clk)
  begin
    if rising_edge(clk) then
      quiescent_o <= '1' when rst = '1' or (is_empty = '1' and (or in_valid_i) = '0' and (or out_credit_i) = '0'
                              and cfg_write_i = '0' and cfg_read_i = '0') else '0';
    end if;
  end process;
end architecture;
