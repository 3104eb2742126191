// Linked into the programs that the thread sanitizer checks.
//
// The slow path of Swift's Mutex is in a library of the toolchain that is not instrumented: without these two functions,
// which are called in its place, the sanitizer does not see a lock that a thread had to wait for, and reports whatever
// the lock protects.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);
const char *__tsan_default_options(void);

typedef __attribute__((swiftcall)) void lock(uint32_t thread, __attribute__((swift_context)) void *mutex);
typedef __attribute__((swiftcall)) void unlock(__attribute__((swift_context)) void *mutex);

// Synchronization._MutexHandle._lockSlow(UInt32) and _unlockSlow()
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
lock lock_slowly __asm__(LOCK);
unlock unlock_slowly __asm__(UNLOCK);

static void *original(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found == NULL) abort();
  return found;
}

__attribute__((swiftcall)) void lock_slowly(uint32_t thread, __attribute__((swift_context)) void *mutex) {
  ((lock *)original(LOCK))(thread, mutex);
  __tsan_acquire(mutex);
}

__attribute__((swiftcall)) void unlock_slowly(__attribute__((swift_context)) void *mutex) {
  __tsan_release(mutex);
  ((unlock *)original(UNLOCK))(mutex);
}

// The tests start programs with an environment of their own, so the options are not in TSAN_OPTIONS. Reports go to files
// REPORTS.PROCESS. A program with a report has an exit status that no command has.
const char *__tsan_default_options(void) {
  return "log_path=" REPORTS " exitcode=66 atexit_sleep_ms=0 second_deadlock_stack=1 history_size=4";
}
