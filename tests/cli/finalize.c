/* Replaces MPI_Finalize by one in which a rank dies. It is loaded by LD_PRELOAD.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rank FINALIZE_KILLS is killed when it calls MPI_Finalize. The other ranks wait for ever, as in Open MPI when a rank
 * dies while the others wait for it.
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
