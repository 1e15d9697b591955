# A loop with update forms, a call, a conditional store, halfwords and floating point.
        .globl  _start
_start: lis     %r4, table@ha
        addi    %r4, %r4, table@l
        li      %r5, 3
        mtctr   %r5
again:  lwz     %r6, 0(%r4)
        stwu    %r6, 4(%r4)
        lhz     %r7, 2(%r4)
        bdnz    again
        bl      helper
try:    lwarx   %r8, 0, %r4
        stwcx.  %r8, 0, %r4
        bne     try
        lfd     %f1, 0(%r4)
        stfs    %f1, 8(%r4)
        li      %r0, 1
        li      %r3, 0
        sc
helper: stb     %r5, 1(%r4)
        blr
        .data
        .balign 8
table:  .long   1, 2, 3, 4, 5, 6, 7, 8, 9, 10
