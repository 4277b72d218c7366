-- Adapters between Heddle's pins and a router in VHDL, as hd_wrap_*.v beside this file are for Verilog.
-- SPDX-License-Identifier: Apache-2.0
--
-- This file holds all that are in VHDL: a package, the router's reset, a counter of credits, queues,
-- input of flits, output of flits, and a buffer for flits that wait at an output for Heddle's
-- credits. Each behaves in every cycle as the Verilog module of its name. Some Verilog modules have
-- further parameters and pins.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

package hd_wrap is

  type counts is array (natural range <>) of natural;
  type words is array (natural range <>) of std_logic_vector;

  -- bits of a number below n: 0 for n = 1, 1 for 2, 2 for 3 and 4
  function clog2(n : positive) return natural;
  -- like clog2, but at least 1
  function width_of(n : positive) return positive;
  -- a field of a flit with this many bits
  function field(bit_i : std_logic; bits : positive) return std_logic_vector;
  function field(vector_i : std_logic_vector; bits : positive) return std_logic_vector;
  function field(number_i : natural; bits : positive) return std_logic_vector;
  -- the value of a channel number; the number of the channel whose bit is 1
  function index(vector_i : std_logic_vector) return natural;
  function number(onehot_i : std_logic_vector) return natural;
  -- the bit at a place; 0 beyond the vector, since routers give any channel number while no flit is
  -- there
  function bit_at(vector_i : std_logic_vector; place : natural) return std_logic;
  -- a vector of this width with a 1 at one place
  function onehot(place : natural; bits : positive) return std_logic_vector;
  -- the router's code for Heddle's kind (section 1.2)
  function code(kind_i : std_logic_vector; body_code, tail_code, head_code, single_code : natural) return natural;

end package;

package body hd_wrap is

  function clog2(n : positive) return natural is
    variable bits : natural := 0;
  begin
    while 2 ** bits < n loop
      bits := bits + 1;
    end loop;
    return bits;
  end function;

  function width_of(n : positive) return positive is
  begin
    return maximum(clog2(n), 1);
  end function;

  function field(bit_i : std_logic; bits : positive) return std_logic_vector is
    variable result : std_logic_vector(bits - 1 downto 0) := (others => '0');
  begin
    result(0) := bit_i;
    return result;
  end function;

  function field(vector_i : std_logic_vector; bits : positive) return std_logic_vector is
  begin
    return std_logic_vector(resize(unsigned(vector_i), bits));
  end function;

  function field(number_i : natural; bits : positive) return std_logic_vector is
  begin
    return std_logic_vector(resize(to_unsigned(number_i, 31), bits));
  end function;

  function index(vector_i : std_logic_vector) return natural is
  begin
    return to_integer(unsigned(vector_i));
  end function;

  function number(onehot_i : std_logic_vector) return natural is
    alias bits           : std_logic_vector(onehot_i'length - 1 downto 0) is onehot_i;
    variable result      : natural := 0;
  begin
    for k in bits'range loop
      if bits(k) = '1' then
        result := k;
      end if;
    end loop;
    return result;
  end function;

  function bit_at(vector_i : std_logic_vector; place : natural) return std_logic is
    alias bits : std_logic_vector(vector_i'length - 1 downto 0) is vector_i;
  begin
    if place < vector_i'length then
      return bits(place);
    end if;
    return '0';
  end function;

  function onehot(place : natural; bits : positive) return std_logic_vector is
    variable result : std_logic_vector(bits - 1 downto 0) := (others => '0');
  begin
    if place < bits then
      result(place) := '1';
    end if;
    return result;
  end function;

  function code(kind_i : std_logic_vector; body_code, tail_code, head_code, single_code : natural) return natural is
    alias kind : std_logic_vector(2 downto 0) is kind_i;
  begin
    case kind(1 downto 0) is
      when "11"   => return single_code;
      when "10"   => return head_code;
      when "01"   => return tail_code;
      when others => return body_code;
    end case;
  end function;

end package body;

-- The reset of a wrapped router. It is longer than Heddle's reset, and all pins stay idle for some
-- cycles after it.
library ieee;
use ieee.std_logic_1164.all;

entity hd_wrap_reset is
  generic (
    CYCLES : natural; -- the router's reset lasts one cycle plus this many
    SETTLE : natural  -- idle cycles after that
  );
  port (
    clk, rst : in  std_logic;
    reset_o  : out std_logic := '1'; -- active high; a register, since it may be an asynchronous reset
    go_o     : out std_logic  -- 1: the router may be used
  );
end entity;

architecture rtl of hd_wrap_reset is
  signal left_q : natural range 0 to CYCLES + SETTLE + 1 := CYCLES + SETTLE + 1; -- counts from power-up on
begin
  go_o <= '1' when left_q = 0 else '0';
  process (clk)
  begin
    if rising_edge(clk) then
      if rst = '1' then
        left_q  <= CYCLES + SETTLE + 1;
        reset_o <= '1';
      else
        reset_o <= '1' when left_q > SETTLE + 1 else '0';
        if left_q /= 0 then
          left_q <= left_q - 1;
        end if;
      end if;
    end if;
  end process;
end architecture;

-- Counts the free slots of a receiver's channel. some_o is 1 while at least one is free.
library ieee;
use ieee.std_logic_1164.all;

entity hd_wrap_credits is
  generic (
    SLOTS : positive
  );
  port (
    clk, rst : in  std_logic;
    spend_i  : in  std_logic;
    gain_i   : in  std_logic;
    some_o   : out std_logic
  );
end entity;

architecture rtl of hd_wrap_credits is
  signal free_q : natural range 0 to SLOTS;
begin
  some_o <= '1' when free_q /= 0 else '0';
  process (clk)
  begin
    if rising_edge(clk) then
      if rst = '1' then
        free_q <= SLOTS;
      elsif spend_i = '1' and gain_i = '0' then
        free_q <= free_q - 1;
      elsif spend_i = '0' and gain_i = '1' then
        assert free_q < SLOTS
          report "a credit came for a slot that is free; the router gives more credits than it takes flits" severity failure;
        free_q <= free_q + 1;
      end if;
    end if;
  end process;
end architecture;

-- A queue for each channel. In turn, it offers a word of one channel that may go on. With HOLD an
-- offered word stays until it is taken, as valid and ready need.
library ieee;
use ieee.std_logic_1164.all;
use work.hd_wrap.all;

entity hd_wrap_queues is
  generic (
    CHANNELS : positive;
    VC_W     : positive;
    WIDTH    : positive;
    DEPTH    : positive; -- words of each channel
    HOLD     : boolean
  );
  port (
    clk, rst : in  std_logic;
    push_i   : in  std_logic;
    vc_i     : in  std_logic_vector(VC_W - 1 downto 0);
    word_i   : in  std_logic_vector(WIDTH - 1 downto 0);
    may_i    : in  std_logic_vector(CHANNELS - 1 downto 0); -- channels whose word may go on
    valid_o  : out std_logic;
    vc_o     : out std_logic_vector(VC_W - 1 downto 0);
    word_o   : out std_logic_vector(WIDTH - 1 downto 0);
    take_i   : in  std_logic;                               -- the offered word is taken
    popped_o : out std_logic_vector(CHANNELS - 1 downto 0); -- channel of the word that is taken
    held_o   : out counts(0 to CHANNELS - 1)
  );
end entity;

architecture rtl of hd_wrap_queues is
  signal words_q         : words(0 to CHANNELS * DEPTH - 1)(WIDTH - 1 downto 0);
  signal oldest_q        : counts(0 to CHANNELS - 1);
  signal held_q          : counts(0 to CHANNELS - 1);
  signal there           : std_logic_vector(CHANNELS - 1 downto 0);
  signal turn_q, chosen  : natural range 0 to CHANNELS - 1;
  signal holding_q       : std_logic;
begin
  each : for v in 0 to CHANNELS - 1 generate
    there(v)    <= '1' when held_q(v) /= 0 and may_i(v) = '1' else '0';
    popped_o(v) <= valid_o and take_i when chosen = v else '0';
  end generate;

  -- the first channel at or after turn_q, with wrap-around
  choose : process (all)
    variable choice : natural range 0 to CHANNELS - 1;
  begin
    choice := turn_q;
    for k in CHANNELS - 1 downto 0 loop
      if there(k) = '1' then
        choice := k;
      end if;
    end loop;
    for k in CHANNELS - 1 downto 0 loop
      if there(k) = '1' and k >= turn_q then
        choice := k;
      end if;
    end loop;
    if HOLD and holding_q = '1' then
      choice := turn_q;
    end if;
    chosen <= choice;
  end process;
  valid_o <= or there;
  vc_o    <= field(chosen, VC_W);
  word_o  <= words_q(chosen * DEPTH + oldest_q(chosen));
  held_o  <= held_q;

  process (clk)
    variable to_vc : natural;
  begin
    if rising_edge(clk) then
      if rst = '1' then
        oldest_q  <= (others => 0);
        held_q    <= (others => 0);
        turn_q    <= 0;
        holding_q <= '0';
      else
        to_vc := index(vc_i);
        for v in 0 to CHANNELS - 1 loop
          if push_i = '1' and to_vc = v then
            assert held_q(v) < DEPTH or popped_o(v) = '1'
              report "a flit came for which there is no room; the sender did not heed the flow control" severity failure;
            words_q(v * DEPTH + (oldest_q(v) + held_q(v)) mod DEPTH) <= word_i;
            if popped_o(v) = '0' then
              held_q(v) <= held_q(v) + 1;
            end if;
          elsif popped_o(v) = '1' then
            held_q(v) <= held_q(v) - 1;
          end if;
          if popped_o(v) = '1' then
            oldest_q(v) <= (oldest_q(v) + 1) mod DEPTH;
          end if;
        end loop;
        holding_q <= valid_o and not take_i;
        if valid_o = '1' and take_i = '1' then
          turn_q <= (chosen + 1) mod CHANNELS;
        elsif valid_o = '1' and HOLD then
          turn_q <= chosen;
        end if;
      end if;
    end if;
  end process;
end architecture;

-- Flits from Heddle into one port of a router. Heddle's sender has DEPTH credits for each channel,
-- so the queues have that much room. Every flit is offered with the destination of its packet,
-- which only Heddle's header contains (section 1.3).
library ieee;
use ieee.std_logic_1164.all;
use work.hd_wrap.all;

entity hd_wrap_in is
  generic (
    CHANNELS : positive;
    VC_W     : positive;
    DATA_W   : positive;
    DEPTH    : positive;
    NODE_W   : positive;
    HOLD     : boolean; -- an offered flit stays until it is taken
    SINGLE   : boolean  -- the router knows only packets of one flit
  );
  port (
    clk, rst : in  std_logic;
    -- Heddle's side (section 2.11)
    valid_i  : in  std_logic;
    kind_i   : in  std_logic_vector(2 downto 0);
    vc_i     : in  std_logic_vector(VC_W - 1 downto 0);
    data_i   : in  std_logic_vector(DATA_W - 1 downto 0);
    credit_o : out std_logic_vector(CHANNELS - 1 downto 0);
    -- the router's side
    go_i     : in  std_logic;                               -- 0: the router must not be used yet
    may_i    : in  std_logic_vector(CHANNELS - 1 downto 0); -- channels to which a flit may be sent now
    take_i   : in  std_logic;                               -- the router takes the offered flit
    valid_o  : out std_logic;
    kind_o   : out std_logic_vector(2 downto 0);
    vc_o     : out std_logic_vector(VC_W - 1 downto 0);
    data_o   : out std_logic_vector(DATA_W - 1 downto 0);
    dest_o   : out std_logic_vector(NODE_W - 1 downto 0);
    sent_o   : out std_logic_vector(CHANNELS - 1 downto 0); -- a flit of this channel is sent now
    idle_o   : out std_logic
  );
end entity;

architecture rtl of hd_wrap_in is
  signal held   : counts(0 to CHANNELS - 1);
  signal word   : std_logic_vector(DATA_W + 2 downto 0);
  signal may    : std_logic_vector(CHANNELS - 1 downto 0);
  signal dest_q : words(0 to CHANNELS - 1)(NODE_W - 1 downto 0); -- destination of the current packet of each channel
begin
  may <= may_i when go_i = '1' else (others => '0');
  queues : entity work.hd_wrap_queues
    generic map (CHANNELS => CHANNELS, VC_W => VC_W, WIDTH => DATA_W + 3, DEPTH => DEPTH, HOLD => HOLD)
    port map (
      clk => clk, rst => rst, push_i => valid_i, vc_i => vc_i, word_i => kind_i & data_i, may_i => may, valid_o => valid_o,
      vc_o => vc_o, word_o => word, take_i => take_i, popped_o => sent_o, held_o => held
    );
  kind_o <= word(DATA_W + 2 downto DATA_W);
  data_o <= word(DATA_W - 1 downto 0);
  idle_o <= '1' when held = (0 to CHANNELS - 1 => 0) and (or credit_o) = '0' else '0';
  dest_o <= data_o(NODE_W + 1 downto 2) when kind_o(1) = '1' else dest_q(index(vc_o));

  process (clk)
  begin
    if rising_edge(clk) then
      assert rst = '1' or valid_i /= '1' or not SINGLE or kind_i(1 downto 0) = "11"
        report "the router takes packets of one flit alone (packet.single); let software send such" severity failure;
      if rst = '1' then
        credit_o <= (others => '0');
        dest_q   <= (others => (others => '0'));
      else
        credit_o <= sent_o;
        if valid_o = '1' and take_i = '1' then
          dest_q(index(vc_o)) <= dest_o;
        end if;
      end if;
    end if;
  end process;
end architecture;

-- Flits from one port of a router to Heddle, by credits; outputs are registers. If the router does
-- not mark heads (HEADS), the flit after a tail is a head.
library ieee;
use ieee.std_logic_1164.all;
use work.hd_wrap.all;

entity hd_wrap_out is
  generic (
    CHANNELS : positive;
    VC_W     : positive;
    DATA_W   : positive;
    DEPTH    : positive; -- slots of the receiver's channels
    HEADS    : boolean   -- head_i is not used
  );
  port (
    clk, rst : in  std_logic;
    -- the router's side
    go_i     : in  std_logic; -- 0: the router must not be used yet
    valid_i  : in  std_logic; -- only while its channel is ready
    head_i   : in  std_logic;
    tail_i   : in  std_logic;
    vc_i     : in  std_logic_vector(VC_W - 1 downto 0);
    data_i   : in  std_logic_vector(DATA_W - 1 downto 0);
    ready_o  : out std_logic_vector(CHANNELS - 1 downto 0);
    -- Heddle's side (section 2.11)
    valid_o  : out std_logic;
    kind_o   : out std_logic_vector(2 downto 0);
    vc_o     : out std_logic_vector(VC_W - 1 downto 0);
    data_o   : out std_logic_vector(DATA_W - 1 downto 0);
    credit_i : in  std_logic_vector(CHANNELS - 1 downto 0)
  );
end entity;

architecture rtl of hd_wrap_out is
  signal take           : std_logic;
  signal some, inside_q : std_logic_vector(CHANNELS - 1 downto 0); -- inside_q: a packet is under way
begin
  take <= valid_i and go_i;
  each : for v in 0 to CHANNELS - 1 generate
    signal spend : std_logic;
  begin
    spend      <= take when index(vc_i) = v else '0';
    ready_o(v) <= some(v) and go_i;
    credits : entity work.hd_wrap_credits
      generic map (SLOTS => DEPTH)
      port map (clk => clk, rst => rst, spend_i => spend, gain_i => credit_i(v), some_o => some(v));
  end generate;

  process (clk)
    variable head : std_logic;
  begin
    if rising_edge(clk) then
      if rst = '1' then
        valid_o  <= '0';
        kind_o   <= (others => '0');
        vc_o     <= (others => '0');
        data_o   <= (others => '0');
        inside_q <= (others => '0');
      else
        valid_o <= take;
        if take = '1' then
          head := not inside_q(index(vc_i)) when HEADS else head_i;
          kind_o               <= '0' & head & tail_i;
          vc_o                 <= vc_i;
          data_o               <= data_i;
          inside_q(index(vc_i)) <= not tail_i;
        end if;
      end if;
    end if;
  end process;
end architecture;

-- Keeps flits until Heddle has a credit, for routers that send without asking for one. hd_wrap_out
-- follows.
library ieee;
use ieee.std_logic_1164.all;
use work.hd_wrap.all;

entity hd_wrap_out_buffer is
  generic (
    CHANNELS : positive;
    VC_W     : positive;
    DATA_W   : positive;
    SLOTS    : positive; -- flits of each channel
    DEPTH    : natural;  -- slots of each channel of Heddle's receiver; if equal to SLOTS, both count the same slots
    SLACK    : natural   -- on_o is 1 while more than this many slots are free
  );
  port (
    clk, rst : in  std_logic;
    -- the router's side
    go_i     : in  std_logic; -- 0: the router must not be used yet
    valid_i  : in  std_logic;
    head_i   : in  std_logic;
    tail_i   : in  std_logic;
    vc_i     : in  std_logic_vector(VC_W - 1 downto 0);
    data_i   : in  std_logic_vector(DATA_W - 1 downto 0);
    on_o     : out std_logic_vector(CHANNELS - 1 downto 0);
    credit_o : out std_logic_vector(CHANNELS - 1 downto 0); -- a slot became free
    -- to hd_wrap_out
    ready_i  : in  std_logic_vector(CHANNELS - 1 downto 0);
    gain_i   : in  std_logic_vector(CHANNELS - 1 downto 0); -- the receiver's credits
    valid_o  : out std_logic;
    head_o   : out std_logic;
    tail_o   : out std_logic;
    vc_o     : out std_logic_vector(VC_W - 1 downto 0);
    data_o   : out std_logic_vector(DATA_W - 1 downto 0);
    idle_o   : out std_logic
  );
end entity;

architecture rtl of hd_wrap_out_buffer is
  signal held   : counts(0 to CHANNELS - 1);
  signal popped : std_logic_vector(CHANNELS - 1 downto 0);
  signal push   : std_logic;
  signal word   : std_logic_vector(DATA_W + 1 downto 0);
begin
  push <= valid_i and go_i;
  queues : entity work.hd_wrap_queues
    generic map (CHANNELS => CHANNELS, VC_W => VC_W, WIDTH => DATA_W + 2, DEPTH => SLOTS, HOLD => false)
    port map (
      clk => clk, rst => rst, push_i => push, vc_i => vc_i, word_i => head_i & tail_i & data_i, may_i => ready_i,
      valid_o => valid_o, vc_o => vc_o, word_o => word, take_i => '1', popped_o => popped, held_o => held
    );
  head_o <= word(DATA_W + 1);
  tail_o <= word(DATA_W);
  data_o <= word(DATA_W - 1 downto 0);
  idle_o <= '1' when held = (0 to CHANNELS - 1 => 0) and (or credit_o) = '0' else '0';
  each : for v in 0 to CHANNELS - 1 generate
    on_o(v) <= go_i when held(v) + SLACK < SLOTS else '0';
  end generate;

  process (clk)
  begin
    if rising_edge(clk) then
      credit_o <= (others => '0') when rst = '1' else gain_i when SLOTS = DEPTH else popped;
      for v in 0 to CHANNELS - 1 loop
        assert SLOTS /= DEPTH or rst = '1' or go_i = '0' or ready_i(v) = '1' or held(v) = 0
          report "a flit came for which there is no room; the sender did not heed the flow control" severity failure;
      end loop;
    end if;
  end process;
end architecture;
