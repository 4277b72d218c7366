/* The studies of heddle study, one for each paper.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_STUDIES_H
#define HD_STUDIES_H

/** Each reads its options from argv[1] on, and returns as hd_study_main does. */
int hd_study_barrier(int argc, char **argv);
int hd_study_mton(int argc, char **argv);
int hd_study_fattree(int argc, char **argv);
int hd_study_schedules(int argc, char **argv);
int hd_study_coding(int argc, char **argv);

#endif
