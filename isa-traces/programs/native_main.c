/* Runs a kernel on the build machine. Recorded runs must have the same exit status. */
#include "kernel.h"
int main(void) { return (int)kernel(); }
