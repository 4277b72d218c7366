/* Exit codes, messages, output and simple options for all subcommands.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"
#include "guard.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int hd_cli_exit(int status)
{
#define EXIT(name) [-HD_E_##name] = HD_EXIT_##name
  static const int codes[] = {[-HD_E_UNSUPPORTED] = HD_EXIT_INPUT,
                              EXIT(INPUT),
                              EXIT(DIVERGENCE),
                              EXIT(BUDGET),
                              EXIT(DEADLOCK),
                              EXIT(IO),
                              EXIT(TOOL),
                              EXIT(SOFTWARE),
                              EXIT(FAULT),
                              EXIT(NOTHING),
                              EXIT(INVARIANT),
                              EXIT(INTERRUPTED)};
#undef EXIT
  const size_t i = (size_t)-status;
  return !status                                        ? HD_EXIT_OK
         : i < sizeof codes / sizeof *codes && codes[i] ? codes[i]
                                                        : HD_EXIT_INTERNAL;
}

int hd_cli_fail(int status, const struct hd_error *err)
{
  hd_cli_restore_streams();
  fflush(stdout);
  const char *text = err->text[0] ? err->text : hd_status_text(status);
  fputs("heddle: ", stderr);
  hd_cli_print_escaped(stderr, text);
  fputc('\n', stderr);
  hd_cli_note_failure(text, !ferror(stderr));
  return hd_cli_exit(status);
}

/* Returns the length in bytes of the UTF-8 character at `text`; 0: it is none, or a control
 * character.
 */
static size_t printable(const char *text)
{
  unsigned c = (unsigned char)text[0];
  if (c < 0x80)
    return c == '\n' || c == '\t' || (c >= ' ' && c != 0x7f);
  size_t n = c >= 0xf0 && c < 0xf5 ? 4 : c >= 0xe0 ? 3 : 2;
  if (c < 0xc2 || c >= 0xf5 || (c == 0xc2 && (unsigned char)text[1] < 0xa0))
    return 0;
  for (size_t i = 1; i < n; i++)
    if (((unsigned char)text[i] & 0xc0) != 0x80)
      return 0;
  return n;
}

void hd_cli_print_escaped(FILE *stream, const char *text)
{
  while (*text) {
    size_t n = printable(text);
    if (n)
      fwrite(text, 1, n, stream);
    else
      fprintf(stream, "\\x%02x", (unsigned char)*text);
    text += n ? n : 1;
  }
}

void hd_cli_single_argument(struct argp_state *state, const char *noun, const char *what,
                            const char **one, const char *arg)
{
  if (!arg)
    argp_error(state, "no %s is given; give %s", noun, what);
  else if (*one)
    argp_error(state, "unexpected argument '%s'; give one %s at a time", arg, noun);
  *one = arg;
}

int hd_cli_print(int status, struct hd_text *text)
{
  if (!status)
    fputs(hd_text_chars(text), stdout);
  hd_text_fini(text);
  return status;
}

int hd_cli_close_output(int code)
{
  static bool is_said;
  int failed = ferror(stdout);
  if (!fflush(stdout) && !failed)
    return code;
  if (!is_said)
    fprintf(stderr, "heddle: standard output: %s\n", strerror(errno));
  is_said = true;
  return code ? code : HD_EXIT_IO;
}

uint64_t hd_cli_number(struct argp_state *state, const char *option, const char *text,
                       uint64_t least, uint64_t most)
{
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 0);
  /* strtoull would also accept blanks and signs */
  if (*text < '0' || *text > '9' || *end || errno || value < least || value > most)
    argp_error(state, "%s %s: must be a whole number from %llu to %llu", option, text,
               (unsigned long long)least, (unsigned long long)most);
  return value;
}

error_t hd_cli_store(const struct hd_cli_store *stores, void *input, int key, char *arg,
                     struct argp_state *state)
{
  static const struct hd_cli_store none = {0};
  const struct hd_cli_store *s = stores ? stores : &none;
  while (s->key && s->key != key)
    s++;
  const int member = s->key ? s->member : key, kind = member >> HD_CLI_MEMBER_BITS;
  if (!s->size && kind != 1 && kind != 2)
    return ARGP_ERR_UNKNOWN;
  char *const to = (char *)input + (member & ((1 << HD_CLI_MEMBER_BITS) - 1));
  const uint64_t number = s->size ? hd_cli_number(state, s->option, arg, s->least, s->most) : 0;
  if (s->size == sizeof number)
    memcpy(to, &number, sizeof number);
  else if (s->size)
    memcpy(to, &(const uint32_t){(uint32_t)number}, sizeof(uint32_t));
  else if (kind == 1)
    memcpy(to, &(const bool){true}, sizeof(bool));
  else
    memcpy(to, &arg, sizeof arg);
  return 0;
}

void hd_cli_setting(struct argp_state *state, char *text, struct hd_setting *settings, size_t *n)
{
  struct hd_error err = {""};
  if (*n == HD_CLI_SETTINGS)
    argp_error(state, "--set %s: at most %d keys can be set", text, HD_CLI_SETTINGS);
  if (hd_setting_parse(text, &settings[*n], &err))
    argp_error(state, "--set %s", err.text);
  ++*n;
}
