# The software of the platform's core: a driver of the PMU at kernel level, and a program to measure at user level. The
# driver's register accesses are in tables that the loader fills in (platform.cpp), so that it is independent of the
# target. The handler uses $16 to $29 and the program $1 to $15: neither saves registers.
#
#   alpha-linux-gnu-as software.s -o software.o && alpha-linux-gnu-objcopy -O binary -j .text software.o software.bin
        .set noat
        .set noreorder

turns = 0x4000                          # iterations of the program's loop
word = 0x4008                           # the program's data
log = 0x4010                            # next address of the handler's log
interrupts = 0x4018                     # number of interrupts
start_table = 0x4100                    # rows of address, value, form; form 0 ends
stop_table = 0x5000
read_table = 0x5200                     # rows of address, form
results = 0x5400                        # counters at the end
stack = 0x6000
log_area = 0x6000                       # for each interrupt: address of the next instruction, counters
log_end = 0x7f00
program = 0x400

        .text
reset:  br      $31, boot

        .org    0x100                   # entry: interrupt. PC and PS are on the stack.
        ldah    $16, 2($31)             # the interrupt controller
        ldl     $17, 0($16)             # PENDING
        stl     $17, 8($16)             # ACKNOWLEDGE
        ldq     $17, interrupts($31)
        addq    $17, 1, $17
        stq     $17, interrupts($31)
        ldq     $28, log($31)
        ldq     $17, 0($30)
        stq     $17, 0($28)
        lda     $28, 8($28)
        bsr     $26, read_counters
        lda     $17, log_end($31)
        cmpult  $28, $17, $17
        beq     $17, full               # the log is full: the last entry is overwritten
        stq     $28, log($31)
full:   lda     $16, start_table($31)
        bsr     $26, write_rows
        call_pal 0x3f                   # rti

        .org    0x180                   # entry: callsys. The program has ended.
        lda     $28, results($31)       # first, because some PMUs stop with a write that clears the counters
        bsr     $26, read_counters
        lda     $16, stop_table($31)
        bsr     $26, write_rows
        call_pal 0x00                   # halt

        .org    0x200
boot:   lda     $30, stack($31)
        lda     $17, log_area($31)
        stq     $17, log($31)
        stq     $31, interrupts($31)
        ldah    $16, 2($31)
        lda     $17, 1($31)
        stl     $17, 4($16)             # ENABLE: line 0
        lda     $16, start_table($31)
        bsr     $26, write_rows
        lda     $30, -16($30)
        lda     $17, program($31)
        stq     $17, 0($30)
        lda     $17, 8($31)             # PS: user level, interrupts on
        stq     $17, 8($30)
        call_pal 0x3f                   # rti

write_rows:                             # from the table at $16
        ldq     $19, 16($16)
        beq     $19, written
        ldq     $17, 0($16)
        ldq     $18, 8($16)
        lda     $16, 24($16)
        cmpeq   $19, 1, $20             # form 1: 8 bytes
        bne     $20, whole
        stl     $18, 0($17)
        cmpeq   $19, 2, $20             # form 2: 4 bytes
        bne     $20, write_rows
        srl     $18, 32, $18            # form 3: two accesses of 4 bytes
        stl     $18, 4($17)
        br      $31, write_rows
whole:  stq     $18, 0($17)
        br      $31, write_rows
written: ret    $31, ($26), 1

read_counters:                          # with the table; stores them at $28
        lda     $16, read_table($31)
next:   ldq     $18, 8($16)
        beq     $18, all
        ldq     $17, 0($16)
        lda     $16, 16($16)
        cmpeq   $18, 1, $20
        bne     $20, eight
        ldl     $19, 0($17)
        zapnot  $19, 15, $19
        cmpeq   $18, 2, $20
        bne     $20, keep
        ldl     $20, 4($17)
        sll     $20, 32, $20
        bis     $19, $20, $19
        br      $31, keep
eight:  ldq     $19, 0($17)
keep:   stq     $19, 0($28)
        lda     $28, 8($28)
        br      $31, next
all:    ret     $31, ($26), 1

        .org    program
# 2 + 5 instructions per iteration, one of which loads and one stores
        ldq     $1, turns($31)
turn:   ldq     $2, word($31)
        addq    $2, 1, $2
        stq     $2, word($31)
        subq    $1, 1, $1
        bne     $1, turn
        call_pal 0x83                   # callsys
