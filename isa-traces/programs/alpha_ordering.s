# Locked loads and conditional stores, barriers, prefetches, flags and cycle counter, calls of PALcode.
# Checksum: 400 atomic increments + 100 failed stores + 50 turns of a lock + 64 from the block that imb made
# visible + 64 unique values = 678; & 255 = 166.
        .set    noat
        .arch   ev4
        .text
        .globl  kernel
        .ent    kernel
kernel: ldgp    $29, 0($27)
        .prologue 1
        lda     $16, counters
        mov     $31, $0
# Atomic increments of a longword and a quadword; the barriers take turns.
        lda     $1, 200($31)
increment:
        ldl_l   $2, 0($16)
        addl    $2, 1, $2
        stl_c   $2, 0($16)
        beq     $2, increment
        mb
quad:   ldq_l   $2, 8($16)
        addq    $2, 1, $2
        stq_c   $2, 8($16)
        beq     $2, quad
        wmb
        subq    $1, 1, $1
        bne     $1, increment
        ldl     $2, 0($16)
        addq    $0, $2, $0
        ldq     $2, 8($16)
        addq    $0, $2, $0
# A conditional store without a locked load fails.
        lda     $1, 100($31)
fails:  mov     1, $2
        stl_c   $2, 0($16)
        bne     $2, stored
        addq    $0, 1, $0
stored: subq    $1, 1, $1
        bne     $1, fails
# A lock: memory barrier after acquiring it, write barrier before releasing it.
        lda     $1, 50($31)
acquire:
        ldl_l   $2, 64($16)
        bne     $2, acquire
        mov     1, $3
        stl_c   $3, 64($16)
        beq     $3, acquire
        mb
        ldq     $4, 72($16)
        addq    $4, 1, $4
        stq     $4, 72($16)
        wmb
        stl     $31, 64($16)
        subq    $1, 1, $1
        bne     $1, acquire
        ldq     $4, 72($16)
        addq    $0, $4, $0
# Prefetches, trap and exception barriers after an add that could trap, counter and flags (read but not used).
        lda     $17, block
        lda     $1, 64($31)
order:  fetch   ($17)
        fetch_m ($17)
        addl/v  $1, $31, $5
        trapb
        addt/su $f1, $f2, $f3
        excb
        rpcc    $6
        rs      $7
        rc      $8
# Synchronises the instruction stream; writes and reads the unique value of the thread.
        stl     $1, 128($17)
        call_pal 0x86                   # imb
        ldl     $9, 128($17)
        cmpeq   $9, $1, $9
        addq    $0, $9, $0
        mov     $1, $16
        mov     $0, $10
        call_pal 0x9F                   # wrunique
        call_pal 0x9E                   # rdunique
        cmpeq   $0, $1, $11
        addq    $10, $11, $0
        subq    $1, 1, $1
        bne     $1, order
        ret     $31, ($26), 1
        .end    kernel

        .lcomm  counters, 128
        .lcomm  block, 256
        .section .note.GNU-stack,"",@progbits
