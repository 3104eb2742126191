// Prints a JSON array of node records, SIZE megabytes of it, the same ones every time.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state = 88172645463325252u;

static unsigned below(unsigned limit) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (unsigned)((state >> 32) * limit >> 32);
}

static const char *const locales[] = {"de", "en", "es", "fr", "ja", "pt-BR", "ru", "zh-CN"};
static const char *const countries[] = {"Vereinigte Staaten", "United States", "Estados Unidos", "États Unis",
                                        "アメリカ",           "EUA",           "США",            "美国"};
static const char *const cities[] = {"Ashburn",      "Ashburn", "Ashburn", "Ashburn",
                                     "アッシュバーン", "Ashburn", "Ашберн",  "阿什本"};
static const char *const aliases[] = {"Bitrefill",     "WalletOfSatoshi.com", "⚡ zap ⚡",      "river financial 1",
                                      "a \\\"quoted\\\" one", "tab\\there",   "trailing space ", "\\u20bfitcoin caf\\u00e9",
                                      "back\\\\slash"};

static long localised(const char *name, const char *const *values) {
  long size = printf(",\"%s\":{", name);
  for (int i = 0; i < 8; i++) size += printf("%s\"%s\":\"%s\"", i ? "," : "", locales[i], values[i]);
  return size + printf("}");
}

int main(int argc, char **argv) {
  long limit = (argc > 1 ? atol(argv[1]) : 25) * 1000000;
  long size = printf("[");
  for (long n = 0; size < limit; n++) {
    size += printf("%s{\"publicKey\":\"0%u", n ? ",\n" : "", 2 + below(2));
    for (int i = 0; i < 8; i++) size += printf("%08x", below(0xFFFFFFFFu));
    size += printf("\",\"alias\":\"%s %ld\",\"channels\":%u,\"capacity\":%lu", aliases[below(9)], n, below(3000),
                   (unsigned long)below(4000000000u) * 20);
    size += printf(",\"firstSeen\":%u,\"updatedAt\":", 1500000000 + below(200000000));
    size += below(10) ? printf("%u", 1700000000 + below(50000000)) : printf("null");
    size += localised("city", cities) + localised("country", countries);
    size += printf(",\"iso_code\":\"US\",\"subdivision\":null}");
  }
  printf("]\n");
  return fflush(stdout) != 0;
}
