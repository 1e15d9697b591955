/* The functions that program.c calls, as in a libpfm.so.3 that knows no processor: every call fails. */
int pfm_initialize(void) { return -3; }
int pfm_force_pmu(int type) { return type < 0 ? -2 : -1; }
int pfm_get_pmu_type(int *type) { return type == 0 ? -2 : -3; }
int pfm_get_num_counters(unsigned int *number) { return number == 0 ? -2 : -3; }
int pfm_find_event(const char *name, unsigned int *index) { return name == 0 || index == 0 ? -2 : -4; }
int pfm_dispatch_events(void *in, void *model_in, void *out, void *model_out) {
  return in == 0 || model_in == out || model_out == in ? -2 : -5;
}
char *pfm_strerror(int code) {
  static char text[] = "nothing";
  return text + code % 2;
}
