// The reference for `hw wordle hint`: every guess against every word, as the rule says it.
// hint-plain make N SEED            writes N different words of five letters
// hint-plain WORDS GUESSES THREADS  writes the ten best guesses and what they leave, as hw does with --tsv
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 5, PATTERNS = 243 };
typedef struct { char text[LENGTH + 1]; long sum; int fits; } Word;
static Word *words, *guesses;
static size_t word_count, guess_count;

static int pattern(const char *guess, const char *word) {
  static const int powers[LENGTH] = {1, 3, 9, 27, 81};
  int left[26] = {0}, code = 0;
  for (int i = 0; i < LENGTH; i++) {
    if (guess[i] == word[i]) code += 2 * powers[i];
    else left[word[i] - 'a']++;
  }
  for (int i = 0; i < LENGTH; i++) {
    if (guess[i] != word[i] && left[guess[i] - 'a'] > 0) {
      code += powers[i];
      left[guess[i] - 'a']--;
    }
  }
  return code;
}

static Word *read_words(const char *name, size_t *count) {
  FILE *file = fopen(name, "r");
  if (!file) { perror(name); exit(1); }
  Word *list = NULL;
  size_t room = 0;
  char line[64];
  *count = 0;
  while (fgets(line, sizeof line, file)) {
    if (*count == room) list = realloc(list, (room = room * 2 + 1024) * sizeof *list);
    memset(&list[*count], 0, sizeof *list);
    memcpy(list[(*count)++].text, line, LENGTH);
  }
  fclose(file);
  return list;
}

typedef struct { size_t first, end; } Part;
static void *rate(void *argument) {
  Part *part = argument;
  for (size_t g = part->first; g < part->end; g++) {
    int counts[PATTERNS] = {0};
    for (size_t w = 0; w < word_count; w++) counts[pattern(guesses[g].text, words[w].text)]++;
    for (int i = 0; i < PATTERNS; i++) guesses[g].sum += (long)counts[i] * counts[i];
  }
  return NULL;
}

static int by_text(const void *a, const void *b) { return strcmp(((Word *)a)->text, ((Word *)b)->text); }
static int by_rank(const void *a, const void *b) {
  const Word *x = a, *y = b;
  if (x->sum != y->sum) return x->sum < y->sum ? -1 : 1;
  return x->fits != y->fits ? y->fits - x->fits : strcmp(x->text, y->text);
}

static void make(size_t count, unsigned long long state) {
  static const char letters[] = "eeeaaarrriiioootttnnnssslllccuuddppmmhhggbbffyywwkkvxzjq";
  char *seen = calloc(26 * 26 * 26 * 26 * 26, 1);
  while (count > 0) {
    char word[LENGTH + 1] = {0};
    long key = 0;
    for (int i = 0; i < LENGTH; i++) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      word[i] = letters[(state >> 33) % (sizeof letters - 1)];
      key = key * 26 + word[i] - 'a';
    }
    if (seen[key]) continue;
    seen[key] = 1;
    puts(word);
    count--;
  }
  free(seen);
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  if (strcmp(arguments[1], "make") == 0) {
    make(strtoul(arguments[2], NULL, 10), strtoull(arguments[3], NULL, 10));
    return 0;
  }
  words = read_words(arguments[1], &word_count);
  guesses = read_words(arguments[2], &guess_count);
  int threads = atoi(arguments[3]);
  pthread_t ids[64];
  Part parts[64];
  if (threads < 1 || threads > 64) return 2;
  for (int i = 0; i < threads; i++) {
    parts[i] = (Part){guess_count * i / threads, guess_count * (i + 1) / threads};
    pthread_create(&ids[i], NULL, rate, &parts[i]);
  }
  for (int i = 0; i < threads; i++) pthread_join(ids[i], NULL);
  qsort(words, word_count, sizeof *words, by_text);
  for (size_t g = 0; g < guess_count; g++)
    guesses[g].fits = bsearch(&guesses[g], words, word_count, sizeof *words, by_text) != NULL;
  qsort(guesses, guess_count, sizeof *guesses, by_rank);
  for (size_t g = 0; g < guess_count && g < 10; g++) {
    long parts = (guesses[g].sum * 20000 + (long)word_count) / (2 * (long)word_count);
    char text[32];
    int end = snprintf(text, sizeof text, "%ld.%04ld", parts / 10000, parts % 10000);
    while (text[end - 1] == '0') text[--end] = 0;
    if (text[end - 1] == '.') text[--end] = 0;
    printf("%s\t%s\n", guesses[g].text, text);
  }
  return 0;
}
