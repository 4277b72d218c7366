/* Checks whether changed RTL still is the switch, or whether any router keeps the rules: many tasks, one verdict.
 * SPDX-License-Identifier: Apache-2.0
 *
 * docs/check.md says what a check exercises. The sequence of runs follows from the parameters alone; the time limit
 * decides how much of it is carried out.
 */
#ifndef HD_CHECK_H
#define HD_CHECK_H

#include "../campaign/campaign.h"
#include "../host/text.h"
#include "../scenario/scenario_set.h"

struct hd_check_params {
  const char *rtl_dir; /* NULL: the installed RTL */
  /* rtl_dir and `against` as the user wrote them, for commands that the check prints. */
  const char *rtl_named, *against_named;
  const char *cache_dir; /* as in hd_backend_options */
  uint64_t seed;
  uint64_t runs;   /* most runs; 0: no limit */
  bool has_stream; /* play only stream `stream` (streams/streams.h); `runs` is 1 then */
  uint32_t stream;
  const char *stream_file; /* not NULL: play only the stream of this file (streams/tape.h) */
  const char *proof;       /* not NULL: carry out only this proof; `runs` is 1 then */
  /* Not NULL: carry out only the proofs that "MODULE" or "MODULE N=1 M=2" equals the original's module. */
  const char *proof_of;
  bool settles;            /* end when all changed modules are proved equal */
  uint64_t failures;       /* begin no run after this number of failed runs; 0: no limit */
  double shrink_seconds;   /* time for shrinking each kind of difference */
  const char *scenario;    /* not NULL: the scenario of this file comes first */
  const char *switch_keys; /* not NULL: this switch comes first, "depth_flits: 16, vcs: 4" */
  const char *require;     /* stages that must be complete, "proofs,stock"; NULL: none */
  bool has_stress;         /* carry out only run `stress` beside the original; `runs` is 1 then */
  uint32_t stress;
  const char *against; /* directory of the original; NULL: Heddle's own RTL */
  double seconds;      /* no run begins after this time; 0: no limit */
  bool foreign; /* any router: the rules at ports (§6.7) judge it, never Heddle's model or RTL */
  const struct hd_setting *settings; /* [n_settings], for every scenario; with `foreign` */
  size_t n_settings;
  struct { /* limits of a described router; 0: none. With `foreign` */
    uint32_t ports, vcs, columns;
    uint32_t data_bits, nodes; /* most */
    uint32_t longest;          /* most flits of a packet */
    uint32_t shortest;         /* least flits of a packet */
    uint32_t slots;            /* slots that it assumes at the next input, for its credits */
    bool single;               /* all packets have one flit */
    bool classes; /* channels do not wait for each other, and tables say which a packet takes */
    const char *network; /* not NULL: a whole network of `ports` endpoints, as `fabric` in braces */
  } takes;
  struct { /* budget for the first switch that the router takes; 0: none. With `foreign` */
    double latency_cycles, accepted;
  } budget;
};

/** HD_CHECK_GRACE_SECONDS: further seconds in which failures of the last moment are explained. */
enum { HD_CHECK_GRACE_SECONDS = 15, HD_CHECK_SETTINGS = 16 /* most settings */ };

struct hd_check;

/** `params` is borrowed until hd_check_destroy. HD_E_INPUT, HD_E_IO; HD_E_TOOL: Verilator is
 *  missing. */
int hd_check_create(struct hd_check **check, const struct hd_check_params *params,
                    struct hd_error *err);
void hd_check_destroy(struct hd_check *check); /* NULL is fine */

/** Fills the campaign's plan, name, definition and identity; they borrow from the check. */
void hd_check_campaign(struct hd_check *check, struct hd_campaign *campaign);

/** Sets the directory of the campaign, before it begins. Borrowed. */
void hd_check_directory(struct hd_check *check, const char *directory);

/** Returns the verdict. HD_OK; HD_E_DIVERGENCE: a run showed a failure of the RTL; HD_E_TOOL: the RTL does not build;
 *  HD_E_NOTHING: nothing was compared, or less than the user demanded; other codes: why nothing is known of the RTL. */
int hd_check_verdict(const struct hd_check *check);

/** Adds the verdict in one line, the groups of failures, and the list of things that were not exercised. */
void hd_check_text(const struct hd_check *check, struct hd_text *text);

/** Writes check.json and check.xml (JUnit: a case a kind of task, and an error where there is no verdict) into the
 *  directory. `interrupted`: the check did not come to its end. HD_E_IO. */
int hd_check_write(const struct hd_check *check, bool interrupted, struct hd_error *err);

/** Writes DIRECTORY/mix-0.yaml … mix-(n-1).yaml: the first `n` mixes of traffic that a check gives any router, all with
 *  the first switch of its list. Needs params->foreign. Errors as of hd_check_create; HD_E_IO. */
int hd_check_write_mixes(const struct hd_check_params *params, const char *directory, uint32_t n,
                         struct hd_error *err);

#endif
