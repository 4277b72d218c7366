/* The clock that measures durations.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CLOCK_H
#define HD_CLOCK_H

/** Returns the seconds of the machine's monotonic clock. Only differences mean something: the
 *  clock begins anywhere, and no change of the date moves it. Any thread and any signal handler
 *  may call this. */
double hd_seconds_now(void);

#endif
