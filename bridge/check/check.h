/* Is changed RTL still the switch; does any router keep the rules? Tasks of many kinds within a time, one verdict.
 * SPDX-License-Identifier: Apache-2.0
 *
 * docs/check.md says what is exercised. What is handed out follows from the parameters alone; how far it
 * comes, from the time.
 */
#ifndef HD_CHECK_H
#define HD_CHECK_H

#include "../campaign/campaign.h"
#include "../host/text.h"
#include "../scenario/scenario_set.h"

struct hd_check_params {
  const char *rtl_dir; /* NULL: the installed one */
  const char *rtl_named,
      *against_named;    /* rtl_dir and `against` as the user wrote them, for commands */
  const char *cache_dir; /* NULL: as hd_backend_options */
  uint64_t seed;
  uint64_t runs;   /* at most; 0: any number */
  bool has_stream; /* this stream alone (streams/streams.h); `runs` is 1 then */
  uint32_t stream;
  const char *stream_file; /* not NULL: that of a file alone (streams/tape.h); likewise */
  const char *proof;       /* not NULL: this proof alone; `runs` is 1 then */
  const char
      *proof_of; /* not NULL: proofs alone that "MODULE" or "MODULE N=1 M=2" is the original's */
  bool settles;  /* ends when all changed modules are proved equal */
  uint64_t failures;       /* ends after this number of failed runs; 0: no limit */
  double shrink_seconds;   /* seconds of shrinking for each kind of difference */
  const char *scenario;    /* not NULL: this file comes first, */
  const char *switch_keys; /* not NULL: and this switch, "depth_flits: 16, vcs: 4" */
  const char *require;     /* stages that are to be complete, "proofs,stock"; NULL: none */
  bool has_stress;         /* this run beside the original alone; `runs` is 1 then */
  uint32_t stress;
  const char *against; /* directory of the original; NULL: Heddle's own RTL */
  double seconds;      /* after which no run begins; 0: any time */
  bool
      foreign; /* any router: judged by the rules at ports (§6.7), never by Heddle's model or RTL */
  const struct hd_setting
      *settings; /* [n_settings] of every scenario, such as run.order; with `foreign` */
  size_t n_settings;
  struct { /* what a described router is for; 0: anything. With `foreign` */
    uint32_t ports, vcs, columns;
    uint32_t data_bits, nodes; /* at most */
    uint32_t longest;          /* flits of a packet, at most */
    uint32_t slots;            /* it counts on so many behind each output channel, by credits */
    bool single;               /* packets of one flit */
    bool classes; /* channels do not wait for each other, and tables say which a packet takes */
    const char *
        network; /* it is a whole network of `ports` endpoints: the only `fabric`, as YAML in braces */
  } takes;
  struct { /* what the user asks of the first switch; 0: nothing. With `foreign` */
    double latency_cycles, accepted;
  } budget;
};

/** Failures found in the last moment are explained in this number of further seconds. */
enum { HD_CHECK_GRACE_SECONDS = 15, HD_CHECK_SETTINGS = 16 /* at most */ };

struct hd_check;

/** `params` is borrowed until hd_check_destroy. HD_E_INPUT, HD_E_IO; HD_E_TOOL: Verilator is
 *  missing. */
int hd_check_create(struct hd_check **check, const struct hd_check_params *params,
                    struct hd_error *err);
void hd_check_destroy(struct hd_check *check); /* NULL is fine */

/** Fills the campaign's plan, name, definition and identity; they borrow from the check. */
void hd_check_campaign(struct hd_check *check, struct hd_campaign *campaign);

/** The directory of the campaign; to be said before it begins. Borrowed. */
void hd_check_directory(struct hd_check *check, const char *directory);

/** The check's result. HD_OK; HD_E_DIVERGENCE: the RTL is not the switch; HD_E_TOOL: the RTL does not build;
 *  HD_E_NOTHING: nothing was compared, or less than params->require demands; or the reason why nothing is known. */
int hd_check_verdict(const struct hd_check *check);

/** The verdict in one line, the groups of failures, and what was not exercised. */
void hd_check_text(const struct hd_check *check, struct hd_text *text);

/** Writes check.json and check.xml (JUnit: a case a kind of task) into the directory. HD_E_IO. */
int hd_check_write(const struct hd_check *check, struct hd_error *err);

/** Writes DIRECTORY/mix-0.yaml … mix-N-1.yaml: the first `n` mixes of traffic of a check of any router, all of the first
 *  switch that it has. Takes params->foreign. Errors as hd_check_create; HD_E_IO. */
int hd_check_write_mixes(const struct hd_check_params *params, const char *directory, uint32_t n,
                         struct hd_error *err);

#endif
