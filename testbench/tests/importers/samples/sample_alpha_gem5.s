# The instructions that sample_alpha.gem5 and sample_alpha_stores.gem5 name, at the places that they name; the first
# symbol is at 0x648.
        .set    noreorder
        .globl  stb_mask, Proc_1, _start
_start:
stb_mask:
        .space  116
        lda     $21, 1($31)
        sll     $21, 63, $21
        bis     $21, $20, $20
        bic     $20, 7, $20
        ldq     $22, 0($20)
        .space  48
Proc_1: .space  56
        ldq     $4, 24($1)
        ldq     $3, 32($1)
        ldq     $2, 40($1)
        ldq     $1, 48($1)
        stq     $7, 0($9)
