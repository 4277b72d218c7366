/* Writes and reads FST wave files.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The API reports almost no errors. It maps its temporary files into memory and assumes that the
 * disk has room. So this file checks for room first, and opens the finished file again.
 */
#include "fst.h"

#include "../host/memory.h"
#include "../host/file.h"
#include "wave_name.h"
#include "waves.h"

#include <errno.h>
#include <fstapi.h>
#include <sys/statvfs.h>

struct hd_fst_writer {
  void *context;
  char *path;
  uint64_t time;
  bool time_set;
};

enum { ROOM_BYTES = 32 << 20 };

/* HD_E_IO if the file system of `directory` has less than ROOM_BYTES left. */
static int check_room(const char *directory, struct hd_error *err)
{
  struct statvfs fs;
  if (statvfs(directory, &fs) != 0)
    return hd_fail(err, HD_E_IO, "%s: %s", directory, strerror(errno));
  if ((uint64_t)fs.f_bavail * fs.f_frsize < ROOM_BYTES)
    return hd_fail(err, HD_E_IO, "%s: less than %d MiB left, waves need them", directory,
                   ROOM_BYTES >> 20);
  return HD_OK;
}

int hd_fst_writer_create(struct hd_fst_writer **writer, const char *path, struct hd_error *err)
{
  struct hd_fst_writer *w = NULL;
  char *directory = hd_xstrdup(path);
  char *slash = NULL;
  int status = HD_OK;

  *writer = NULL;
  slash = strrchr(directory, '/');
  if (slash != NULL)
    slash[slash == directory] = '\0';
  status = check_room(slash != NULL ? directory : ".", err);
  free(directory);
  if (status == HD_OK)
    status = check_room(P_tmpdir, err);
  if (status == HD_OK)
    status = hd_file_replaceable(path, err);
  if (status != HD_OK)
    return status;

  w = hd_xcalloc(1, sizeof *w);
  w->path = hd_xstrdup(path);
  w->context = fstWriterCreate(path, 1);
  if (w->context == NULL) {
    status = hd_fail(err, HD_E_IO, "%s: cannot be written", path);
    free(w->path);
    free(w);
    return status;
  }
  fstWriterSetTimescale(w->context, -12);
  fstWriterSetVersion(w->context, "heddle");
  /* A date would make equal runs differ. */
  fstWriterSetDate(w->context, "");
  fstWriterSetPackType(w->context, FST_WR_PT_LZ4);
  *writer = w;
  return HD_OK;
}

void hd_fst_scope_begin(struct hd_fst_writer *writer, const char *name)
{
  fstWriterSetScope(writer->context, FST_ST_VCD_MODULE, name, NULL);
}

void hd_fst_scope_end(struct hd_fst_writer *writer)
{
  fstWriterSetUpscope(writer->context);
}

void hd_fst_signal_add(struct hd_fst_writer *writer, struct hd_fst_signal *signal, const char *name,
                       uint32_t bits)
{
  char full[64];
  if (bits == 1)
    snprintf(full, sizeof full, "%s", name);
  else
    snprintf(full, sizeof full, "%s [%u:0]", name, bits - 1);
  *signal = (struct hd_fst_signal){.bits = bits};
  signal->handle =
      fstWriterCreateVar(writer->context, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, bits, full, 0);
}

void hd_fst_time(struct hd_fst_writer *writer, uint64_t time_ps)
{
  if (writer->time_set && time_ps <= writer->time)
    return;
  fstWriterEmitTimeChange(writer->context, time_ps);
  writer->time = time_ps;
  writer->time_set = true;
}

char *hd_fst_bits(char *text, uint64_t value, uint32_t bits)
{
  for (uint32_t i = bits; i-- > 0;)
    *text++ = i < 64 && (value >> i & 1) ? '1' : '0';
  return text;
}

void hd_fst_put_text(struct hd_fst_writer *writer, struct hd_fst_signal *signal, const char *text)
{
  if (signal->handle == 0 || memcmp(signal->text, text, signal->bits) == 0)
    return;
  memcpy(signal->text, text, signal->bits);
  fstWriterEmitValueChange(writer->context, signal->handle, text);
}

void hd_fst_put(struct hd_fst_writer *writer, struct hd_fst_signal *signal, uint64_t value)
{
  char text[HD_FST_MAX_BITS];
  hd_fst_bits(text, value, signal->bits);
  hd_fst_put_text(writer, signal, text);
}

void hd_fst_put_all(struct hd_fst_writer *writer, struct hd_fst_signal *signal, char bit)
{
  char text[HD_FST_MAX_BITS];
  memset(text, bit, sizeof text);
  hd_fst_put_text(writer, signal, text);
}

int hd_fst_writer_close(struct hd_fst_writer *writer, struct hd_error *err)
{
  int status = HD_OK;
  void *check = NULL;

  if (writer == NULL)
    return HD_OK;
  fstWriterClose(writer->context);
  check = hd_waves_check(writer->path, NULL) == HD_OK ? fstReaderOpen(writer->path) : NULL;
  if (check == NULL || fstReaderGetEndTime(check) != writer->time)
    status = hd_fail(err, HD_E_IO, "%s: the file is not whole; is the disk full?", writer->path);
  if (check != NULL)
    fstReaderClose(check);
  free(writer->path);
  free(writer);
  return status;
}

/* ── reading ───────────────────────────────────────────────────────────────── */

struct hd_fst_reader {
  void *context;
  struct hd_fst_variable *variables;
  size_t n, capacity;
  uint32_t max_handle;
  uint32_t *copies; /* [handle]: the writer's handle, after the hierarchy was copied */
  uint32_t *bits;   /* [handle] */
  /* used while reading */
  hd_fst_change_fn *change;
  void *change_context;
  void *writer_context;
  bool has_wrapper; /* paths are given without the root scope */
  /* For RTL with delays a simulator divides a half cycle into several time units; this variable
   * gives their number. */
  uint32_t half_handle; /* 0: the file has no such variable */
  uint64_t half_units;
};

static bool is_half_cycle(const struct fstHier *h)
{
  return !strncmp(h->u.var.name, HD_WAVES_HALF_CYCLE, strlen(HD_WAVES_HALF_CYCLE));
}

static bool is_text(unsigned char type)
{
  return type == FST_VT_GEN_STRING;
}

static bool is_real(unsigned char type)
{
  return type == FST_VT_VCD_REAL || type == FST_VT_VCD_REAL_PARAMETER ||
         type == FST_VT_VCD_REALTIME || type == FST_VT_SV_SHORTREAL;
}

/* Appends a variable of scope `scope` and the API's name. */
static void add_variable(struct hd_fst_reader *r, const char *scope, const struct fstHier *h)
{
  struct hd_fst_variable *v = NULL;

  HD_XROOM(r->variables, r->capacity, r->n, 1);
  v = &r->variables[r->n];
  v->path = hd_xasprintf("%s%s%s", scope, *scope != '\0' ? "." : "", h->u.var.name);
  hd_wave_name_tidy(v->path);
  v->handle = h->u.var.handle;
  v->bits = is_text(h->u.var.typ) || is_real(h->u.var.typ) ? 0 : h->u.var.length;
  if (v->handle <= r->max_handle)
    r->bits[v->handle] = v->bits;
  r->n++;
}

static void list_variables(struct hd_fst_reader *r)
{
  struct fstHier *h = NULL;
  const char *scope = "";

  fstReaderResetScope(r->context);
  fstReaderIterateHierRewind(r->context);
  while ((h = fstReaderIterateHier(r->context)) != NULL) {
    if (h->htyp == FST_HT_SCOPE)
      scope = fstReaderPushScope(r->context, h->u.scope.name, NULL);
    else if (h->htyp == FST_HT_UPSCOPE)
      scope = fstReaderPopScope(r->context);
    else if (h->htyp == FST_HT_VAR && is_half_cycle(h))
      r->half_handle = h->u.var.handle;
    else if (h->htyp == FST_HT_VAR)
      add_variable(r, scope != NULL ? scope : "", h);
  }
}

void hd_fst_leave_wrapper_out(struct hd_fst_reader *r)
{
  const char *first = r->n != 0 ? r->variables[0].path : "";
  const size_t root = strcspn(first, "."),
               inner = strcspn(first + root + (first[root] == '.'), ".");
  const size_t length = root + 1 + inner;

  if (first[root] == '\0' || first[length] != '.')
    return;
  for (size_t i = 0; i < r->n; i++)
    if (strncmp(r->variables[i].path, first, length + 1) != 0)
      return;
  r->has_wrapper = true;
  for (size_t i = r->n; i-- > 0;) {
    char *path = r->variables[i].path;
    memmove(path, path + root + 1, strlen(path + root + 1) + 1);
  }
}

int hd_fst_reader_create(struct hd_fst_reader **reader, const char *path, struct hd_error *err)
{
  struct hd_fst_reader *r = NULL;
  const int status = hd_waves_check(path, err);

  *reader = NULL;
  if (status != HD_OK)
    return status;
  r = hd_xcalloc(1, sizeof *r);
  r->context = fstReaderOpen(path);
  if (r->context == NULL) {
    free(r);
    return hd_fail(err, HD_E_IO, "%s: not a readable FST file", path);
  }
  r->max_handle = fstReaderGetMaxHandle(r->context);
  r->copies = hd_xcalloc((size_t)r->max_handle + 1, sizeof *r->copies);
  r->bits = hd_xcalloc((size_t)r->max_handle + 1, sizeof *r->bits);
  list_variables(r);
  *reader = r;
  return HD_OK;
}

void hd_fst_reader_destroy(struct hd_fst_reader *reader)
{
  if (reader == NULL)
    return;
  fstReaderClose(reader->context);
  for (size_t i = 0; i < reader->n; i++)
    free(reader->variables[i].path);
  free(reader->variables);
  free(reader->copies);
  free(reader->bits);
  free(reader);
}

const struct hd_fst_variable *hd_fst_variables(const struct hd_fst_reader *reader, size_t *n)
{
  *n = reader->n;
  return reader->variables;
}

int hd_fst_exponent(const struct hd_fst_reader *reader)
{
  return fstReaderGetTimescale(reader->context);
}

void hd_fst_times(const struct hd_fst_reader *reader, uint64_t *first, uint64_t *last)
{
  *first = fstReaderGetStartTime(reader->context);
  *last = fstReaderGetEndTime(reader->context);
}

int hd_fst_copy_hierarchy(struct hd_fst_reader *reader, struct hd_fst_writer *writer,
                          struct hd_error *err)
{
  void *to = writer->context;
  struct fstHier *h = NULL;
  unsigned depth = 0;

  fstReaderIterateHierRewind(reader->context);
  while ((h = fstReaderIterateHier(reader->context)) != NULL) {
    switch (h->htyp) {
    case FST_HT_SCOPE:
      if (depth++ == 0 && reader->has_wrapper)
        break;
      fstWriterSetScope(to, (enum fstScopeType)h->u.scope.typ, h->u.scope.name,
                        h->u.scope.component);
      break;
    case FST_HT_UPSCOPE:
      if (--depth == 0 && reader->has_wrapper)
        break;
      fstWriterSetUpscope(to);
      break;
    case FST_HT_VAR: {
      const fstHandle handle = h->u.var.handle;
      fstHandle copy = 0;
      if (is_half_cycle(h))
        break;
      if (handle == 0 || handle > reader->max_handle)
        return hd_fail(err, HD_E_IO, "variable %s of the DUT's waves has no handle", h->u.var.name);
      copy =
          fstWriterCreateVar(to, (enum fstVarType)h->u.var.typ, (enum fstVarDir)h->u.var.direction,
                             h->u.var.length, h->u.var.name, reader->copies[handle]);
      if (reader->copies[handle] == 0)
        reader->copies[handle] = copy;
      break;
    }
    default: /* attributes describe sources, never values */
      break;
    }
  }
  return HD_OK;
}

static void take_half_cycle(void *context, uint64_t time, fstHandle handle,
                            const unsigned char *value)
{
  struct hd_fst_reader *r = context;
  (void)time;
  const uint64_t units = handle == r->half_handle ? strtoull((const char *)value, NULL, 2) : 0;
  r->half_units = units ? units : r->half_units;
}

static void take_change(void *context, uint64_t time, fstHandle handle, const unsigned char *value)
{
  struct hd_fst_reader *r = context;
  if (handle == r->half_handle)
    return;
  time /= r->half_units;
  r->change(r->change_context, time, handle, r->bits[handle] != 0 ? (const char *)value : NULL);
  if (r->writer_context != NULL && r->copies[handle] != 0)
    fstWriterEmitValueChange(r->writer_context, r->copies[handle], value);
}

static void take_text(void *context, uint64_t time, fstHandle handle, const unsigned char *value,
                      uint32_t length)
{
  struct hd_fst_reader *r = context;
  r->change(r->change_context, time / r->half_units, handle, NULL);
  if (r->writer_context != NULL && r->copies[handle] != 0)
    fstWriterEmitVariableLengthValueChange(r->writer_context, r->copies[handle], value, length);
}

int hd_fst_read(struct hd_fst_reader *reader, hd_fst_change_fn *change, void *context,
                struct hd_fst_writer *writer, struct hd_error *err)
{
  reader->half_units = 1;
  if (reader->half_handle) {
    fstReaderClrFacProcessMaskAll(reader->context);
    fstReaderSetFacProcessMask(reader->context, reader->half_handle);
    fstReaderIterBlocks(reader->context, take_half_cycle, reader, NULL);
  }
  reader->change = change;
  reader->change_context = context;
  reader->writer_context = writer != NULL ? writer->context : NULL;
  fstReaderSetFacProcessMaskAll(reader->context);
  fstReaderIterBlocksSetNativeDoublesOnCallback(reader->context, 1);
  if (!fstReaderIterBlocks2(reader->context, take_change, take_text, reader, NULL))
    return hd_fail(err, HD_E_IO, "the waves cannot be read to the end");
  return HD_OK;
}

void hd_fst_put_copy(const struct hd_fst_reader *reader, struct hd_fst_writer *writer,
                     uint32_t handle, const char *value)
{
  if (reader->copies[handle] != 0)
    fstWriterEmitValueChange(writer->context, reader->copies[handle], value);
}
