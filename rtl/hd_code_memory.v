// Memory of the XOR coder: for every place the flits of its packet, how many there are, and the packet's
// length field (§11.3, §11.4, §11.7).
// SPDX-License-Identifier: Apache-2.0
//
// One writer, two readers. The places of a pair are next to each other, so one of them is even
// and the other odd. Even and odd places have a memory of their own, each with one write port
// and one synchronous read port: they map to block RAM, and nothing is stored twice. A read of a
// pair gives the flit of its even place and the flit of its odd place. The odd place of pair q is
// in row floor(q / 2), the even one in row floor((q + 1) / 2).
//
// A read in the cycle of a write sees the old contents (§11.5, §11.7).
`default_nettype none

module hd_code_memory #(
    parameter PLACE_W = 3,  // bits of a place number, 1-8
    parameter DATA_W  = 32  // 16, 32, 64
) (
    input  wire               clk,
    // a flit for a place; 1: the packet's last flit, whose number is the packet's length in flits - 1
    input  wire               write_i,
    input  wire [PLACE_W-1:0] place_i,
    input  wire [        3:0] flit_i,
    input  wire [ DATA_W-1:0] data_i,
    input  wire               last_i,
    input  wire [        3:0] length_i,
    // flits - 1 and length fields of both places of a pair, valid from the next cycle until the next such read
    input  wire               size_read_i,
    input  wire [PLACE_W-1:0] size_pair_i,
    output wire [        3:0] even_flits_o,
    output wire [        3:0] even_length_o,
    output wire [        3:0] odd_flits_o,
    output wire [        3:0] odd_length_o,
    // a flit of each place of a pair, valid from the next cycle until the next such read
    input  wire               read_i,
    input  wire [PLACE_W-1:0] read_pair_i,
    input  wire [        3:0] read_flit_i,
    output wire [ DATA_W-1:0] even_data_o,
    output wire [ DATA_W-1:0] odd_data_o
);

  localparam ROW_W = (PLACE_W > 1) ? PLACE_W - 1 : 1;
  localparam [PLACE_W:0] AFTER = 1;

  // bit 0 selects the bank, the bits above it the row
  wire [PLACE_W:0] write_at = {1'b0, place_i};
  wire [PLACE_W:0] size_odd = {1'b0, size_pair_i};
  wire [PLACE_W:0] size_even = size_odd + AFTER;
  wire [PLACE_W:0] read_odd = {1'b0, read_pair_i};
  wire [PLACE_W:0] read_even = read_odd + AFTER;
  wire unused_bits = &{1'b0, write_at, size_even, size_odd, read_even, read_odd};

  genvar b;
  generate
    for (b = 0; b < 2; b = b + 1) begin : bank
      wire [ROW_W-1:0] size_row = (b == 0) ? size_even[ROW_W:1] : size_odd[ROW_W:1];
      wire [ROW_W-1:0] read_row = (b == 0) ? read_even[ROW_W:1] : read_odd[ROW_W:1];
      wire write = write_i && (place_i[0] == b[0]);

      (* ram_style = "block" *) reg [7:0] sizes[0:(1<<ROW_W)-1];
      reg [7:0] size_q;
      always @(posedge clk) begin
        if (size_read_i) size_q <= sizes[size_row];
        if (write && last_i) sizes[write_at[ROW_W:1]] <= {length_i, flit_i};
      end

      reg [DATA_W-1:0] flits[0:(16<<ROW_W)-1];
      reg [DATA_W-1:0] flit_q;
      always @(posedge clk) begin
        if (read_i) flit_q <= flits[{read_row, read_flit_i}];
        if (write) flits[{write_at[ROW_W:1], flit_i}] <= data_i;
      end
    end
  endgenerate
  assign {even_length_o, even_flits_o} = bank[0].size_q;
  assign {odd_length_o, odd_flits_o} = bank[1].size_q;
  assign even_data_o = bank[0].flit_q;
  assign odd_data_o = bank[1].flit_q;

`ifdef FORMAL
  // For any place and flit: a read shows the word that was last written there before the cycle of the read.
  (* anyconst *) reg [PLACE_W-1:0] f_place;
  (* anyconst *) reg [3:0] f_flit;
  reg f_written = 1'b0, f_sized = 1'b0, f_read = 1'b0, f_size_read = 1'b0;
  reg [DATA_W-1:0] f_data, f_data_read;
  reg [7:0] f_size, f_size_seen;
  wire f_hit = write_i && (place_i == f_place);
  wire [PLACE_W:0] f_at = {1'b0, f_place};
  always @(posedge clk) begin
    if (f_hit && (flit_i == f_flit)) begin
      f_written <= 1'b1;
      f_data <= data_i;
    end
    if (f_hit && last_i) begin
      f_sized <= 1'b1;
      f_size  <= {length_i, flit_i};
    end
    if (read_i) begin
      f_read <= f_written && (read_flit_i == f_flit) && ((read_pair_i == f_place) || (read_even == f_at));
      f_data_read <= f_data;
    end
    if (size_read_i) begin
      f_size_read <= f_sized && ((size_pair_i == f_place) || (size_even == f_at));
      f_size_seen <= f_size;
    end
  end
  generate
    for (b = 0; b < 2; b = b + 1) begin : f_bank
      always @* begin
        if (f_written && (f_place[0] == b)) assert (bank[b].flits[{f_at[ROW_W:1], f_flit}] == f_data);
        if (f_sized && (f_place[0] == b)) assert (bank[b].sizes[f_at[ROW_W:1]] == f_size);
      end
    end
  endgenerate
  always @* begin
    if (f_read) assert ((f_place[0] ? odd_data_o : even_data_o) == f_data_read);
    if (f_size_read)
      assert ((f_place[0] ? {odd_length_o, odd_flits_o} : {even_length_o, even_flits_o}) == f_size_seen);
  end
`endif

endmodule

`default_nettype wire
