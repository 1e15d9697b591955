# The division helper that GCC calls: remainder of two unsigned longwords. It has a special calling convention: dividend
# in $24, divisor in $25, result in $27, return address in $23; all registers except $27 and $28 are preserved.
        .set    noat
        .arch   ev4
        .text
        .globl  __remlu
        .ent    __remlu
__remlu:
        .prologue 0
        lda     $30, -16($30)
        stq     $24, 0($30)
        stq     $25, 8($30)
        zapnot  $24, 15, $27
        zapnot  $25, 15, $25
        mov     $25, $24
double: addq    $24, $24, $24           # double the divisor until it exceeds the dividend
        cmpule  $24, $27, $28
        bne     $28, double
halve:  srl     $24, 1, $24             # halve it again and subtract it where it fits
        cmpule  $24, $27, $28
        beq     $28, skip
        subq    $27, $24, $27
skip:   cmpult  $25, $24, $28
        bne     $28, halve
        addl    $27, $31, $27
        ldq     $24, 0($30)
        ldq     $25, 8($30)
        lda     $30, 16($30)
        ret     $31, ($23), 1
        .end    __remlu
        .section .note.GNU-stack,"",@progbits
