// A board, of RTL or of a bitstream, Verilated, its line on a pseudo-terminal, bit by bit (specification chapter 9).
// SPDX-License-Identifier: Apache-2.0
//
// Its argument is the baud rate of its line. Who sets the terminal to another one gets what he would get over
// a cable: bits that are taken at the wrong time, both ways. Time itself passes as fast as the simulation:
// nobody waits for 9,600 baud. 0, or none: the rate is what the terminal is set to.
// Prints the terminal's path and runs until its standard input ends or it gets a signal. While the
// line is silent and the board idle its clock stands still, which nobody can see from outside.
// Whoever starts it holds the other end of its input. The core takes its reset from here; the top of a board,
// which a bitstream holds, makes its own.
#include "../../bridge/backends/board/board_speeds.h"
#include "Vhd_board.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <termios.h>
#include <unistd.h>

namespace
{

constexpr int BIT = HD_CLOCKS_PER_BIT;
constexpr int POWER_ON = 256; // clocks, within which a board's top has come out of reset
volatile std::sig_atomic_t stopped = 0;

// A bit of the board's line takes BIT clocks, one of the other end BIT * own / host.
struct Rates {
  unsigned long own, host;
  bool past(long clocks, unsigned long half_bits) const
  {
    return 2 * static_cast<unsigned long>(clocks) * host >= half_bits * own * BIT;
  }
};

unsigned long baud_of(speed_t speed)
{
  static const struct {
    unsigned long baud;
    speed_t speed;
  } known[] = {
#define SPEED(baud) {baud, B##baud},
      HD_BOARD_SPEEDS(SPEED)
#undef SPEED
  };
  for (const auto &k : known)
    if (k.speed == speed)
      return k.baud;
  return 0;
}

void end_on_signal(int)
{
  stopped = 1;
}

// Bytes onto the board's line, ten bits each.
class Sender
{
  const Rates &rates;
  std::deque<unsigned char> bytes;
  long clocks = -1; // since the byte under way began; -1: there is none
  unsigned bits = 0;

public:
  explicit Sender(const Rates &r) : rates(r)
  {
  }
  void put(const unsigned char *from, size_t n)
  {
    bytes.insert(bytes.end(), from, from + n);
  }
  bool busy() const
  {
    return clocks >= 0 || !bytes.empty();
  }
  size_t waiting() const
  {
    return bytes.size();
  }
  int line()
  {
    if (clocks < 0 && !bytes.empty()) {
      bits = 1u << 9 | static_cast<unsigned>(bytes.front()) << 1;
      bytes.pop_front();
      clocks = 0;
    }
    if (clocks < 0)
      return 1;
    unsigned bit = 0;
    while (bit < 9 && rates.past(clocks, 2 * (bit + 1)))
      bit++;
    const int level = bits >> bit & 1;
    if (rates.past(++clocks, 20))
      clocks = -1;
    return level;
  }
};

// Bytes from the board's line, sampled in the middle of each bit.
class Receiver
{
  const Rates &rates;
  long clocks = -1; // since the start bit began; -1: idle
  unsigned bits = 0, taken = 0;

public:
  explicit Receiver(const Rates &r) : rates(r)
  {
  }
  bool busy() const
  {
    return clocks >= 0;
  }
  // True: a byte is complete.
  bool take(int line, unsigned char &byte)
  {
    if (clocks < 0 && line)
      return false;
    if (clocks < 0)
      taken = 0;
    clocks++;
    for (; taken < 10 && rates.past(clocks, 2 * taken + 1); taken++)
      bits = bits >> 1 | static_cast<unsigned>(line) << 9;
    if (taken < 10)
      return false;
    clocks = -1;
    byte = static_cast<unsigned char>(bits >> 1);
    return bits >> 9 & 1; // without stop bit it is lost
  }
};

int open_terminal()
{
  int master, slave;
  char path[256];
  if (openpty(&master, &slave, path, nullptr, nullptr)) {
    std::perror("virtual board: no pseudo-terminal");
    std::exit(1);
  }
  termios t;
  tcgetattr(slave, &t);
  cfmakeraw(&t);
  tcsetattr(slave, TCSANOW, &t);
  fcntl(master, F_SETFL, O_NONBLOCK);
  std::printf("%s\n", path);
  std::fflush(stdout);
  return master; // the slave stays open: so the master never sees a hang-up
}

template <typename Board>
auto set_reset(Board &board, int level, int) -> decltype(static_cast<void>(board.rst))
{
  board.rst = static_cast<unsigned char>(level);
}
template <typename Board> void set_reset(Board &, int, long)
{
}

} // namespace

int main(int argc, char **argv)
{
  std::signal(SIGTERM, end_on_signal);
  std::signal(SIGPIPE, SIG_IGN);
  VerilatedContext context;
  context.randReset(2);
  context.randSeed(1);
  Vhd_board board(&context);
  const unsigned long given = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 0;
  Rates rates = {given ? given : 1, given ? given : 1};
  const int master = open_terminal();
  Sender sender(rates);
  Receiver receiver(rates);
  std::deque<unsigned char> answer;

  const auto clock = [&] {
    board.clk = 1;
    board.eval();
    board.clk = 0;
    board.eval();
  };
  board.clk = 0;
  board.line_i = 1;
  set_reset(board, 1, 0);
  for (int i = 0; i < 8; i++)
    clock();
  set_reset(board, 0, 0);
  for (int i = 0; i < POWER_ON; i++)
    clock();

  for (unsigned rest = 0; !stopped;) {
    const bool active = sender.busy() || receiver.busy() || board.busy_o || rest;
    pollfd p[2] = {{master, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    if (!answer.empty())
      p[0].events |= POLLOUT;
    if (poll(p, 2, active ? 0 : -1) < 0 && errno != EINTR)
      break;
    if (p[1].revents & (POLLIN | POLLHUP | POLLERR | POLLNVAL)) {
      char ignored[64];
      if (read(STDIN_FILENO, ignored, sizeof ignored) <= 0)
        break;
    }
    unsigned char bytes[1024];
    const ssize_t n = sender.waiting() < 4096 ? read(master, bytes, sizeof bytes) : 0;
    termios t;
    if (given && n > 0 && !tcgetattr(master, &t) && baud_of(cfgetospeed(&t)))
      rates.host = baud_of(cfgetospeed(&t));
    if (n > 0)
      sender.put(bytes, static_cast<size_t>(n));
    while (!answer.empty()) {
      const unsigned char byte = answer.front();
      if (write(master, &byte, 1) != 1)
        break;
      answer.pop_front();
    }
    // some bytes' worth of clocks between looks at the terminal
    for (int i = 0; i < 100 * BIT; i++) {
      unsigned char byte;
      board.line_i = sender.line();
      clock();
      if (receiver.take(board.line_o, byte))
        answer.push_back(byte);
    }
    // a byte sent last is in the board's hands only some clocks later
    rest = sender.busy() || board.busy_o ? 2 : rest ? rest - 1 : n > 0;
  }
  return 0;
}
