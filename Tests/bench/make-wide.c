// Prints a JSON array of ROWS objects with COLUMNS members each, or with one argument a JSON array whose one element is a
// string of SIZE megabytes with an escape in every third byte.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc == 2) {
    printf("[\"");
    for (long left = atol(argv[1]) * 1000000 / 3; left > 0; left--) fputs("\\\"a", stdout);
    puts("\"]");
    return 0;
  }
  if (argc != 3) return 2;
  int rows = atoi(argv[1]), columns = atoi(argv[2]);
  for (int row = 0; row < rows; row++) {
    fputs(row ? ",\n{" : "[{", stdout);
    for (int column = 0; column < columns; column++)
      printf("%s\"column%d\":%d", column ? "," : "", column, (row * 31 + column) % 1000);
    putchar('}');
  }
  puts("]");
  return 0;
}
