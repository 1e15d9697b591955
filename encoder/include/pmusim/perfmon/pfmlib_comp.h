/* Compiler-dependent parts of the interface. */
#ifndef __PFMLIB_COMP_H__
#define __PFMLIB_COMP_H__

/** Number of bits set in `value`. */
static inline unsigned long pfmlib_popcnt(unsigned long value) { return (unsigned long)__builtin_popcountl(value); }

#endif /* __PFMLIB_COMP_H__ */
