# Instructions added by the 21164PC: bytes and words, multimedia; prefetching loads to R31 and F31.
# Checksum: 26 checks; each of 200 turns adds 1 for each check that passes; 5200, & 255 = 80.
        .set    noat
        .arch   pca56
        .text
        .globl  kernel
        .ent    kernel
        .macro  is register, value
        cmpeq   \register, \value, $28
        addq    $0, $28, $0
        .endm
kernel: ldgp    $29, 0($27)
        .prologue 1
        lda     $16, area
        mov     $31, $0
        lda     $1, 200($31)
        ldq     $2, 0($16)              # bytes 8 down to 1
        ldq     $3, 8($16)              # eight bytes of 4
        ldq     $4, 16($16)             # four words of 260
turn:   mov     200, $5
        stb     $5, 33($16)
        ldbu    $6, 33($16)
        is      $6, 200
        stw     $5, 34($16)
        ldwu    $6, 34($16)
        is      $6, 200
        sextb   $5, $6                  # -56
        addq    $6, 56, $6
        is      $6, 0
        sextw   $5, $6
        is      $6, 200
        ldq     $31, 64($16)            # prefetches: evict next, plain, modify intent
        ldl     $31, 128($16)
        lds     $f31, 192($16)
        ldt     $f31, 256($16)
        minub8  $2, $3, $6              # the smaller of 1 and 4, of 8 and 4
        and     $6, 255, $7
        is      $7, 1
        srl     $6, 56, $7
        is      $7, 4
        maxub8  $2, $3, $6
        and     $6, 255, $7
        is      $7, 4
        srl     $6, 56, $7
        is      $7, 8
        minsb8  $2, $3, $6
        and     $6, 255, $7
        is      $7, 1
        srl     $6, 56, $7
        is      $7, 4
        maxsb8  $2, $3, $6
        and     $6, 255, $7
        is      $7, 4
        srl     $6, 56, $7
        is      $7, 8
        minuw4  $4, $31, $6
        is      $6, 0
        maxuw4  $4, $31, $6
        cmpeq   $6, $4, $7
        is      $7, 1
        minsw4  $4, $31, $6
        is      $6, 0
        maxsw4  $4, $31, $6
        cmpeq   $6, $4, $7
        is      $7, 1
        perr    $2, $3, $6              # 3 + 2 + 1 + 0 + 1 + 2 + 3 + 4
        is      $6, 16
        perr    $2, $2, $6
        is      $6, 0
        unpkbw  $3, $6                  # words of 4
        zapnot  $6, 3, $7
        is      $7, 4
        srl     $6, 48, $7
        is      $7, 4
        pkwb    $6, $7                  # four bytes of 4
        zapnot  $3, 15, $8
        cmpeq   $7, $8, $7
        is      $7, 1
        unpkbl  $3, $6
        zapnot  $6, 15, $7
        is      $7, 4
        srl     $6, 32, $7
        is      $7, 4
        pklb    $6, $7
        zapnot  $3, 3, $8
        cmpeq   $7, $8, $7
        is      $7, 1
        mov     1, $6
        amask   1, $6                   # bytes and words are implemented: the bit is cleared
        is      $6, 0
        lda     $6, 256($31)
        amask   $6, $6                  # multimedia, too
        is      $6, 0
        subq    $1, 1, $1
        bne     $1, turn
        ret     $31, ($26), 1
        .end    kernel

        .data
        .align  5
area:   .quad   0x0807060504030201, 0x0404040404040404, 0x0104010401040104
        .space  1000
        .section .note.GNU-stack,"",@progbits
