// The board's RTL, Verilated, with bytes for its line (hd_uart_rx.v and hd_uart_tx.v beside this file).
// SPDX-License-Identifier: Apache-2.0
#include "link_rtl.h"

#include "Vhd_board.h"
#include "Vhd_board__Dpi.h"
#include "verilated.h"

#include <memory>

namespace
{
std::unique_ptr<VerilatedContext> context;
std::unique_ptr<Vhd_board> board;
int to_board, from_board;
bool line_ready;
} // namespace

int hd_link_rx()
{
  return to_board;
}

int hd_link_tx(int byte_taken)
{
  if (byte_taken >= 0)
    from_board = byte_taken;
  return line_ready;
}

int hd_link_clock(unsigned event, bool ready)
{
  to_board = static_cast<int>(event);
  line_ready = ready;
  from_board = -1;
  board->clk = 1;
  board->eval();
  board->clk = 0;
  board->eval();
  return from_board;
}

void hd_link_begin(void)
{
  context = std::make_unique<VerilatedContext>();
  context->randReset(0);
  board = std::make_unique<Vhd_board>(context.get());
  board->clk = 0;
  board->line_i = 1;
  board->rst = 1;
  for (int i = 0; i < 4; i++)
    hd_link_clock(HD_LINK_NONE, false);
  board->rst = 0;
  for (int i = 0; i < 4; i++)
    hd_link_clock(HD_LINK_NONE, true);
}

void hd_link_end(void)
{
  board.reset();
  context.reset();
}

bool hd_link_busy(void)
{
  return board->busy_o;
}
