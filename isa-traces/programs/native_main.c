/* Runs a kernel on the build machine: its exit status is what every recorded run has to show. */
#include "kernel.h"
int main(void) { return (int)kernel(); }
