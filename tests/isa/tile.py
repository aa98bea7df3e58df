#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tile table against golden encodings and the reference decoder.

    tile.py DUMP golden FILE
    tile.py DUMP reference DIR     (DIR has tile_ref.py; 77 if it has not)

DUMP decodes and prints lines of words (words_dump.c)."""
import os
import random
import re
import subprocess
import sys

ABI = ("zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 "
       "s6 s7 s8 s9 s10 s11 t3 t4 t5 t6").split()
FABI = ("ft0 ft1 ft2 ft3 ft4 ft5 ft6 ft7 fs0 fs1 fa0 fa1 fa2 fa3 fa4 fa5 fa6 "
        "fa7 fs2 fs3 fs4 fs5 fs6 fs7 fs8 fs9 fs10 fs11 ft8 ft9 ft10 ft11"
        ).split()
CSRS = {0: "tinfo", 1: "tmask", 2: "tfcsr", 3: "tqcfg", 4: "ttid", 5: "tpeid",
        6: "tclid", 7: "tnthr", 8: "tsmbase", 9: "tsmsize", 10: "tl2base",
        11: "tl2size", 16: "tgld_cnt", 17: "tgst_cnt", 18: "tsld_cnt",
        19: "tsst_cnt", 20: "tmapend", 21: "mmapend", 22: "alupend"}
MUST_FAIL = ["0000607b", "8005007b 00000013", "8045007b 0000607b",
             "8005007b 000061fb", "8005007b 0002617b",
             "4250727b 8405007b 0002e17b", "0000407b 0000667b",
             "0000307b 0010607b", "8005007b", "4250727b 8405007b",
             "7f85007b 0000607b", "ff95007b 0000607b"]


def dump(program, lines):
    out = subprocess.run([program, "tile"], input="\n".join(lines) + "\n", text=True,
                         check=True, capture_output=True).stdout
    return out.rstrip("\n").split("\n")


def golden(program, path):
    with open(path, encoding="utf-8") as f:
        rows = [(line[:36].strip(), line[36:].strip()) for line in f
                if not line.startswith("#")]
    wrong = 0
    for (words, text), got in zip(rows, dump(program, [w for w, _ in rows])):
        n, _, got = got.partition(" ")
        got = re.sub(r" +", " ", got).replace("zero.", "x0.")
        if int(n) != 4 * len(words.split()) or got != text:
            wrong += 1
            print(f"{words}: {got}, expected {text}")
    for words, got in zip(MUST_FAIL, dump(program, MUST_FAIL)):
        if got != "0":
            wrong += 1
            print(f"{words}: {got}, expected a refusal")
    print(f"{len(rows)} golden, {len(MUST_FAIL)} refused, {wrong} wrong")
    return wrong != 0


# ---- an independent printer of what tile_ref.decode returns -------------------

def csr(i):
    return CSRS.get(i, f"tsem{i - 256}" if 256 <= i < 288 else str(i))


def flags(d, *pairs):
    return "".join(f", {text}" for key, text in pairs if d.get(key))


def count(d, label="n"):
    return f", {label}={d['n']}" if d["n"] > 1 else ""


def access(d):
    name = f"{d['k']}{['', 's', 'x'][d['ls']]}.{d['sp']}"
    base = f"{ABI[d['rs3']] if d['oe'] else d['imm']}({ABI[d['rs1']]})"
    more = {0: "", 1: lambda: f", {ABI[d['rs2']]}",
            2: lambda: f", v{d['vs2']}.{d['esz']}"}[d["ls"]]
    text = f"{name} tr{d['t']}, {base}{more() if more else ''}{count(d)}"
    return text + flags(d, ("tm", "m")) + \
        (", v0.t" if d["ls"] == 2 and not d["vm"] else "")


def atomic(d):
    name = f"{d['k']}.{d['op']}.{d['sp']}"
    if d["k"] == "tatom":
        rd = "-" if d["rd"] is None else ABI[d["rd"]]
        cas = f", {ABI[d['rs3']]}" if "rs3" in d else ""
        return f"{name} {rd}, {ABI[d['rs2']]}, ({ABI[d['rs1']]}){cas}" \
            + count(d, "v")
    off = f"{ABI[d['off']] if d['oe'] else d['off']}({ABI[d['rs1']]})"
    if d["k"] == "tred":
        return f"{name} {ABI[d['rs2']]}, {off}{count(d, 'v')}"
    return f"{name} tr{d['t']}, {off}{count(d)}" \
        + flags(d, ("rtn", "rtn"), ("tm", "m"))


def tma(d):
    where = d["dstloc"] << 1 | d["srcloc"]
    kind = "cp" if d["linear"] else "st" if d["dsttm"] else "ld"
    obj = ["bulk", "mbar", "sem"][d["completion"]]
    name = f"tma.{kind}."
    if kind == "cp":
        name += ["g2g", "s2g", "g2s", "s2s", "g2s.cl", "s2s.cl", "g2s.l2",
                 "s2s.l2"][where] + "." + obj
    else:
        name += f"{d['dim']}d.{obj}"
        name += [".g", "", ".cl", ".l2"][d["dstloc"]] if kind == "ld" \
            else [".g", ""][d["srcloc"]]
    text = f"{name} {ABI[d['dst']]}, {ABI[d['src']]}, v{d['vs']}"
    text += {"bulk": "", "mbar": f", {ABI[d['obj']]}",
             "sem": f", {d['obj']}"}[obj]
    return text + flags(d, ("mc", "mc"), ("tm", "m"))


def mma(d):
    a, b = (f"{'v' if d[m] else 'tr'}{d[r] >> 0 if not d[m] else d[r]}"
            for m, r in (("amem", "a"), ("bmem", "b")))
    return f"tmma.{d['op']} tr{d['td']}, {a}, {b}{count(d)}" + flags(
        d, ("multi", "multi"), ("ta", "ta"), ("tb", "tb"), ("neg", "neg"),
        ("negd", "negd"), ("r1", "r1"), ("r2", "r2"), ("rd", "rd"))


def move(d):
    file = d["kind"].replace("t", "").replace(".", "")
    reg = {"x": ABI, "f": FABI}.get(file, [f"v{i}" for i in range(32)])
    to_tile = d["kind"][0] == "t"
    size = d["sz"] + ("s" if d["sext"] and not to_tile else "")
    idx = f", {ABI[d['idx']]}" if d["rs2_en"] else \
        f", {d['idx']}" if d["idx"] else ""
    ops = f"tr{d['t']}, {reg[d['reg']]}.{size}" if to_tile else \
        f"{reg[d['reg']]}.{size}, tr{d['t']}"
    return f"tmv.{d['kind']} {ops}{idx}" + flags(d, ("bc", "bc")) + \
        ("" if d["vm"] else ", v0.t")


def alu(d):
    if d["k"] == "talu1":
        name = f"t{d['op']}.{d['sf']}"
        if d["op"] == "cvt":
            name = f"tcvt.{d['df']}.{d['sf']}.p{d['part']}" \
                + ["", ".rtz", ".rdn", ".rup"][d["rm"]]
        return f"{name} tr{d['td']}, {'-' * d['neg1']}tr{d['ts1']}" \
            + flags(d, ("tm", "m"), ("r1", "r1"))
    second = {"t": f"tr{d['src2']}", "v": f"v{d['src2']}",
              "f": FABI[d["src2"] & 31]}[d["kind"]]
    name = f"t{d['op']}.{d['fmt']}"
    if d["k"] == "talu3":
        return f"{name} tr{d['td']}, tr{d['ts1']}, {second}, tr{d['ts3']}" \
            + flags(d, ("tm", "m"))
    return f"{name} tr{d['td']}, {'-' * d['neg1']}tr{d['ts1']}, " \
        f"{'-' * d['neg2']}{second}" \
        + flags(d, ("tm", "m"), ("r1", "r1"), ("r2", "r2"))


def sync(d):
    if d["k"] == "tsync":
        sid = ABI[d["sid"]] if d["sid_en"] else d["sid"]
        mask = ABI[d["mask"]] if d["m_en"] else f"0x{d['mask']:02x}"
        return f"tsync.{['arrive', 'wait'][d['nonblk']]} {sid}, {mask}, " \
            + ["cta", "cluster"][d["scope"]]
    if d["k"] == "twait.mem":
        parts = [f"{k}={d[k]}" for k in ("ld", "st") if d[k] is not None]
        return f"twait.{'gs'[d['share']]} {', '.join(parts)}".strip()
    if d["k"] == "twait.tma":
        return f"{['tcommit', 'twait'][d['wait']]}.tma {d['gid']}"
    return "twait." + {2: "mma", 3: "tma_mma", 4: "alu", 5: "tma_alu",
                       6: "mma_alu", 7: "all"}[d["mask"]]


def text_of(d):
    k = d["k"]
    if k in ("tld", "tst"):
        return access(d)
    if k in ("tatom", "tred", "tatomt"):
        return atomic(d)
    if k == "tcsrr":
        return f"tcsrr {ABI[d['rd']]}, {csr(d['idx'])}"
    if k == "tcsrw":
        return f"tcsr{'wsc'[d['uop']]} {csr(d['idx'])}, {ABI[d['rs1']]}"
    if k == "tcsrrw":
        return f"tcsrr{'wsc'[d['uop']]} {ABI[d['rd']]}, {csr(d['idx'])}, " \
            + ABI[d["rs1"]]
    if k.startswith("talu"):
        return alu(d)
    return {"tma": tma, "tmma": mma, "tmv": move}.get(k, sync)(d)


def stricter(words, d):
    """What we refuse and the reference takes: fields it does not look at."""
    func6 = [w >> 20 & 63 for w in words if w >> 12 & 7 == 7]
    if d["k"] == "tma":
        one = d["linear"] == 0 and d["dsttm"] + d["srctm"] == 1
        linear = d["linear"] and not d["dsttm"] + d["srctm"] and d["dim"] == 1
        mapped = d["dstloc"] == 0 if d["dsttm"] else d["srcloc"] == 0
        return not (linear or one and mapped) or func6 != [0x25] \
            or (d["completion"] == 0 and d["obj"] != 0)
    if d["k"] == "tmma":
        return any(f != 0x25 for f in func6)
    if d["k"] in ("talu2", "talu3") and d["kind"] != "t":
        wide = d["fmt"] in ("f32", "i32")
        return func6 != [(0x25 if wide else 0x23) if d["kind"] == "v"
                         else (0x26 if wide else 0x25)]
    return False


def samples(ref):
    """Legal sequences of every class, and the same with bits turned over."""
    rng, found = random.Random(2), []
    decode = ref.decode
    ref.decode = lambda ws: found.append(list(ws)) or decode(ws)
    ref.selftest(20000)
    ref.decode = decode
    for ws in list(found):
        for _ in range(4):
            ws = list(ws)
            i = rng.randrange(len(ws))
            ws[i] ^= 1 << rng.randrange(7, 32)
            found.append(ws)
    return found


def reference(program, folder):
    if not os.path.exists(os.path.join(folder, "tile_ref.py")):
        print("skipped: no tile_ref.py in", folder or "VENTUS_SHARED")
        return 77
    sys.dont_write_bytecode = True
    sys.path.insert(0, folder)
    import tile_ref as ref  # pylint: disable=import-error
    found, wrong, legal, strict = samples(ref), 0, 0, 0
    lines = [" ".join(f"{w:08x}" for w in ws) for ws in found]
    for ws, line, got in zip(found, lines, dump(program, lines)):
        try:
            n, d = ref.decode(ws)
            want = f"{4 * n} {text_of(d)}"
            if stricter(ws[:n], d):
                want, strict = "0", strict + 1
        except ref.Illegal:
            want = "0"
        legal += want != "0"
        if re.sub(" +", " ", got) != want:
            wrong += 1
            if wrong < 20:
                print(f"{line}: {got}, the reference has {want}")
    print(f"{len(found)} sequences, {legal} legal, {strict} refused by us "
          f"only, {wrong} differ")
    return wrong != 0


if __name__ == "__main__":
    mode = {"golden": golden, "reference": reference}[sys.argv[2]]
    sys.exit(mode(sys.argv[1], sys.argv[3] if len(sys.argv) > 3 else ""))
