// The board's RTL, Verilated, with bytes at its port.
// SPDX-License-Identifier: Apache-2.0
#include "link_rtl.h"

#include "Vhd_board_core.h"
#include "verilated.h"

#include <memory>

namespace
{
std::unique_ptr<VerilatedContext> context;
std::unique_ptr<Vhd_board_core> board;
bool line_ready;
} // namespace

int hd_link_clock(unsigned event, bool ready)
{
  board->rx_valid_i = (event & HD_LINK_BYTE) != 0;
  board->rx_byte_i = static_cast<unsigned char>(event);
  board->rx_lost_i = (event & HD_LINK_LOST) != 0;
  board->tx_ready_i = line_ready;
  board->eval();
  const int byte = board->tx_valid_o && line_ready ? board->tx_byte_o : -1;
  board->clk = 1;
  board->eval();
  board->clk = 0;
  board->eval();
  line_ready = ready;
  return byte;
}

void hd_link_begin(void)
{
  context = std::make_unique<VerilatedContext>();
  context->randReset(0);
  board = std::make_unique<Vhd_board_core>(context.get());
  board->clk = 0;
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
