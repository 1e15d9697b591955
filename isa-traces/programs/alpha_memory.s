# All loads and stores of the base architecture: unaligned operands in pieces, loads after stores to the same address,
# loads that share a missing line, runs of stores to different lines, all floating-point formats.
# Checksum, per round of 8: unaligned operands 4 x 16 = 64, loads after stores 3 x 20 = 60, lines 16, shared lines
# 4 x 32 = 128, formats 3; together 271; 8 x 271 = 2168, & 255 = 120.
        .set    noat
        .arch   ev4
        .text
        .globl  kernel
        .ent    kernel
# Adds 1 to the checksum if two registers are equal.
        .macro  same a, b
        cmpeq   \a, \b, $28
        addq    $0, $28, $0
        .endm
kernel: ldgp    $29, 0($27)
        .prologue 1
        lda     $16, area
        mov     $31, $0
        mov     8, $1
        lda     $22, pattern
        ldq     $20, 0($22)
round:
# 1: an operand at each of 16 offsets, written and read with accesses to its quadwords.
        mov     16, $2
        mov     $16, $3
pieces: ldq_u   $4, 7($3)               # quadword
        ldq_u   $5, 0($3)
        insqh   $20, $3, $6
        insql   $20, $3, $7
        mskqh   $4, $3, $4
        mskql   $5, $3, $5
        bis     $4, $6, $4
        bis     $5, $7, $5
        stq_u   $4, 7($3)
        stq_u   $5, 0($3)
        ldq_u   $4, 0($3)
        ldq_u   $5, 7($3)
        extql   $4, $3, $4
        extqh   $5, $3, $5
        bis     $4, $5, $4
        same    $4, $20
        zapnot  $20, 15, $21            # longword
        ldq_u   $4, 3($3)
        ldq_u   $5, 0($3)
        inslh   $21, $3, $6
        insll   $21, $3, $7
        msklh   $4, $3, $4
        mskll   $5, $3, $5
        bis     $4, $6, $4
        bis     $5, $7, $5
        stq_u   $4, 3($3)
        stq_u   $5, 0($3)
        ldq_u   $4, 0($3)
        ldq_u   $5, 3($3)
        extll   $4, $3, $4
        extlh   $5, $3, $5
        bis     $4, $5, $4
        same    $4, $21
        zapnot  $20, 3, $21             # word
        ldq_u   $4, 1($3)
        ldq_u   $5, 0($3)
        inswh   $21, $3, $6
        inswl   $21, $3, $7
        mskwh   $4, $3, $4
        mskwl   $5, $3, $5
        bis     $4, $6, $4
        bis     $5, $7, $5
        stq_u   $4, 1($3)
        stq_u   $5, 0($3)
        ldq_u   $4, 0($3)
        ldq_u   $5, 1($3)
        extwl   $4, $3, $4
        extwh   $5, $3, $5
        bis     $4, $5, $4
        same    $4, $21
        zapnot  $20, 1, $21             # byte
        ldq_u   $5, 0($3)
        insbl   $21, $3, $7
        mskbl   $5, $3, $5
        bis     $5, $7, $5
        stq_u   $5, 0($3)
        ldq_u   $4, 0($3)
        extbl   $4, $3, $4
        same    $4, $21
        addq    $3, 1, $3
        subq    $2, 1, $2
        bne     $2, pieces
# 2: loads directly after a store to the same address, and one and two instructions later.
        mov     20, $2
behind: stq     $2, 256($16)
        ldq     $4, 256($16)
        same    $4, $2
        stl     $2, 264($16)
        addq    $2, $2, $5
        ldl     $4, 264($16)
        same    $4, $2
        stq     $2, 272($16)
        addq    $2, $2, $5
        subq    $5, $2, $5
        ldq     $4, 272($16)
        same    $4, $2
        subq    $2, 1, $2
        bne     $2, behind
# 3: sixteen stores to different lines, then the loads, each followed by a use of its value.
        lda     $3, 1024($16)
        mov     16, $2
lines:  stq     $2, 0($3)
        lda     $3, 64($3)
        subq    $2, 1, $2
        bne     $2, lines
        lda     $3, 1024($16)
        mov     16, $2
uses:   ldq     $4, 0($3)
        same    $4, $2
        lda     $3, 64($3)
        subq    $2, 1, $2
        bne     $2, uses
# 4: four loads of a line that misses; the area contains zeros.
        lda     $3, 16384($16)
        mov     32, $2
shared: ldq     $4, 0($3)
        ldq     $5, 8($3)
        ldl     $6, 16($3)
        ldq     $7, 24($3)
        same    $4, $31
        same    $5, $31
        same    $6, $31
        same    $7, $31
        lda     $3, 512($3)
        subq    $2, 1, $2
        bne     $2, shared
# 5: floating-point formats preserve the bits of 1.0, except F in the emulator.
        ldt     $f1, 8($22)
        stt     $f1, 512($16)
        ldq     $4, 512($16)
        ldq     $5, 8($22)
        same    $4, $5
        lds     $f2, 24($22)
        sts     $f2, 520($16)
        ldl     $4, 520($16)
        ldl     $5, 24($22)
        same    $4, $5
        ldg     $f3, 16($22)
        stg     $f3, 528($16)
        ldq     $4, 528($16)
        ldq     $5, 16($22)
        same    $4, $5
        ldf     $f4, 28($22)
        stf     $f4, 536($16)
        subq    $1, 1, $1
        bne     $1, round
        ret     $31, ($26), 1
        .end    kernel

        .data
        .align  3
pattern: .quad  0x0102030405060708
one_t:  .quad   0x3FF0000000000000
one_g:  .quad   0x0000000000004010      # the words of a VAX number are in reverse order
one_s:  .long   0x3F800000
one_f:  .long   0x00004080
        .lcomm  area, 40960
        .section .note.GNU-stack,"",@progbits
