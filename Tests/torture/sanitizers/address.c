// Linked into the programs that the address sanitizer checks: its options, and those of the check for undefined behavior.
// The tests start programs with an environment of their own, so they are not in ASAN_OPTIONS. Reports go to files
// REPORTS.PROCESS. A program with a report has an exit status that no command has.
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);
const char *__lsan_default_suppressions(void);

const char *__asan_default_options(void) { return "log_path=" REPORTS " exitcode=66 detect_leaks=1"; }

const char *__ubsan_default_options(void) { return "log_path=" REPORTS " print_stacktrace=1"; }

// Swift keeps bits of its own in some pointers, which the leak detector then does not recognize.
const char *__lsan_default_suppressions(void) {
  return
    // The header of an object with weak references holds the shifted address of their table.
    "leak:formWeakReference\n"
    // Static values, which are made once and never freed: in an enumeration the case is in the pointer.
    "leak:swift::threading_impl::once_slow\n";
}
