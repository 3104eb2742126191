// What a C programmer writes first: a line of five and five letters in, a row of tiles out, through stdio's blocks.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { letters = 5, line = 2 * letters + 2 };

static const char *const marks[] = {"\u2b1b", "\U0001f7e8", "\U0001f7e9"};

int main(void) {
  static char in[line * 8192];
  static char out[8192 * (letters * 4 + 1)];
  size_t lines;
  while ((lines = fread(in, line, sizeof in / line, stdin)) > 0) {
    char *end = out;
    for (size_t n = 0; n < lines; n++) {
      const char *guess = in + n * line, *word = guess + letters + 1;
      int tiles[letters] = {0}, left[26] = {0};
      for (int i = 0; i < letters; i++) {
        if (!isalpha((unsigned char)guess[i]) || !isalpha((unsigned char)word[i])) return 2;
        if (tolower((unsigned char)guess[i]) == tolower((unsigned char)word[i]))
          tiles[i] = 2;
        else
          left[tolower((unsigned char)word[i]) - 'a']++;
      }
      for (int i = 0; i < letters; i++)
        if (tiles[i] == 0 && left[tolower((unsigned char)guess[i]) - 'a'] > 0) {
          left[tolower((unsigned char)guess[i]) - 'a']--;
          tiles[i] = 1;
        }
      for (int i = 0; i < letters; i++) {
        size_t size = strlen(marks[tiles[i]]);
        memcpy(end, marks[tiles[i]], size);
        end += size;
      }
      *end++ = '\n';
    }
    if (fwrite(out, 1, (size_t)(end - out), stdout) != (size_t)(end - out)) return 10;
  }
  return fflush(stdout) != 0 || ferror(stdin);
}
