/* heddle schedule NETWORK COLLECTIVE: finds a schedule, checks it, shows it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "schedule_find.h"

#include "../../host/clock.h"
#include "../../host/file.h"
#include "../../host/memory.h"
#include "../../host/suggest.h"
#include "../../render/render.h"
#include "../../../sw/contention/schedule_check.h"
#include "../../../sw/schedules/schedules.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ── the network ───────────────────────────────────────────────────────────── */

/* Adds the text of a scenario for a network such as "omega:k=2,n=3". False: the network is given
 * otherwise. */
static bool inline_network(const char *network, struct hd_text *text)
{
  if (!hd_scenario_add_network(network, text))
    return false;
  hd_text_add(text, "name: %.*s\nsoftware: {program: uniform}\n", (int)strcspn(network, ":"),
              network);
  return true;
}

/* Adds an example of a network, such as "clos:n=3,m=3,r=4": one with the topology whose name
 * begins the text, otherwise any. */
static void example_of(const char *network, struct hd_text *text)
{
  const struct hd_topology_descriptor *like = hd_topologies[HD_TOPO_CLOS];
  size_t length = strcspn(network, " :=,/.\t");
  for (unsigned i = 0; hd_topologies[i]; i++)
    if (strlen(hd_topologies[i]->name) == length &&
        !strncmp(hd_topologies[i]->name, network, length))
      like = hd_topologies[i];
  hd_text_add(text, "%s:", like->name);
  for (const char *c = like->example; *c; c++)
    if (*c == ':')
      hd_text_add(text, "=");
    else if (*c != ' ')
      hd_text_add(text, "%c", *c);
}

/* Refuses a network that is neither a topology with its keys nor a file. */
static int no_network(const char *network, struct hd_error *err)
{
  struct hd_text example = {0};
  example_of(network, &example);
  int status =
      hd_fail(err, HD_E_INPUT,
              "%.300s: there is no such file; legal: a scenario's file, or a topology with "
              "its keys and no blanks, as %s",
              network, hd_text_chars(&example));
  hd_text_fini(&example);
  return status;
}

/* Words an error in an inline network, which has no lines: the user's text replaces "NAME:LINE". */
static int wrong_network(const char *network, const char *name, const struct hd_error *why,
                         struct hd_error *err)
{
  struct hd_text example = {0};
  const size_t length = strlen(name);
  const char *what = why->text;
  if (!strncmp(what, name, length) && what[length] == ':') {
    what += length + 1;
    what += strspn(what, "0123456789");
    what += strspn(what, ": ");
  }
  example_of(network, &example);
  int status =
      hd_fail(err, HD_E_INPUT, "%.300s: %.500s (a network is a topology with its keys, as %s)",
              network, what, hd_text_chars(&example));
  hd_text_fini(&example);
  return status;
}

/* Checks the network as the user typed it, without settings. */
static int check_network(const char *network, const char *name, const struct hd_text *text,
                         struct hd_error *err)
{
  struct hd_scenario scenario;
  struct hd_error why = {""};
  int status = hd_scenario_read_set(&scenario, hd_text_chars(text), name, NULL, 0, &why);
  hd_scenario_fini(&scenario);
  if (!status)
    return HD_OK;
  return status == HD_E_INPUT ? wrong_network(network, name, &why, err)
                              : hd_fail(err, status, "%s", why.text);
}

int schedule_scenario(struct hd_scenario *scenario, const char *network,
                      const struct hd_setting *settings, size_t n_settings, struct hd_error *err)
{
  struct hd_text text = {0};
  bool given = inline_network(network, &text);
  /* The path of a file in an inline network is relative to the working directory. */
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(network, ":"), network);
  int status = HD_OK;
  if (!given && access(network, F_OK))
    status = no_network(network, err);
  else if (given)
    status = check_network(network, name, &text, err);
  if (!status)
    status = hd_scenario_read_set(scenario, given ? hd_text_chars(&text) : NULL,
                                  given ? name : network, settings, n_settings, err);
  hd_text_fini(&text);
  return status;
}

/* ── the request ─────────────────────────────────────────────────────────────── */

struct finder {
  const struct schedule_request *request;
  struct hd_scenario scenario;
  struct hd_topology topology;
  struct hd_tables tables;
  struct hd_messages messages;
  struct hd_schedule schedule;
  struct hd_schedule_found found;
  struct hd_evolved evolved;
  bool *failed;               /* [links] */
  char title[400], news[256]; /* news: message that has not been printed */
  double started;
};

static int read_messages(struct finder *f, struct hd_error *err)
{
  const struct schedule_request *r = f->request;
  enum hd_exchange kind = hd_exchange_find(r->collective);
  char *text;
  size_t length;
  struct hd_error inner;
  if (kind == HD_EXCHANGES && !strchr(r->collective, '.') && !strchr(r->collective, '/')) {
    struct hd_text names = {0};
    struct hd_suggestion suggestion = {.given = r->collective, .length = strlen(r->collective)};
    for (unsigned k = 0; hd_exchange_name(k); k++) {
      hd_suggest(&suggestion, hd_exchange_name(k));
      hd_text_add(&names, "%s, ", hd_exchange_name(k));
    }
    int status = hd_fail(err, HD_E_INPUT, "%.100s is no collective%s; there are: %sor a CSV file",
                         r->collective, suggestion.text, hd_text_chars(&names));
    hd_text_fini(&names);
    return status;
  }
  if (r->root_given && kind > HD_EXCHANGE_ALL_TO_ONE_GATHER)
    return hd_fail(err, HD_E_INPUT, "--root %" PRIu32 ": not with %.300s; it has no root", r->root,
                   kind < HD_EXCHANGES ? hd_exchange_name(kind) : r->collective);
  if (kind != HD_EXCHANGES)
    return hd_messages_make(&f->messages, kind, f->topology.n_nodes, r->root, err);
  int status = hd_file_read(r->collective, &text, &length, err);
  if (status)
    return status;
  status =
      hd_messages_parse(&f->messages, text, length, r->collective, f->topology.n_nodes, &inner);
  free(text);
  return status ? hd_fail(err, status, "%s", inner.text) : HD_OK;
}

static int read_failed(struct finder *f, struct hd_error *err)
{
  const struct schedule_request *r = f->request;
  const struct hd_topology *t = &f->topology;
  f->failed = hd_xcalloc(hd_schedule_links(t), sizeof *f->failed);
  if (r->n_failed && r->by_tables)
    return hd_fail(err, HD_E_INPUT, "--failed goes with --routes free only: tables name the links");
  for (size_t i = 0; i < r->n_failed; i++) {
    uint32_t sw, port;
    char rest;
    if (sscanf(r->failed[i], "s%9" SCNu32 ":%9" SCNu32 "%c", &sw, &port, &rest) != 2 ||
        sw >= t->n_switches || port >= t->ports ||
        t->peers[(size_t)sw * t->ports + port].kind != HD_PEER_SWITCH)
      return hd_fail(
          err, HD_E_INPUT,
          "--failed %.60s: no link between switches; legal: a switch's port as s3:1, see "
          "heddle topo --links csv",
          r->failed[i]);
    const struct hd_peer *peer = &t->peers[(size_t)sw * t->ports + port];
    f->failed[(size_t)sw * t->ports + port] = true;
    if (!hd_topology_one_way(t))
      f->failed[(size_t)peer->index * t->ports + peer->port] = true;
  }
  return HD_OK;
}

static int open_finder(struct finder *f, struct hd_error *err)
{
  const struct schedule_request *r = f->request;
  int status = schedule_scenario(&f->scenario, r->network, r->settings, r->n_settings, err);
  if (!status)
    status = r->by_tables ? hd_scenario_build(&f->scenario, &f->topology, &f->tables, err)
                          : hd_scenario_topology(&f->scenario, &f->topology, err);
  if (!status && r->by_tables && !hd_routing_is_fixed(&f->tables))
    status = hd_fail(err, HD_E_INPUT,
                     "--routes tables: packets of one pair of nodes take different ways by %s; "
                     "legal: routings by which packets do not choose",
                     hd_routing_kind_name(f->scenario.routing.algorithm));
  if (!status)
    status = read_messages(f, err);
  if (!status)
    status = read_failed(f, err);
  if (!status && r->proof && mkdir(r->proof, 0777) && errno != EEXIST)
    status = hd_fail(err, HD_E_IO, "%.300s: %s", r->proof, strerror(errno));
  bool rooted = f->messages.kind <= HD_EXCHANGE_ALL_TO_ONE_GATHER;
  snprintf(f->title, sizeof f->title, "%.150s: %.150s", r->network,
           f->messages.kind < HD_EXCHANGES ? hd_exchange_name(f->messages.kind) : r->collective);
  if (!status && rooted)
    snprintf(f->title + strlen(f->title), sizeof f->title - strlen(f->title), ", root n%" PRIu32,
             f->messages.root);
  if (!status && r->all_port)
    snprintf(f->title + strlen(f->title), sizeof f->title - strlen(f->title), ", all ports");
  return status;
}

static void close_finder(struct finder *f)
{
  hd_schedule_fini(&f->schedule);
  hd_messages_fini(&f->messages);
  free(f->failed);
  hd_tables_fini(&f->tables);
  hd_topology_fini(&f->topology);
  hd_scenario_fini(&f->scenario);
}

/* ── find and check ────────────────────────────────────────────────────────── */

/* Writes the progress if somebody watches. Messages of the first second wait, so that a search
 * that ends within it prints nothing. */
static void print_news(struct finder *f)
{
  const double seconds = hd_seconds_now() - f->started;
  if (!*f->news || f->request->quiet || (seconds <= 1 && !isatty(STDERR_FILENO)))
    return;
  fprintf(stderr, "heddle: %.1f s: %s\n", seconds, f->news);
  *f->news = 0;
}

static void say(void *context, const char *text)
{
  struct finder *f = context;
  snprintf(f->news, sizeof f->news, "%s", text);
  print_news(f);
}

/* The search calls this regularly, so it also prints the progress. */
static bool stop(void *context)
{
  print_news(context);
  return hd_cli_stopped();
}

static int find_and_check(struct finder *f, struct hd_error *err)
{
  const struct schedule_request *r = f->request;
  const struct hd_schedule_network network = {.topology = &f->topology,
                                              .tables = r->by_tables ? &f->tables : NULL,
                                              .failed = f->failed,
                                              .all_port = r->all_port};
  const struct hd_schedule_options options = {.seconds = r->seconds,
                                              .solver = !r->no_solver,
                                              .proof_directory = r->proof,
                                              .stop = stop,
                                              .say = say,
                                              .context = f};
  const struct hd_evolution evolution = {
      .seed = r->seed, .evaluations = r->evaluations, .steps = r->steps};
  hd_cli_catch_signals();
  if (r->by_evolution)
    return hd_schedule_evolve(&f->schedule, &network, &f->messages, &options, &evolution,
                              &f->evolved, err);
  return hd_schedule_find(&f->schedule, &network, &f->messages, &options, err);
}

static int check_contention(struct finder *f, const char *csv, size_t length, const char *name,
                            struct hd_error *err)
{
  const struct schedule_request *r = f->request;
  const struct hd_schedule_rules rules = {.topology = &f->topology,
                                          .tables = r->by_tables ? &f->tables : NULL,
                                          .failed = f->failed,
                                          .all_port = r->all_port};
  struct hd_schedule_need *needs = hd_xcalloc(f->messages.n_destinations + 1, sizeof *needs);
  size_t n = 0;
  for (size_t i = 0; i < f->messages.n; i++)
    for (uint32_t d = 0; d < f->messages.all[i].n; d++)
      needs[n++] =
          (struct hd_schedule_need){(uint32_t)i, f->messages.all[i].source,
                                    f->messages.destinations[f->messages.all[i].first + d]};
  int status = hd_schedule_check(&rules, needs, n, csv, length, name, &f->found, err);
  free(needs);
  return status;
}

static int check_file(struct finder *f, struct hd_error *err)
{
  char *csv;
  size_t length;
  int status = hd_file_read(f->request->check, &csv, &length, err);
  if (status)
    return status;
  status = check_contention(f, csv, length, f->request->check, err);
  free(csv);
  if (!status)
    printf("%s\n  checked             %" PRIu64 " transfers in %" PRIu32
           " steps: all arrives, no link has two in a step\n",
           f->title, f->found.transfers, f->found.steps);
  return status;
}

/* Checks the written CSV of the schedule by code that shares nothing with the search. */
static int check_found(struct finder *f, struct hd_error *err)
{
  struct hd_text csv = {0};
  struct hd_error inner;
  hd_schedule_csv(&f->schedule, &f->topology, &csv);
  int status = HD_OK;
  if (check_contention(f, hd_text_chars(&csv), csv.length, "schedule", &inner))
    status =
        hd_fail(err, HD_E_INTERNAL, "the schedule that was found is wrong: %.900s", inner.text);
  if (!status && f->found.steps != f->schedule.steps)
    status = hd_fail(err, HD_E_INTERNAL,
                     "the schedule that was found has %" PRIu32 " steps, not %" PRIu32,
                     f->found.steps, f->schedule.steps);
  hd_text_fini(&csv);
  return status;
}

/* ── output ──────────────────────────────────────────────────────────────────── */

static void add_text(const struct finder *f, struct hd_text *text)
{
  const struct hd_schedule *s = &f->schedule;
  hd_text_add(text, "%s\n  steps               %" PRIu32, f->title, s->steps);
  if (s->steps == s->bound)
    hd_text_add(text, ", the fewest");
  else
    hd_text_add(text, "; at least %" PRIu32 "; not proved to be the fewest", s->bound);
  hd_text_add(text, "\n  how                 %s\n  not fewer than %-4" PRIu32 " %s\n", s->how,
              s->bound, s->reason);
  if (s->open[0])
    hd_text_add(text, "  open                %s\n", s->open);
  if (f->request->by_evolution)
    hd_text_add(text, "  evolution           %" PRIu64 " evaluations in %" PRIu32 " attempt%s\n",
                f->evolved.evaluations, f->evolved.attempts, f->evolved.attempts == 1 ? "" : "s");
  hd_text_add(text,
              "  checked             %" PRIu64
              " transfers: all arrives, no link has two in a step\n"
              "  time                %.2f s\n",
              f->found.transfers, hd_seconds_now() - f->started);
}

static json_t *json_transfers(const struct hd_schedule *s, const struct hd_topology *t)
{
  json_t *transfers = json_array();
  for (const struct hd_transfer *m = s->transfers; m < s->transfers + s->n; m++) {
    json_t *links = json_array();
    for (uint32_t l = 0; l < m->n_links; l++) {
      char name[32];
      hd_schedule_link_name(t, s->links[m->first_link + l], name, sizeof name);
      json_array_append_new(links, json_string(name));
    }
    json_array_append_new(transfers, json_pack("{s:i,s:i,s:i,s:i,s:o}", "step", (int)m->step + 1,
                                               "message", (int)m->message, "source", (int)m->from,
                                               "destination", (int)m->to, "links", links));
  }
  return transfers;
}

static int add_json(const struct finder *f, struct hd_text *text, struct hd_error *err)
{
  const struct hd_schedule *s = &f->schedule;
  json_t *json =
      json_pack("{s:o,s:f,s:i,s:i,s:b,s:o,s:o,s:o}", "schedule", hd_json_string(f->title),
                "seconds", hd_seconds_now() - f->started, "steps", (int)s->steps, "bound",
                (int)s->bound, "optimal", s->steps == s->bound, "how", hd_json_string(s->how),
                "reason", hd_json_string(s->reason), "transfers", json_transfers(s, &f->topology));
  if (f->request->by_evolution) {
    json_object_set_new(json, "seed", json_integer((json_int_t)f->request->seed));
    json_object_set_new(json, "evaluations", json_integer((json_int_t)f->evolved.evaluations));
  }
  if (s->by_solver)
    json_object_set_new(
        json, "proof",
        json_pack("{s:b,s:I}", "checked", s->lemmas != 0, "lemmas", (json_int_t)s->lemmas));
  if (s->open[0])
    json_object_set_new(json, "open", hd_json_string(s->open));
  return hd_json_add(json, JSON_REAL_PRECISION(3), text, err);
}

static int print_schedule(struct finder *f, struct hd_error *err)
{
  const char *format = f->request->format;
  struct hd_text text = {0};
  int status = HD_OK;
  if (!strcmp(format, "csv"))
    hd_schedule_csv(&f->schedule, &f->topology, &text);
  else if (!strcmp(format, "json"))
    status = add_json(f, &text, err);
  else if (!strcmp(format, "svg"))
    hd_schedule_svg(&f->schedule, &f->topology, &f->messages, f->title, &text);
  else
    add_text(f, &text);
  status = hd_cli_print(status, &text);
  if (!status && strcmp(format, "text") && f->schedule.open[0])
    fprintf(stderr, "heddle: %" PRIu32 " steps, at least %" PRIu32 ": %s\n", f->schedule.steps,
            f->schedule.bound, f->schedule.open);
  return status;
}

int schedule_find(const struct schedule_request *request)
{
  struct finder f = {.request = request, .started = hd_seconds_now()};
  struct hd_error err = {0}, later = {0};
  int status = open_finder(&f, &err), code;
  if (!status && request->check)
    status = check_file(&f, &err);
  else if (!status)
    status = find_and_check(&f, &err);
  if (!request->check && (!status || status == HD_E_INTERRUPTED) && f.schedule.steps) {
    int failed = check_found(&f, &later);
    if (!failed)
      failed = print_schedule(&f, &later);
    if (failed) {
      status = failed;
      err = later;
    }
  }
  code = status                                ? hd_cli_fail(status, &err)
         : f.schedule.steps > f.schedule.bound ? HD_EXIT_BUDGET
                                               : HD_EXIT_OK;
  close_finder(&f);
  return code;
}
