/* The values of an axis: lists, ranges, geometric ranges.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sweep.h"

#include "../host/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int add(struct hd_axis *axis, const char *text, size_t length, struct hd_error *err)
{
  if (axis->n == HD_SWEEP_VALUES)
    return hd_fail(err, HD_E_INPUT, "%s: more than %d values", axis->path, HD_SWEEP_VALUES);
  if (!length)
    return hd_fail(err, HD_E_INPUT, "%s: value %u of the list is empty", axis->path,
                   (unsigned)axis->n + 1);
  char *value = hd_xstrndup(text, length);
  for (uint32_t i = 0; i < axis->n; i++)
    if (!strcmp(axis->values[i], value)) {
      int status = hd_fail(err, HD_E_INPUT, "%s: %s is given twice", axis->path, value);
      free(value);
      return status;
    }
  axis->values[axis->n++] = value;
  return HD_OK;
}

static int add_number(struct hd_axis *axis, double value, struct hd_error *err)
{
  char text[40];
  snprintf(text, sizeof text, "%.12g", value);
  return add(axis, text, strlen(text), err);
}

/* Splits a list at commas outside of brackets and quotes. */
static int parse_list(struct hd_axis *axis, const char *text, struct hd_error *err)
{
  int depth = 0, status = HD_OK;
  char quote = 0;
  const char *from = text;
  for (const char *c = text; !status; c++) {
    if (!*c || (*c == ',' && !depth && !quote)) {
      status = add(axis, from, (size_t)(c - from), err);
      from = c + 1;
      if (!*c)
        break;
    } else if (quote)
      quote = *c == quote ? 0 : quote;
    else if (*c == '"' || *c == '\'')
      quote = *c;
    else
      depth += (*c == '[' || *c == '{') - (*c == ']' || *c == '}');
  }
  return status;
}

/* Reads "low:high:step" or "low:high:*factor". Returns false if the text is neither. */
static bool is_range(const char *text, double *low, double *high, double *step, bool *geometric)
{
  char *end;
  *low = strtod(text, &end);
  if (end == text || *end != ':')
    return false;
  text = end + 1;
  *high = strtod(text, &end);
  if (end == text || *end != ':')
    return false;
  text = end + 1;
  *geometric = *text == '*';
  text += *geometric;
  *step = strtod(text, &end);
  return end != text && !*end && isfinite(*low) && isfinite(*high) && isfinite(*step);
}

static int parse_range(struct hd_axis *axis, const char *text, double low, double high, double step,
                       bool geometric, struct hd_error *err)
{
  if (low > high || (geometric ? !(step > 1 && low > 0) : !(step > 0)))
    return hd_fail(err, HD_E_INPUT,
                   "%s=%s: a range goes up: low:high:step with a step above 0, or low:high:*factor "
                   "with low above 0 and a factor above 1",
                   axis->path, text);
  double steps = geometric ? log(high / low) / log(step) : (high - low) / step;
  if (steps > HD_SWEEP_VALUES)
    return hd_fail(err, HD_E_INPUT, "%s=%s: more than %d values", axis->path, text,
                   HD_SWEEP_VALUES);
  uint32_t n = (uint32_t)(steps + 1e-9) + 1;
  int status = HD_OK;
  for (uint32_t i = 0; !status && i < n; i++)
    status = add_number(axis, geometric ? low * pow(step, i) : low + step * i, err);
  return status;
}

int hd_axis_parse(struct hd_axis *axis, const struct hd_setting *setting, struct hd_error *err)
{
  double low, high, step;
  bool geometric;
  *axis = (struct hd_axis){.path = hd_xstrdup(setting->path),
                           .values = hd_xcalloc(HD_SWEEP_VALUES, sizeof(char *))};
  if (is_range(setting->value, &low, &high, &step, &geometric))
    return parse_range(axis, setting->value, low, high, step, geometric, err);
  return parse_list(axis, setting->value, err);
}

void hd_axis_fini(struct hd_axis *axis)
{
  for (uint32_t i = 0; i < axis->n; i++)
    free(axis->values[i]);
  free(axis->values);
  free(axis->path);
  *axis = (struct hd_axis){0};
}
