/* Functions that GCC may call implicitly. */
typedef __SIZE_TYPE__ size;

void* memcpy(void* to, const void* from, size count) {
  char* t = to;
  const char* f = from;
  while (count--) *t++ = *f++;
  return to;
}

void* memset(void* to, int value, size count) {
  char* t = to;
  while (count--) *t++ = (char)value;
  return to;
}
