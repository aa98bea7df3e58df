# set local_in_cache=no
# Local memory: four lines of a vector, and a store behind which nothing is
# taken.  (The port that was measured has it at 0.)
        lui     t0, 0x70000
        vid.v   v1
        vsll.vi v2, v1, 2
        vadd.vx v2, v2, t0
        vsw12.v v1, 0(v2)
        vlw12.v v3, 0(v2)
        vadd.vv v4, v3, v3
        lw      t1, 0(t0)
        sw      t1, 4(t0)
        lw      t2, 4(t0)
        add     t3, t2, t1
        endprg
