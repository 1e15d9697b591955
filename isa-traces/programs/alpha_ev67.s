# Instructions added by the 21264 and 21264A: square roots, moves between register files, bit counts, write hints.
# Checksum: 17 checks; each of 200 turns adds 1 for each check that passes; 3400, & 255 = 72.
        .set    noat
        .arch   ev67
        .text
        .globl  kernel
        .ent    kernel
        .macro  is register, value
        cmpeq   \register, \value, $28
        addq    $0, $28, $0
        .endm
        .macro  fis register, value
        cvttq/c \register, $f30
        ftoit   $f30, $27
        is      $27, \value
        .endm
kernel: ldgp    $29, 0($27)
        .prologue 1
        lda     $16, area
        mov     $31, $0
        lda     $1, 200($31)
turn:   mov     144, $2
        itoft   $2, $f1
        cvtqt   $f1, $f1
        sqrtt   $f1, $f2
        fis     $f2, 12
        sqrtt/su $f1, $f2
        fis     $f2, 12
        trapb
        cvtqt   $f31, $f3
        ftoit   $f3, $3
        is      $3, 0
        itoft   $2, $f4
        cvtqs   $f4, $f4
        sqrts   $f4, $f5
        fis     $f5, 12
        ftois   $f5, $3                 # 12.0 as S: 41400000
        srl     $3, 20, $3
        lda     $4, 0x414($31)
        cmpeq   $3, $4, $3
        is      $3, 1
        itofs   $2, $f6                 # the bits of 144 are a small number
        ftois   $f6, $3
        is      $3, 144
        lda     $4, 0x4180($31)         # 4.0 as F
        itoff   $4, $f7
        sqrtf   $f7, $f8                # F and G are executed but not checked
        sqrtg   $f31, $f8
        mov     85, $2                  # 01010101b
        ctpop   $2, $3
        is      $3, 4
        ctlz    $2, $3
        is      $3, 57
        cttz    $2, $3
        is      $3, 0
        sll     $2, 9, $4
        ctlz    $4, $3
        is      $3, 48
        cttz    $4, $3
        is      $3, 9
        ctpop   $31, $3
        is      $3, 0
        stq     $2, 0($16)
        wh64    ($16)                   # write hint: the contents of the block become undefined
        stq     $2, 0($16)
        stq     $2, 8($16)
        ldq     $3, 8($16)
        is      $3, 85
        ecb     ($16)
        ldq     $3, 0($16)
        is      $3, 85
        wh64en  ($16)
        stq     $1, 0($16)
        ldq     $3, 0($16)
        cmpeq   $3, $1, $3
        is      $3, 1
        lda     $6, 0x107($31)
        amask   $6, $6                  # all four extensions
        is      $6, 0
        implver $6                      # 2: the 21264's core
        is      $6, 2
        subq    $1, 1, $1
        bne     $1, turn
        ret     $31, ($26), 1
        .end    kernel

        .data
        .align  6
area:   .space  256
        .section .note.GNU-stack,"",@progbits
