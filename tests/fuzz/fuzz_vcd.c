/* Fuzzes VCD files: any bytes give signals and changes that fit them, or an error with a line.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../bridge/waves/vcd.h"
#include "fuzz.h"

struct seen {
  const struct hd_fst_variable *variables;
  size_t n;
  uint64_t time, first, last;
};

static void check_change(void *context, uint64_t time, uint32_t handle, const char *value)
{
  struct seen *s = context;
  const struct hd_fst_variable *v = NULL;
  require(time >= s->time && time >= s->first && time <= s->last);
  s->time = time;
  for (size_t i = 0; v == NULL && i < s->n; i++)
    v = s->variables[i].handle == handle ? &s->variables[i] : NULL;
  require(v != NULL && (value != NULL) == (v->bits != 0));
  if (value != NULL)
    require(strlen(value) == v->bits && strspn(value, "01xzuwlh-") == v->bits);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct hd_vcd *vcd = NULL;
  struct hd_error err = {""};
  struct seen seen = {.n = 0};
  char *text = exact_copy(data, size);
  int status = hd_vcd_create(&vcd, text, size, "f.vcd", &err);
  if (status) {
    require(status == HD_E_INPUT && vcd == NULL);
    require(memchr(err.text, 0, sizeof err.text) != NULL);
    require(strncmp(err.text, "f.vcd:", 6) == 0 && strlen(err.text) > 12);
  } else {
    seen.variables = hd_vcd_variables(vcd, &seen.n);
    require(seen.n >= 1);
    for (size_t i = 0; i < seen.n; i++)
      require(seen.variables[i].handle >= 1 && seen.variables[i].handle <= seen.n);
    hd_vcd_times(vcd, &seen.first, &seen.last);
    require(hd_vcd_exponent(vcd) <= 0 && hd_vcd_exponent(vcd) >= -15);
    hd_vcd_read(vcd, check_change, &seen);
  }
  hd_vcd_destroy(vcd);
  free(text);
  return 0;
}
