/* Writes JUnit XML, which CI systems read.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Order of elements and attributes are those of the common schema (properties, cases,
 * system-out, system-err); tests check it with tests/cli/junit.xsd.
 */
#include "render.h"

#include <time.h>

static void attribute(struct hd_text *text, const char *name, const char *value)
{
  hd_text_add(text, " %s=\"", name);
  hd_text_add_xml(text, value ? value : "");
  hd_text_add(text, "\"");
}

static void properties(const struct hd_junit *suite, struct hd_text *text)
{
  hd_text_add(text, "    <properties>\n");
  for (size_t i = 0; i < suite->n_columns; i++) {
    struct hd_text value = {0};
    if (!(suite->columns[i].where & HD_IN_PROPERTIES))
      continue;
    hd_value_add(&suite->values[i], &value);
    hd_text_add(text, "      <property");
    attribute(text, "name", suite->columns[i].key);
    attribute(text, "value", hd_text_chars(&value));
    hd_text_add(text, "/>\n");
    hd_text_fini(&value);
  }
  hd_text_add(text, "    </properties>\n");
}

static void add_case(const struct hd_junit *suite, const struct hd_junit_case *c,
                     struct hd_text *text)
{
  const char *element = c->error ? "error" : "failure";
  hd_text_add(text, "    <testcase");
  attribute(text, "classname", suite->classname);
  attribute(text, "name", c->name);
  hd_text_add(text, " time=\"%.3f\"", c->seconds);
  if (c->skipped) {
    hd_text_add(text, ">\n      <skipped");
    attribute(text, "message", c->skipped);
    hd_text_add(text, "/>\n    </testcase>\n");
  } else if (c->kind) {
    hd_text_add(text, ">\n      <%s", element);
    attribute(text, "type", c->kind);
    attribute(text, "message", c->message);
    hd_text_add(text, ">");
    hd_text_add_xml(text, c->detail ? c->detail : "");
    hd_text_add(text, "</%s>\n    </testcase>\n", element);
  } else
    hd_text_add(text, "/>\n");
}

void hd_junit_add(const struct hd_junit *suite, struct hd_text *text)
{
  size_t failures = 0, errors = 0, skipped = 0;
  char now[32];
  const time_t t = time(NULL);
  struct tm tm;
  for (const struct hd_junit_case *c = suite->cases; c < suite->cases + suite->n; c++) {
    skipped += c->skipped != NULL;
    failures += !c->skipped && c->kind && !c->error;
    errors += !c->skipped && c->kind && c->error;
  }
  gmtime_r(&t, &tm);
  strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%S", &tm);
  hd_text_add(text,
              "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite id=\"0\" "
              "package=\"heddle\"");
  attribute(text, "name", suite->name);
  hd_text_add(text,
              " timestamp=\"%s\" hostname=\"localhost\" tests=\"%zu\" failures=\"%zu\" "
              "errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n",
              now, suite->n, failures, errors, skipped, suite->seconds);
  properties(suite, text);
  for (const struct hd_junit_case *c = suite->cases; c < suite->cases + suite->n; c++)
    add_case(suite, c, text);
  hd_text_add_xml_in(text, "    <system-out>", suite->output ? suite->output : "",
                     "</system-out>\n    <system-err/>\n  </testsuite>\n</testsuites>\n");
}
