/* Writing FST wave files.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The API reports hardly any error: it maps its temporary files into memory and
 * assumes that there is room. So room is asked for first, and the finished file is
 * opened again.
 */
#include "fst.h"

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

/* HD_E_IO where the file system of `directory` has less than ROOM_BYTES left. */
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
  char *directory = strdup(path);
  char *slash = NULL;
  int status = HD_OK;

  *writer = NULL;
  if (directory == NULL)
    return hd_fail(err, HD_E_NOMEM, "%s: out of memory", path);
  slash = strrchr(directory, '/');
  if (slash != NULL)
    slash[slash == directory] = '\0';
  status = check_room(slash != NULL ? directory : ".", err);
  free(directory);
  if (status == HD_OK)
    status = check_room(P_tmpdir, err);
  if (status != HD_OK)
    return status;

  w = calloc(1, sizeof *w);
  if (w == NULL || (w->path = strdup(path)) == NULL) {
    free(w);
    return hd_fail(err, HD_E_NOMEM, "%s: out of memory", path);
  }
  w->context = fstWriterCreate(path, 1);
  if (w->context == NULL) {
    status = hd_fail(err, HD_E_IO, "%s: cannot be written", path);
    free(w->path);
    free(w);
    return status;
  }
  fstWriterSetTimescale(w->context, -12);
  fstWriterSetVersion(w->context, "heddle");
  /* The date would make equal runs differ. */
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
  check = fstReaderOpen(writer->path);
  if (check == NULL || fstReaderGetEndTime(check) != writer->time)
    status = hd_fail(err, HD_E_IO, "%s: the file is not whole; is the disk full?", writer->path);
  if (check != NULL)
    fstReaderClose(check);
  free(writer->path);
  free(writer);
  return status;
}

void *hd_fst_writer_context(struct hd_fst_writer *writer)
{
  return writer->context;
}
