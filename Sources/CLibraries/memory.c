#include "CLibraries.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void hw_keep_memory(size_t size) {
#ifdef __GLIBC__
  // Larger blocks have pages of their own, which go back with them.
  mallopt(M_MMAP_THRESHOLD, (int)size / 4);
  mallopt(M_TRIM_THRESHOLD, (int)size);
#else
  (void)size;
#endif
}
