/* Fuzzes descriptions of routers: any bytes give a description that fits together or an error that names the file.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../bridge/wrap/wrap.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct hd_wrap *wrap = NULL;
  struct hd_error err = {""};
  struct hd_text notes = {0};
  char *text = exact_copy(data, size);
  int status = hd_wrap_parse(&wrap, text, size, "f.yaml", &err);
  free(text);
  if (status) {
    require(status == HD_E_INPUT && strncmp(err.text, "f.yaml:", 7) == 0 && strlen(err.text) > 12);
    require(memchr(err.text, 0, sizeof err.text) != NULL);
    for (const char *c = err.text; *c; c++)
      require((unsigned char)*c >= ' ');
  } else {
    hd_wrap_module(wrap, &notes);
    hd_wrap_entity(wrap, &notes);
    hd_wrap_notes(wrap, &notes);
    require(strstr(hd_text_chars(&notes), "endmodule") != NULL);
  }
  hd_text_fini(&notes);
  hd_wrap_destroy(wrap);
  return 0;
}
