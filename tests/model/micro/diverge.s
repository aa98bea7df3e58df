# Lanes part at a thread branch and join; then all go one way.
        vid.v   v1
        vmv.v.i v2, 4
1:      auipc   t1, %pcrel_hi(join1)
        setrpc  zero, t1, %pcrel_lo(1b)
        vblt    v1, v2, less
        vadd.vi v3, v1, 1
        j       join1
less:   vadd.vi v3, v1, 2
join1:  join    v0, v0, 0
2:      auipc   t1, %pcrel_hi(join2)
        setrpc  zero, t1, %pcrel_lo(2b)
        vbeq    v1, v1, same
        vadd.vi v3, v1, 3
same:   vadd.vi v4, v1, 3
join2:  join    v0, v0, 0
        endprg
