// The content of a directory, in memory: it is restored before each run and compared after it.
#ifndef TREE_H
#define TREE_H

#include <stddef.h>
#include <sys/types.h>

struct entry {
  char *path;  // below the root
  mode_t mode;
  char *bytes;  // of a file, or the target of a link
  size_t size;
};

struct tree {
  struct entry *entries;  // sorted by path
  size_t count;
};

struct tree tree_read(const char *root);
void tree_write(const struct tree *tree, const char *root);
void tree_free(struct tree *tree);
const struct entry *tree_find(const struct tree *tree, const char *path);
int entry_equal(const struct entry *a, const struct entry *b);
int tree_equal(const struct tree *a, const struct tree *b);
// Removes everything in the folder.
void empty_folder(const char *path);

#endif
