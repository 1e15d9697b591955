# Entry: sets the global pointer, calls the kernel, exits with its checksum (call_pal callsys, system call 1 = exit).
        .globl  _start
        .ent    _start
_start: br      $29, 1f
1:      ldgp    $29, 0($29)
        lda     $30, -64($30)
        jsr     $26, kernel
        ldgp    $29, 0($26)
        mov     $0, $16
        lda     $0, 1($31)
        call_pal 0x83
        .end    _start
        .section .note.GNU-stack,"",@progbits
