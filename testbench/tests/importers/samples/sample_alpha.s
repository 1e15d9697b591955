# A loop, a call, a locked pair, bytes by unaligned quadwords and floating point.
        .set    noat
        .globl  _start
_start: br      $27, 1f
1:      ldgp    $29, 0($27)
        lda     $4, table
        lda     $5, 3
again:  ldq     $6, 0($4)
        stl     $6, 16($4)
        lda     $4, 8($4)
        subq    $5, 1, $5
        bne     $5, again
        bsr     $26, helper
try:    ldl_l   $8, 0($4)
        stl_c   $8, 0($4)
        beq     $8, try
        ldt     $f1, 0($4)
        sts     $f1, 8($4)
        lda     $0, 1
        lda     $16, 0
        call_pal 0x83
helper: ldq_u   $7, 3($4)
        ret     $31, ($26), 1
        .data
        .balign 8
table:  .quad   1, 2, 3, 4, 5, 6, 7, 8, 9, 10
