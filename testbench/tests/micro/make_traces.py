#!/usr/bin/env python3
# Regenerates traces/<target>/*.txt; with --check compares them instead. Needs Debian's binutils-powerpc-linux-gnu, binutils-i686-linux-gnu,
# binutils-ia64-linux-gnu and binutils-alpha-linux-gnu.
import pathlib

import alpha_programs
import athlon_programs
import itanium2_more_programs
import itanium2_programs
import itanium2_rare_programs
import montecito_programs
import montecito_rows_programs
import montecito_thread_programs
import ppc750gx_programs
import trace_text



def make(traces):
    trace_text.write_all(traces / "ppc750gx", "ppc", ppc750gx_programs.PROGRAMS)
    trace_text.write_all(traces / "athlon", "i386", athlon_programs.PROGRAMS)
    trace_text.write_all(traces / "itanium2", "ia64",
                         itanium2_programs.PROGRAMS | itanium2_more_programs.PROGRAMS | itanium2_rare_programs.PROGRAMS)
    trace_text.write_all(traces / "montecito", "ia64", montecito_programs.PROGRAMS | montecito_thread_programs.PROGRAMS |
                         montecito_rows_programs.PROGRAMS)
    trace_text.write_all(traces / "alpha", "alpha", alpha_programs.PROGRAMS)


trace_text.write_or_check(pathlib.Path(__file__).resolve().parent / "traces", make)
