/* The synopses of libpfm_itanium2(3) and libpfm_montecito(3): every function has the printed type, and a program may
 * include both headers. Compiled as C99. */
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_itanium2.h>
#include <perfmon/pfmlib_montecito.h>

typedef int kind(unsigned int i);
typedef int number(unsigned int i, int* value);

/* Returns how many functions of the two pages are there. */
int prototypes_of_the_pages(void) {
  static kind* const ita2_kinds[] = {
      pfm_ita2_is_ear,       pfm_ita2_is_dear,      pfm_ita2_is_dear_tlb,  pfm_ita2_is_dear_cache,
      pfm_ita2_is_dear_alat, pfm_ita2_is_iear,      pfm_ita2_is_iear_tlb,  pfm_ita2_is_iear_cache,
      pfm_ita2_is_btb,       pfm_ita2_support_opcm, pfm_ita2_support_iarr, pfm_ita2_support_darr,
  };
  static number* const ita2_numbers[] = {pfm_ita2_get_event_group, pfm_ita2_get_event_set};
  int (*const ita2_maxincr)(unsigned int i, unsigned int* maxincr) = pfm_ita2_get_event_maxincr;
  int (*const ita2_umask)(unsigned int i, unsigned long* umask) = pfm_ita2_get_event_umask;
  int (*const ita2_ear_mode)(unsigned int i, pfmlib_ita2_ear_mode_t* mode) = pfm_ita2_get_ear_mode;
  int (*const ita2_fine)(pfmlib_output_param_t * outp, pfmlib_ita2_output_param_t * mod_out) = pfm_ita2_irange_is_fine;
  static kind* const mont_kinds[] = {
      pfm_mont_is_ear,       pfm_mont_is_dear,      pfm_mont_is_dear_tlb,  pfm_mont_is_dear_cache,
      pfm_mont_is_dear_alat, pfm_mont_is_iear,      pfm_mont_is_iear_tlb,  pfm_mont_is_iear_cache,
      pfm_mont_is_etb,       pfm_mont_support_opcm, pfm_mont_support_iarr, pfm_mont_support_darr,
  };
  static number* const mont_numbers[] = {pfm_mont_get_event_group, pfm_mont_get_event_set, pfm_mont_get_event_type};
  int (*const mont_maxincr)(unsigned int i, unsigned int* maxincr) = pfm_mont_get_event_maxincr;
  int (*const mont_umask)(unsigned int i, unsigned long* umask) = pfm_mont_get_event_umask;
  int (*const mont_ear_mode)(unsigned int i, pfmlib_mont_ear_mode_t* mode) = pfm_mont_get_ear_mode;
  int (*const mont_fine)(pfmlib_output_param_t * outp, pfmlib_mont_output_param_t * mod_out) = pfm_mont_irange_is_fine;
  int functions = 0;
  functions += (int)(sizeof ita2_kinds / sizeof *ita2_kinds + sizeof ita2_numbers / sizeof *ita2_numbers);
  functions += (ita2_maxincr != 0) + (ita2_umask != 0) + (ita2_ear_mode != 0) + (ita2_fine != 0);
  functions += (int)(sizeof mont_kinds / sizeof *mont_kinds + sizeof mont_numbers / sizeof *mont_numbers);
  functions += (mont_maxincr != 0) + (mont_umask != 0) + (mont_ear_mode != 0) + (mont_fine != 0);
  return functions;
}
