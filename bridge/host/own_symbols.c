/* Makes a loaded object use its own symbols where the loader has bound others of the same name.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "own_symbols.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined __x86_64__
enum { FULL_ADDRESS = R_X86_64_64, DATA_SLOT = R_X86_64_GLOB_DAT, CALL_SLOT = R_X86_64_JUMP_SLOT };
#elif defined __aarch64__
enum { FULL_ADDRESS = R_AARCH64_ABS64, DATA_SLOT = R_AARCH64_GLOB_DAT };
enum { CALL_SLOT = R_AARCH64_JUMP_SLOT };
#else
enum { FULL_ADDRESS = -1, DATA_SLOT = -1, CALL_SLOT = -1 };
#endif

static const char *const of_the_process[] = {"malloc",
                                             "calloc",
                                             "realloc",
                                             "reallocarray",
                                             "free",
                                             "aligned_alloc",
                                             "memalign",
                                             "posix_memalign",
                                             "valloc",
                                             "pvalloc",
                                             "malloc_usable_size",
                                             NULL};

/* A loaded object, read from its dynamic section and its segments. */
struct object {
  uintptr_t base; /* addresses in the tables are relative to it */
  const ElfW(Sym) * symbols;
  const char *names;
  const ElfW(Rela) * relocations[2]; /* of data, of calls */
  size_t n[2];
  bool in_code; /* machine code has relocations, too; then nothing is changed */
  uintptr_t read_only,
      /* Pages that the loader made read-only after its own relocations */
      read_only_end;
};

static void read_dynamic(struct object *o, const struct link_map *map)
{
  for (const ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL; d++) {
    const void *at = (const void *)d->d_un.d_ptr; /* the loader has changed it from an offset to
                                                     an address */
    switch (d->d_tag) {
    case DT_SYMTAB:
      o->symbols = at;
      break;
    case DT_STRTAB:
      o->names = at;
      break;
    case DT_RELA:
      o->relocations[0] = at;
      break;
    case DT_RELASZ:
      o->n[0] = d->d_un.d_val / sizeof(ElfW(Rela));
      break;
    case DT_JMPREL:
      o->relocations[1] = at;
      break;
    case DT_PLTRELSZ:
      o->n[1] = d->d_un.d_val / sizeof(ElfW(Rela));
      break;
    case DT_TEXTREL:
      o->in_code = true;
      break;
    default:
      break;
    }
  }
}

static void read_segments(struct object *o, const struct link_map *map, uintptr_t page)
{
  Dl_info info;
  if (!dladdr(map->l_ld, &info))
    return;
  const unsigned char *file = info.dli_fbase;
  ElfW(Ehdr) head;
  memcpy(&head, file, sizeof head);
  for (size_t i = 0; i < head.e_phnum; i++) {
    ElfW(Phdr) segment;
    memcpy(&segment, file + head.e_phoff + i * sizeof segment, sizeof segment);
    if (segment.p_type != PT_GNU_RELRO)
      continue;
    o->read_only = (o->base + segment.p_vaddr) / page * page;
    o->read_only_end = (o->base + segment.p_vaddr + segment.p_memsz) / page * page;
  }
}

static bool is_own(const struct object *o, const ElfW(Sym) * symbol)
{
  const unsigned type = symbol->st_info & 0xf, binding = symbol->st_info >> 4;
  if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx == SHN_ABS || binding != STB_GLOBAL ||
      (type != STT_FUNC && type != STT_OBJECT))
    return false;
  for (const char *const *name = of_the_process; *name; name++)
    if (!strcmp(*name, o->names + symbol->st_name))
      return false;
  return true;
}

static void write_slot(const struct object *o, uintptr_t slot, uintptr_t value, uintptr_t page)
{
  const uintptr_t begin = slot / page * page;
  const bool read_only = begin >= o->read_only && begin < o->read_only_end;
  if (slot + sizeof value > begin + page ||
      (read_only && mprotect((void *)begin, page, PROT_READ | PROT_WRITE)))
    return;
  memcpy((void *)slot, &value, sizeof value);
  if (read_only)
    mprotect((void *)begin, page, PROT_READ);
}

void hd_own_symbols_bind(void *handle)
{
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  struct link_map *map = NULL;
  struct object o = {0};
  if (FULL_ADDRESS < 0 || dlinfo(handle, RTLD_DI_LINKMAP, &map))
    return;
  o.base = map->l_addr;
  read_dynamic(&o, map);
  read_segments(&o, map, page);
  for (unsigned list = 0; list < 2 && !o.in_code; list++)
    for (size_t i = 0; i < o.n[list]; i++) {
      const ElfW(Rela) *r = &o.relocations[list][i];
      const ElfW(Sym) *symbol = &o.symbols[ELF64_R_SYM(r->r_info)];
      const int type = (int)ELF64_R_TYPE(r->r_info);
      const uintptr_t slot = o.base + r->r_offset;
      if ((type != FULL_ADDRESS && type != DATA_SLOT && type != CALL_SLOT) || !is_own(&o, symbol))
        continue;
      const uintptr_t own =
          o.base + symbol->st_value + (type == CALL_SLOT ? 0 : (uintptr_t)r->r_addend);
      uintptr_t bound;
      memcpy(&bound, (const void *)slot, sizeof bound);
      if (bound != own)
        write_slot(&o, slot, own, page);
    }
}
