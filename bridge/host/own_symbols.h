/* A loaded shared object whose functions call each other, whatever their names are.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The loader binds a call of a function that is not static to the first one of that name: in heddle, then in libraries
 * that it is linked with, then in the object itself. Users' send() would be libc's, their crc32() zlib's.
 */
#ifndef HD_OWN_SYMBOLS_H
#define HD_OWN_SYMBOLS_H

/** Binds what the object of dlopen defines and refers to itself to its own definitions, as a linker does with
 *  -Bsymbolic. Functions of malloc stay the process's, because memory crosses the contract. Weak definitions stay as
 *  they are: C++ has one of each in a process. The initialisers of the object have run before. On machines other than
 *  x86-64 and AArch64 nothing is changed. */
void hd_own_symbols_bind(void *handle);

#endif
