/* The main function of test programs that have none of their own.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "test.h"

int main(void)
{
  return tests_run(NULL, NULL);
}
