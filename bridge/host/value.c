/* Writes values as text.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "value.h"

#include <inttypes.h>

bool hd_value_is(const struct hd_value *v)
{
  bool words = v->type == HD_VALUE_WORD || v->type == HD_VALUE_TEXT;
  return v->type != HD_VALUE_NONE && (!words || v->text);
}

void hd_value_add(const struct hd_value *v, struct hd_text *text)
{
  if (!hd_value_is(v))
    return;
  switch (v->type) {
  case HD_VALUE_NONE:
    break;
  case HD_VALUE_COUNT:
  case HD_VALUE_NUMBER:
    hd_text_add(text, "%" PRIu64, v->number);
    break;
  case HD_VALUE_HEX:
    hd_text_add(text, "0x%016" PRIx64, v->number);
    break;
  case HD_VALUE_REAL:
    hd_text_add(text, "%.6f", v->real);
    break;
  case HD_VALUE_FLAG:
    hd_text_add(text, "%s", v->flag ? "true" : "false");
    break;
  case HD_VALUE_WORD:
  case HD_VALUE_TEXT:
    hd_text_add(text, "%s", v->text);
    break;
  }
}
