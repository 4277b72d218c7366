/* An MPI program for the test of the recorder (test_record.sh), which knows what each rank sends and receives.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <mpi.h>

int main(int argc, char **argv)
{
  enum { N = 1000, TAG = 5 };
  static char out[N], in[2][N];
  int rank, n, sum, counts[64], at[64], two = 2;
  MPI_Comm half;
  MPI_Request requests[4];
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  const int next = (rank + 1) % n, last = (rank + n - 1) % n;
  MPI_Irecv(in[0], N, MPI_CHAR, last, TAG, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(in[1], N, MPI_CHAR, next, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(out, N, MPI_CHAR, next, TAG, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(out, 100 + rank, MPI_CHAR, last, TAG + 1, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 1; i < n && !rank; i++)
    MPI_Recv(in[0], N, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  if (rank)
    MPI_Send(out, 10 * rank, MPI_CHAR, 0, rank, MPI_COMM_WORLD);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Bcast(out, 300, MPI_CHAR, 0, half);
  for (int i = 0; i < n; i++)
    counts[i] = i + 1, at[i] = i * (i + 1) / 2;
  MPI_Allgatherv(out, rank + 1, MPI_CHAR, in[0], counts, at, MPI_CHAR, MPI_COMM_WORLD);
  MPI_Sendrecv(&two, 1, MPI_INT, next, 1, &sum, 1, MPI_INT, last, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return two - sum;
}
