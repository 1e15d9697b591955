# The collections of hand-written traces: the micro-traces of each target (`alpha` for all five), whose counts are arithmetic
# (testbench/tests/micro), and the traces of single questions. scripts/record-traces writes and compares them.
import shutil

import alpha_programs
import assembly
import athlon_programs
import itanium2_more_programs
import itanium2_programs
import itanium2_rare_programs
import montecito_programs
import montecito_rows_programs
import montecito_thread_programs
import ppc750gx_programs
import question_programs

# File below isa-traces/, instruction set, programs.
FAMILIES = [
    ("micro/alpha.pmt", "alpha", alpha_programs.PROGRAMS),
    ("micro/athlon.pmt", "i386", athlon_programs.PROGRAMS),
    ("micro/itanium2.pmt", "ia64",
     itanium2_programs.PROGRAMS | itanium2_more_programs.PROGRAMS | itanium2_rare_programs.PROGRAMS),
    ("micro/montecito.pmt", "ia64",
     montecito_programs.PROGRAMS | montecito_thread_programs.PROGRAMS | montecito_rows_programs.PROGRAMS),
    ("micro/ppc750gx.pmt", "ppc", ppc750gx_programs.PROGRAMS),
    ("questions/ia64.pmt", "ia64", question_programs.PROGRAMS),
]


def missing_tools():
    """The assemblers that are not installed."""
    tools = [prefix + "-as" for prefix, _, _ in assembly.Assembler.TOOLS.values()]
    return [tool for tool in tools if shutil.which(tool) is None]


def make():
    """Yields each collection: its file, the number of its traces, its bytes."""
    for file, isa, programs in FAMILIES:
        yield file, len(programs), assembly.pack(isa, programs)
