/* Makes functions of a loaded shared object call each other, even if other objects have functions of the same names.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The loader binds a call of a function that is not static to the first one of that name: in
 * heddle, then in the libraries of heddle, then in the object itself. So a call of users' own
 * send() would reach that of libc, one of their crc32() that of zlib.
 */
#ifndef HD_OWN_SYMBOLS_H
#define HD_OWN_SYMBOLS_H

/** Binds symbols that an object of dlopen defines and uses to its own definitions, as a linker
 *  does with -Bsymbolic. malloc and its family stay those of the process, because memory crosses
 *  the contract. Weak definitions stay as they are, because C++ needs one of each in a process.
 *  The object's initialisers have run before this. Does nothing on machines other than x86-64
 *  and AArch64. */
void hd_own_symbols_bind(void *handle);

#endif
