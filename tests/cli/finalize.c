/* An end of MPI at which a rank dies: to be loaded before all else (LD_PRELOAD).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rank FINALIZE_KILLS is killed when it ends MPI. The others wait for it without end, as those of Open MPI do when it dies
 * while they are waiting.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int MPI_Finalize(void);

int MPI_Finalize(void)
{
  const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *who = getenv("FINALIZE_KILLS");
  if (rank && who && !strcmp(rank, who))
    raise(SIGKILL);
  for (;;)
    pause();
}
