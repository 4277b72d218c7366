/* Waves of a VHDL switch: all signals that VPI shows, as FST.
 * SPDX-License-Identifier: Apache-2.0
 *
 * GHDL itself can write waves only from the start of its process on. So they are written here, with
 * the FST API that comes with Verilator. Cycle c is at times 2c (clock high) and 2c + 1 (clock
 * low).
 */
#include "ghdl.h"

#include "../../../cmodel/grow.h"

#include <fstapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct wave {
  vpiHandle handle;
  fstHandle variable;
  uint32_t bits;
  char *shown; /* [bits], the value that was written last; zeros at first */
};

static struct {
  void *file; /* NULL: no waves are being written */
  struct wave *list;
  size_t n, capacity;
  uint64_t cycle;
} waves;

static void add_signal(vpiHandle handle)
{
  const int bits = vpi_get(vpiSize, handle);
  char name[300];
  if (bits <= 0 || !HD_ROOM(waves.list, waves.capacity, waves.n, 1))
    return;
  const char *own = vpi_get_str(vpiName, handle);
  if (bits == 1)
    snprintf(name, sizeof name, "%.250s", own);
  else
    snprintf(name, sizeof name, "%.250s [%d:0]", own, bits - 1);
  struct wave *w = &waves.list[waves.n++];
  *w = (struct wave){.handle = handle, .bits = (uint32_t)bits, .shown = calloc(1, (size_t)bits)};
  w->variable = fstWriterCreateVar(waves.file, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, w->bits, name, 0);
}

static void add_scope(vpiHandle scope)
{
  vpiHandle list = vpi_iterate(vpiNet, scope), item;
  fstWriterSetScope(waves.file, FST_ST_VCD_MODULE, vpi_get_str(vpiName, scope), NULL);
  while (list && (item = vpi_scan(list)))
    add_signal(item);
  list = vpi_iterate(vpiInternalScope, scope);
  while (list && (item = vpi_scan(list)))
    add_scope(item);
  fstWriterSetUpscope(waves.file);
}

int ghdl_waves_begin(const char *path, vpiHandle top, uint64_t cycle)
{
  waves.file = fstWriterCreate(path, 1);
  if (!waves.file)
    return HD_E_IO;
  waves.cycle = cycle;
  fstWriterSetTimescale(waves.file, -9);
  fstWriterSetDate(waves.file, ""); /* files of equal runs are equal */
  fstWriterSetVersion(waves.file, "heddle");
  fstWriterSetPackType(waves.file, FST_WR_PT_LZ4);
  add_scope(top);
  return 0;
}

/* Writes a signal's value if it has changed. The nine values of std_logic are written in lower
 * case. */
static void add_value(struct wave *w)
{
  s_vpi_value value = {.format = vpiBinStrVal};
  vpi_get_value(w->handle, &value);
  if (!value.value.str || !w->shown || !memcmp(w->shown, value.value.str, w->bits))
    return;
  memcpy(w->shown, value.value.str, w->bits);
  char text[w->bits + 1];
  for (uint32_t i = 0; i <= w->bits; i++)
    text[i] = value.value.str[i] >= 'A' ? (char)(value.value.str[i] | 0x20) : value.value.str[i];
  fstWriterEmitValueChange(waves.file, w->variable, text);
}

void ghdl_waves_add(bool high)
{
  if (!waves.file)
    return;
  fstWriterEmitTimeChange(waves.file, 2 * waves.cycle + !high);
  for (size_t i = 0; i < waves.n; i++)
    add_value(&waves.list[i]);
  waves.cycle += !high;
}

void ghdl_waves_end(void)
{
  if (!waves.file)
    return;
  ghdl_waves_add(true);
  fstWriterClose(waves.file);
  waves.file = NULL;
}

void ghdl_waves_forget(void)
{
  waves.file = NULL;
}
