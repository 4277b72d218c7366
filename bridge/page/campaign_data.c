/* Reads the data for the page of a campaign.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "campaign_data.h"

#include "../host/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *hd_json_text(const json_t *object, const char *key)
{
  return json_string_value(json_object_get(object, key));
}

uint64_t hd_json_count(const json_t *object, const char *key)
{
  json_int_t n = json_integer_value(json_object_get(object, key));
  return n > 0 ? (uint64_t)n : 0;
}

double hd_json_real(const json_t *object, const char *key)
{
  const json_t *value = json_object_get(object, key);
  return json_is_number(value) ? json_number_value(value) : NAN;
}

void hd_json_words(const json_t *value, struct hd_text *text)
{
  if (json_is_string(value))
    hd_text_add(text, "%s", json_string_value(value));
  else if (json_is_number(value))
    hd_text_add(text, "%.10g", json_number_value(value));
}

static int take_task(void *context, const struct hd_task *task,
                     const struct hd_task_outcome *outcome, struct hd_error *err)
{
  struct hd_campaign_data *d = context;
  (void)task;
  (void)err;
  d->seconds += outcome->seconds;
  return HD_OK;
}

/* Adds the path of a file in the directory. Returns false if there is no such file. */
static bool path_of(const char *directory, const char *name, struct hd_text *path)
{
  hd_text_fini(path);
  hd_text_add(path, "%s/%s", directory, name);
  return !access(path->chars, R_OK);
}

static int read_json(struct hd_campaign_data *d, struct hd_error *err)
{
  struct hd_text path = {0};
  char *text = NULL;
  size_t length;
  json_error_t why;
  if (!path_of(d->directory, "sweep.json", &path))
    d->check = path_of(d->directory, "check.json", &path);
  int status = HD_OK;
  if (access(hd_text_chars(&path), R_OK))
    status = hd_fail(err, HD_E_INPUT,
                     "%s: has no sweep.json and no check.json, of which a page is made; a sweep or "
                     "check that was killed before it wrote them goes on by: %.600s",
                     d->directory, d->about.command);
  if (!status)
    status = hd_file_read(path.chars, &text, &length, err);
  if (!status) {
    d->json = json_loadb(text, length, 0, &why);
    if (!json_is_object(d->json))
      status = hd_fail(err, HD_E_INPUT, "%s: is no object of JSON: line %d: %s", path.chars,
                       why.line, why.text);
  }
  free(text);
  hd_text_fini(&path);
  return status;
}

/* Finds the path from the page's folder to the campaign's. It stays empty if they are the same. */
static void find_beside(struct hd_campaign_data *d, const char *page)
{
  char here[4096], there[4096];
  const char *slash = strrchr(page, '/');
  struct hd_text folder = {0};
  hd_text_add(&folder, "%.*s", slash ? (int)(slash - page) + 1 : 1, slash ? page : ".");
  bool both = realpath(d->directory, here) && realpath(hd_text_chars(&folder), there);
  if (both && strcmp(here, there) != 0)
    hd_text_add(&d->beside, "%s/", here);
  hd_text_fini(&folder);
}

int hd_campaign_data_read(struct hd_campaign_data *d, const char *directory, const char *page,
                          struct hd_error *err)
{
  *d = (struct hd_campaign_data){.directory = directory};
  int status = hd_campaign_about_read(&d->about, directory, err);
  if (!status)
    status = read_json(d, err);
  if (!status)
    status = hd_campaign_each(directory, take_task, d, err);
  find_beside(d, page);
  return status;
}

void hd_campaign_data_fini(struct hd_campaign_data *d)
{
  hd_campaign_about_fini(&d->about);
  json_decref(d->json);
  hd_text_fini(&d->beside);
  *d = (struct hd_campaign_data){0};
}
