// Entry for benchmarks: call main REPEATS times, leave with its last checksum.
	.explicit
	.text
	.align 32
	.global _start#
	.proc _start#
_start:
{ .mlx
	alloc	r32 = ar.pfs, 0, 3, 1, 0
	movl	gp = __gp#
	;;
}
{ .mlx
	mov	r33 = gp
	movl	r34 = REPEATS
	;;
}
{ .mib
	adds	r12 = -16, r12
	nop.i	0
	nop.b	0
	;;
}
.Lagain:
{ .mib
	nop.m	0
	nop.i	0
	br.call.sptk.many b0 = main#
	;;
}
{ .mmi
	mov	gp = r33
	adds	r34 = -1, r34
	nop.i	0
	;;
}
{ .mib
	cmp.ne	p6, p0 = r0, r34
	nop.i	0
 (p6)	br.cond.dptk.few .Lagain
	;;
}
{ .mmi
	mov	r35 = r8
	mov	r15 = 1025
	nop.i	0
	;;
}
{ .mib
	break.m	0x100000
	nop.i	0
	nop.b	0
	;;
}
	.endp _start#
