#define _GNU_SOURCE
#include "tree.h"

#include <dirent.h>
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *joined(const char *folder, const char *name) {
  char *path;
  if (asprintf(&path, *folder ? "%s/%s" : "%s%s", folder, name) < 0) err(2, "memory");
  return path;
}

static int is_dots(const char *name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

static void read_bytes(struct entry *entry, const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) err(2, "cannot open %s", path);
  struct stat facts;
  fstat(file, &facts);
  entry->bytes = malloc((size_t)facts.st_size + 1);
  for (ssize_t count = 1; count > 0 && entry->size < (size_t)facts.st_size; entry->size += (size_t)count)
    if ((count = read(file, entry->bytes + entry->size, (size_t)facts.st_size - entry->size)) < 0)
      err(2, "cannot read %s", path);
  close(file);
}

static void collect(struct tree *tree, const char *root, const char *below) {
  char *folder = *below ? joined(root, below) : strdup(root);
  DIR *directory = opendir(folder);
  for (struct dirent *item; directory != NULL && (item = readdir(directory)) != NULL;) {
    if (is_dots(item->d_name)) continue;
    char *path = joined(folder, item->d_name);
    struct stat facts;
    if (lstat(path, &facts) == 0) {
      tree->entries = realloc(tree->entries, (tree->count + 1) * sizeof *tree->entries);
      struct entry *entry = &tree->entries[tree->count++];
      *entry = (struct entry){.path = joined(below, item->d_name), .mode = facts.st_mode};
      if (S_ISREG(facts.st_mode)) read_bytes(entry, path);
      if (S_ISLNK(facts.st_mode)) {
        entry->bytes = calloc(1, 4096);
        entry->size = (size_t)readlink(path, entry->bytes, 4095);
      }
      if (S_ISDIR(facts.st_mode)) {
        char *inner = strdup(entry->path);
        collect(tree, root, inner);
        free(inner);
      }
    }
    free(path);
  }
  if (directory != NULL) closedir(directory);
  free(folder);
}

static int by_path(const void *a, const void *b) {
  return strcmp(((const struct entry *)a)->path, ((const struct entry *)b)->path);
}

struct tree tree_read(const char *root) {
  struct tree tree = {0};
  collect(&tree, root, "");
  if (tree.count > 0) qsort(tree.entries, tree.count, sizeof *tree.entries, by_path);
  return tree;
}

void tree_write(const struct tree *tree, const char *root) {
  empty_folder(root);
  for (size_t i = 0; i < tree->count; i++) {
    const struct entry *entry = &tree->entries[i];
    char *path = joined(root, entry->path);
    if (S_ISDIR(entry->mode)) {
      if (mkdir(path, entry->mode & 0777) != 0) err(2, "cannot make %s", path);
    } else if (S_ISLNK(entry->mode)) {
      if (symlink(entry->bytes, path) != 0) err(2, "cannot link %s", path);
    } else if (S_ISREG(entry->mode)) {
      int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, entry->mode & 0777);
      if (file < 0 || write(file, entry->bytes, entry->size) != (ssize_t)entry->size)
        err(2, "cannot write %s", path);
      close(file);
    }
    free(path);
  }
}

void tree_free(struct tree *tree) {
  for (size_t i = 0; i < tree->count; i++) {
    free(tree->entries[i].path);
    free(tree->entries[i].bytes);
  }
  free(tree->entries);
  *tree = (struct tree){0};
}

const struct entry *tree_find(const struct tree *tree, const char *path) {
  const struct entry wanted = {.path = (char *)path};
  if (tree->count == 0) return NULL;
  return bsearch(&wanted, tree->entries, tree->count, sizeof *tree->entries, by_path);
}

int entry_equal(const struct entry *a, const struct entry *b) {
  if (a == NULL || b == NULL) return a == b;
  return a->mode == b->mode && a->size == b->size && (a->size == 0 || memcmp(a->bytes, b->bytes, a->size) == 0);
}

int tree_equal(const struct tree *a, const struct tree *b) {
  if (a->count != b->count) return 0;
  for (size_t i = 0; i < a->count; i++)
    if (strcmp(a->entries[i].path, b->entries[i].path) != 0 || !entry_equal(&a->entries[i], &b->entries[i]))
      return 0;
  return 1;
}

void empty_folder(const char *path) {
  DIR *directory = opendir(path);
  for (struct dirent *item; directory != NULL && (item = readdir(directory)) != NULL;) {
    if (is_dots(item->d_name)) continue;
    char *inner = joined(path, item->d_name);
    struct stat facts;
    if (lstat(inner, &facts) == 0 && S_ISDIR(facts.st_mode)) {
      chmod(inner, 0700);
      empty_folder(inner);
      rmdir(inner);
    } else {
      unlink(inner);
    }
    free(inner);
  }
  if (directory != NULL) closedir(directory);
}
