/* The lists of collectives as data; costs in the α–β model, and the choice by them; operators.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plan.h"

#include <math.h>
#include <string.h>

/* ── the lists ─────────────────────────────────────────────────────────────── */

struct hd_collective_info hd_collective_info(unsigned collective)
{
#define INFO(COLLECTIVE, name, rooted, reduces, steps, bytes, about) \
  {name, about, #steps, #bytes, rooted, reduces},
  static const struct hd_collective_info infos[] = {HD_COLLECTIVE_LIST(INFO){0}};
#undef INFO
  return infos[collective < HD_COLLECTIVES ? collective : HD_COLLECTIVES];
}

struct hd_algorithm_info hd_algorithm_info(unsigned algorithm)
{
#define INFO(ALGORITHM, name, about) {name, about},
  static const struct hd_algorithm_info infos[] = {HD_ALGORITHM_LIST(INFO){0}};
#undef INFO
  return infos[algorithm < HD_ALGORITHMS ? algorithm : HD_ALGORITHMS];
}

enum {
  ANY = HD_NEEDS_NOTHING,
  POWER = HD_NEEDS_POWER,
  ROUTED = HD_NEEDS_ROUTES,
  BOX = HD_NEEDS_BOX,
  BARRIERS = HD_NEEDS_BARRIERS,
  TREES = HD_NEEDS_TREES
};

const char *hd_method_needs_text(enum hd_method_needs needs)
{
  static const char *const texts[] = {[HD_NEEDS_NOTHING] = "any",
                                      [HD_NEEDS_POWER] = "power of two",
                                      [HD_NEEDS_ROUTES] = "any, fixed routes",
                                      [HD_NEEDS_BOX] = "box of a mesh",
                                      [HD_NEEDS_BARRIERS] = "any, barriers in the network",
                                      [HD_NEEDS_TREES] = "any, multicast in the network"};
  return texts[needs];
}

#define COUNT(...) +1
enum { METHODS = HD_METHOD_LIST(COUNT) };
#undef COUNT

static const struct method {
  struct hd_method_info info;
  hd_method_build *build;
} methods[] = {
#define METHOD(COLLECTIVE, ALGORITHM, function, members, steps, bytes)                             \
  {{HD_COLLECTIVE_##COLLECTIVE, HD_ALGORITHM_##ALGORITHM, (enum hd_method_needs)(members), #steps, \
    #bytes},                                                                                       \
   hd_build_##function},
    HD_METHOD_LIST(METHOD)
#undef METHOD
};

bool hd_method_info(unsigned i, struct hd_method_info *info)
{
  if (i >= METHODS)
    return false;
  *info = methods[i].info;
  return true;
}

/* Returns the index of a method; METHODS: there is none. */
static unsigned find_method(enum hd_collective collective, enum hd_algorithm algorithm)
{
  unsigned i = 0;
  while (i < METHODS &&
         (methods[i].info.collective != collective || methods[i].info.algorithm != algorithm))
    i++;
  return i;
}

static bool is_power(int n)
{
  return !(n & (n - 1));
}

static bool is_possible(unsigned i, enum hd_collective collective, int members)
{
  return i < METHODS && methods[i].info.collective == collective &&
         (methods[i].info.needs != HD_NEEDS_POWER || is_power(members));
}

enum hd_method_needs hd_method_needs(enum hd_collective collective, enum hd_algorithm algorithm)
{
  return methods[find_method(collective, algorithm)].info.needs;
}

bool hd_method_possible(enum hd_collective collective, enum hd_algorithm algorithm, int members)
{
  return is_possible(find_method(collective, algorithm), collective, members);
}

hd_method_build *hd_method_builder(enum hd_collective collective, enum hd_algorithm algorithm)
{
  return methods[find_method(collective, algorithm)].build;
}

/* ── costs ─────────────────────────────────────────────────────────────────── */

/* The variables of the formulas in the lists. */
struct variables {
  double p, l, d, q, f, b, n, t, s, c, v, g, k;
};

static struct variables variables_of(enum hd_collective collective,
                                     const struct hd_collective_shape *shape)
{
  int members = shape->members, d = 0, bits = 0;
  while (members >> d > 1)
    d++;
  for (int i = 0; i < members; i++)
    bits += __builtin_popcount((unsigned)i);
  bool vector = collective == HD_COLLECTIVE_ALLTOALLV, power = is_power(members);
  return (struct variables){
      .p = members,
      .l = d + !power,
      .d = d,
      .q = 1 << d,
      .f = !power,
      .b = bits,
      .n = (double)shape->bytes,
      .s = shape->schedule_steps,
      .c = shape->coded_steps,
      .v = shape->values ? ceil((double)shape->bytes / 4 / shape->values) : 0,
      .k = shape->cast_bytes && shape->beta > 0 ? 1.0 / shape->cast_bytes / shape->beta : 0,
      .g = shape->alpha > 0 ? shape->round_cycles / shape->alpha : 0,
      .t = vector ? (double)shape->most : (double)shape->bytes * (members - 1),
  };
}

/* Returns true if no member has anything to send. */
static bool has_nothing_to_send(enum hd_collective collective,
                                const struct hd_collective_shape *shape)
{
  return shape->members < 2 || (collective != HD_COLLECTIVE_BARRIER && !shape->bytes);
}

struct cost {
  double steps, bytes;
};

static struct cost cost_of(unsigned method, const struct variables *of)
{
  const double p = of->p, l = of->l, d = of->d, q = of->q, f = of->f, b = of->b, n = of->n,
               s = of->s, c = of->c, v = of->v, g = of->g, k = of->k;
#define COST(COLLECTIVE, ALGORITHM, function, members, steps, bytes) {steps, bytes},
  const struct cost costs[] = {HD_METHOD_LIST(COST)};
#undef COST
  return costs[method];
}

static struct cost least_cost(unsigned collective, const struct variables *of)
{
  const double p = of->p, l = of->l, n = of->n, t = of->t;
#define COST(COLLECTIVE, name, rooted, reduces, steps, bytes, about) {steps, bytes},
  const struct cost costs[] = {HD_COLLECTIVE_LIST(COST)};
#undef COST
  return costs[collective];
}

static double cycles_of(unsigned method, const struct hd_collective_shape *shape)
{
  enum hd_collective collective = methods[method].info.collective;
  struct variables of = variables_of(collective, shape);
  struct cost cost = cost_of(method, &of);
  return has_nothing_to_send(collective, shape)
             ? 0
             : cost.steps * shape->alpha + cost.bytes * shape->beta;
}

static bool is_known(unsigned i, enum hd_collective collective,
                     const struct hd_collective_shape *shape)
{
  if (!is_possible(i, collective, shape->members))
    return false;
  const enum hd_method_needs needs = methods[i].info.needs;
  return has_nothing_to_send(collective, shape) ||
         ((needs != HD_NEEDS_ROUTES || shape->schedule_steps) &&
          (needs != HD_NEEDS_BOX || shape->coded_steps) &&
          (needs != HD_NEEDS_BARRIERS || (shape->values && shape->alpha > 0)) &&
          (needs != HD_NEEDS_TREES || (shape->cast_bytes && shape->beta > 0)));
}

bool hd_method_known(enum hd_collective collective, enum hd_algorithm algorithm,
                     const struct hd_collective_shape *shape)
{
  return is_known(find_method(collective, algorithm), collective, shape);
}

double hd_method_cycles(enum hd_collective collective, enum hd_algorithm algorithm,
                        const struct hd_collective_shape *shape)
{
  return cycles_of(find_method(collective, algorithm), shape);
}

double hd_collective_least_cycles(enum hd_collective collective,
                                  const struct hd_collective_shape *shape)
{
  struct variables of = variables_of(collective, shape);
  struct cost least = least_cost(collective, &of);
  double latency = least.steps * shape->alpha, port = shape->alpha + least.bytes * shape->beta;
  if (has_nothing_to_send(collective, shape))
    return 0;
  return latency > port ? latency : port;
}

enum hd_algorithm hd_method_choose(enum hd_collective collective,
                                   const struct hd_collective_shape *shape)
{
  double least = INFINITY;
  for (unsigned i = 0; i < METHODS; i++)
    if (is_known(i, collective, shape))
      least = fmin(least, cycles_of(i, shape));
  for (unsigned i = 0; i < METHODS; i++)
    if (is_known(i, collective, shape) && cycles_of(i, shape) <= HD_CHOICE_PERCENT / 100.0 * least)
      return methods[i].info.algorithm;
  return HD_ALGORITHM_AUTO;
}

/* ── operators ─────────────────────────────────────────────────────────────── */

#define OPERATOR(name_, text, type, result)                                  \
  static void combine_##name_(void *into, const void *from, size_t elements) \
  {                                                                          \
    unsigned char *to = into;                                                \
    const unsigned char *by = from;                                          \
    for (; elements; elements--, to += sizeof(type), by += sizeof(type)) {   \
      type a, b;                                                             \
      memcpy(&a, to, sizeof a);                                              \
      memcpy(&b, by, sizeof b);                                              \
      a = (type)(result);                                                    \
      memcpy(to, &a, sizeof a);                                              \
    }                                                                        \
  }                                                                          \
  const struct hd_operator hd_operator_##name_ = {text, sizeof(type), combine_##name_};
HD_OPERATOR_LIST(OPERATOR)
#undef OPERATOR

const struct hd_operator *hd_operator_at(unsigned i)
{
#define POINTER(name, ...) &hd_operator_##name,
  static const struct hd_operator *const operators[] = {HD_OPERATOR_LIST(POINTER)};
#undef POINTER
  return i < sizeof operators / sizeof *operators ? operators[i] : NULL;
}
