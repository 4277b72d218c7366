/* Fuzzes coverage.dat: any bytes give counts that fit each other, or an error with a line.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../bridge/coverage/rtl_coverage.h"
#include "fuzz.h"

/* A block of exactly this size, so that reading past its end is seen. */
static int add_counts(struct hd_rtl_coverage *set, const uint8_t *data, size_t size)
{
  struct hd_error err = {""};
  char *text = malloc(size + 1);
  require(text != NULL);
  memcpy(text, data, size);
  text[size] = '\0';
  int status = hd_rtl_coverage_add(set, text, size, "c.dat", &err);
  require(!status || (status == HD_E_INPUT && !strncmp(err.text, "c.dat:", 6)));
  return status;
}

static void check_sums(const struct hd_rtl_coverage *set)
{
  struct hd_rtl_sums all = hd_rtl_coverage_sums(set);
  size_t points = 0;
  require(all.lines_hit <= all.lines && all.branches_hit <= all.branches &&
          all.bits_hit <= all.bits);
  for (size_t i = 0; i < set->n_files; i++) {
    const struct hd_rtl_file *f = &set->files[i];
    require(f->first == points && f->n_points > 0 && f->n_lines <= HD_RTL_LINES);
    require(!i || strcmp(set->files[i - 1].name, f->name) < 0);
    points += f->n_points;
    for (uint32_t k = 1; k <= f->n_lines; k++)
      require(f->lines[k].unexecuted <= f->lines[k].points &&
              f->lines[k].unchanged <= f->lines[k].bits);
  }
  require(points == set->n_points);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct hd_rtl_coverage set = {0};
  struct hd_text text = {0};
  if (!add_counts(&set, data, size)) {
    require(!add_counts(&set, data, size));
    size_t before = set.n_points;
    int status = hd_rtl_coverage_finish(&set, NULL);
    require(!status || status == HD_E_INPUT); /* too many lines or files */
    require(2 * set.n_points <= before);      /* each point was there twice, at least */
    if (status) {
      hd_rtl_coverage_fini(&set);
      return 0;
    }
    check_sums(&set);
    hd_rtl_coverage_table(&set, true, &text);
    hd_json_add(hd_rtl_coverage_json(&set), 0, &text, NULL);
    hd_rtl_coverage_csv(&set, &text);
    hd_rtl_coverage_lcov(&set, "rtl", &text);
  }
  hd_text_fini(&text);
  hd_rtl_coverage_fini(&set);
  return 0;
}
