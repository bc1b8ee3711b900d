# SPDX-License-Identifier: Apache-2.0
"""Every image of the fixture: bytes of each row of data/firmware-images.csv, and what is true of them.

docs/hardware/firmware-images.md 2.3, 4 to 9. `Recipe` entries are what tests compare the tool's
answers with.
"""
import csv
import hashlib
from pathlib import Path

import fixture_code as code
import fixture_data as data
import fixture_strings as strings
import fixture_tables as tables

ENGINES = ("ACT", "DVE", "PE", "POOL", "SP")
LATER = ("CAYMAN", "MARIANA", "MARIANA_PLUS")
REGIONS = ("IRAM", "DRAM", "SRAM", "EXTRAM")


def head(gen, core, engine):
    """The reset path (6.1): vectors, C entry, base address, second hub."""
    if gen == "SUNDA":
        primary, secondary, enter = (0x1DC, 0x1E8, 0x94) if core == "NX" else (0x220, 0x22C, 0x94)
    elif gen == "MAVERICK":
        sram = core == "Q7" or engine == "SP"
        primary, secondary, enter = (0x1E4, 0x1F0, 0x94) if sram else (0x1D8, 0x1E4, 0x94)
    elif core == "Q7":
        primary, secondary, enter = 0x200, 0x20C, 0x90
    else:
        primary, secondary, enter = (0x1DC, 0x1E8, 0x90) if gen == "CAYMAN" else (0x1F8, 0x204, 0x90)
    base = code.MAVERICK_BASE if gen == "MAVERICK" and (core == "Q7" or engine == "SP") else 0
    hub = None
    if gen in LATER and core == "NX":
        hub = (0x217, 0x1250)
    elif gen == "MAVERICK" and not base and engine in ("DVE", "POOL"):
        hub = (0x1F7, 0x1490 if engine == "DVE" else 0x1330)
    return dict(primary=primary, secondary=secondary, enter=enter, base=base, hub=hub,
                vector_body=gen != "SUNDA" and core == "NX")


PE_RAW = tables.span("1 2 3 6 7 9f a0-ab b0-b3 b5 b8 bd")
ACT_RAW = tables.span("21-24 46 47 9f-ab b0-b3 b5 b8 bd")
SITES = {  # DEBUG images (7.3); a site without counts has no table of its own
    ("CAYMAN", "POOL"): [dict(at=0x2E5F, kind="indexed", base=0x41, bound=177, table=0x814, real=55, default=0x3198)],
    ("MARIANA", "POOL"): [dict(at=0x2D0F, kind="indexed", base=0x41, bound=177, table=0x800, real=54, default=0x3075),
                          dict(at=0x35A5, kind="indexed", base=0x41, bound=177, table=0xAC8, real=54, default=0x3911)],
    ("MARIANA_PLUS", "POOL"): [dict(at=0x2D0F, kind="indexed", base=0x41, bound=177, table=0x800, real=54,
                                    default=0x3075)],
    ("CAYMAN", "DVE"): [dict(at=0x2F5A, kind="indexed", base=0x41, bound=169, table=0x814, real=75, default=0x3207),
                        dict(at=0x3739, kind="indexed", base=0x41, bound=169, table=0xABC, real=75, default=0x39E6)],
    ("MARIANA", "DVE"): [dict(at=0x2F09, kind="indexed", base=0x30, bound=186, table=0x800, real=82, default=0x31E3),
                         dict(at=0x3715, kind="indexed", base=0x30, bound=186, table=0xAEC, real=82, default=0x39FA)],
    ("MARIANA_PLUS", "DVE"): [dict(at=0x2F07, kind="indexed", base=0x30, bound=186, table=0x800, real=82, default=0x31E3),
                              dict(at=0x36F8, kind="indexed", base=0x30, bound=186, table=0xAEC, real=82,
                                   default=0x39DD)],
    ("MAVERICK", "DVE"): [dict(at=0x2C00, kind="indexed", base=0x30, bound=186, table=0x820, real=79, default=0x2F90)],
    ("CAYMAN", "PE"): [dict(at=0x2936, kind="raw", opcodes=PE_RAW)],
    ("CAYMAN", "ACT"): [dict(at=0x2B35, kind="raw", opcodes=ACT_RAW)],
    ("CAYMAN", "SP"): [dict(at=0x29C0 - 9, kind="segmented", table=0x814, shift=True)],
    ("MARIANA", "SP"): [dict(at=0x286C - 9, kind="segmented", table=0x800, shift=True)],
}
for _gen in ("MARIANA", "MARIANA_PLUS"):
    SITES[_gen, "PE"] = [dict(at=0x2934, kind="raw", opcodes=sorted(PE_RAW + [8, 9, 0xA, 0xE4]))]
    SITES[_gen, "ACT"] = [dict(at=0x2B06, kind="raw", opcodes=tables.span("21-25 a7-ab b0-b3 b5 b8 bd"))]
SITES["MARIANA_PLUS", "SP"] = SITES["MARIANA", "SP"]
# Aligned-sweep counts of SUNDA (7.2, 8); what is "not recorded" is chosen.
SUNDA_COUNTS = {
    ("NX", "ACT"): dict(entry=256, retw=84, call8=194, const16=1717, addx4=41, jx=12),
    ("NX", "DVE"): dict(entry=274, retw=86, call8=221, const16=2219, addx4=28, jx=13),
    ("NX", "PE"): dict(entry=336, retw=86, call8=236, const16=2213, addx4=29, jx=12),
    ("NX", "SP"): dict(entry=406, retw=81, call8=245, const16=2181, addx4=28, jx=12),
    ("NX", "POOL"): dict(entry=336, retw=106, call8=230, const16=2200, addx4=30, jx=12),
    ("Q7", "POOL"): dict(entry=115, retw=266, call8=60, const16=400, addx4=8, jx=6),
}
EXTRAM_COUNTS = dict(entry=19, retw=55, call8=10, const16=40, addx4=0, jx=0)
LATER_COUNTS = dict(entry=60, retw=70, call8=90, const16=180, addx4=12, jx=9)
SUNDA_DEBUG_DRAM = {"ACT": 0x3300, "DVE": 0x3800, "PE": 0x3360, "SP": 0x3390, "POOL": 0x3A00}
REDUCED = {"IRAM": 0x5000, "DRAM": 0, "SRAM": 0x5000}
POOLS = 7
# Hub of MAVERICK's SP, in SRAM (7.3).
MAVERICK_SP_SITES = [dict(at=0xE326 - 9, kind="segmented", table=0x800, shift=True)]


def sites_of(gen, core, engine, flavor):
    if core == "Q7":
        return []
    if gen == "SUNDA":
        return [dict(at=0x2400, kind="segmented", table=0x400)]
    if engine == "SP":
        if gen == "MAVERICK":
            return MAVERICK_SP_SITES
        return [dict(spec, table=spec["table"] if flavor == "DEBUG" else 0x218) for spec in SITES[gen, "SP"]]
    return SITES.get((gen, engine), []) if flavor == "DEBUG" else []


def flavour_of(sites):
    """What a classifier must answer (7.4)."""
    if not sites:
        return "UNKNOWN"
    kind = sites[0]["kind"]
    return {"segmented": "SEGMENTED", "raw": "RAW"}.get(kind) or ("INDEXED_A" if sites[0]["base"] == 0x41 else "INDEXED_0")


class Row:
    """One image: its name's parts, its size here, its bytes."""

    def __init__(self, gen, core, engine, flavor, region, size, getter_va=0, va=0):
        self.gen, self.core, self.engine, self.flavor, self.region = gen, core, engine, flavor, region
        self.size, self.getter_va, self.va, self.bytes, self.facts = size, getter_va, va, b"", {}

    @property
    def name(self):
        flavor = self.flavor.replace("DKL_", "DYNAMIC_KERNEL_LOAD_")  # firmware-images.md 2.1
        return f"{self.gen}_{self.core}_{self.engine}_{flavor}_{self.region}"

    def recipe(self):
        return dict(self.facts, name=self.name, generation=self.gen, core=self.core, engine=self.engine,
                    flavor=self.flavor, region=self.region, size=len(self.bytes), getter_va=self.getter_va, va=self.va,
                    kind="image" if self.bytes else "cursor", sha256=hashlib.sha256(self.bytes).hexdigest())


def csv_rows(repository):
    with open(Path(repository) / "data" / "firmware-images.csv", newline="", encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            if row["container"] == "internal.so":
                yield Row(row["generation"], row["class"], row["engine"], row["flavor"], row["region"], int(row["size"], 16),
                          int(row["getter_text_va"], 16), int(row["image_va_eq_file_off"], 16))


def sunda_debug_rows():
    """Members that only the archive has."""
    for core, engine in [("NX", engine) for engine in ENGINES] + [("Q7", "POOL")]:
        for region in REGIONS:
            size = {"IRAM": 0xD000 if core == "NX" else 0x4400, "SRAM": 0, "EXTRAM": 0x1B40 if core == "Q7" else 0,
                    "DRAM": SUNDA_DEBUG_DRAM[engine] if core == "NX" else 0xA600}[region]
            yield Row("SUNDA", core, engine, "DEBUG", region, size)


def sunda_library_rows():
    """The only library of SUNDA, which the runtime container alone has (13.1)."""
    yield Row("SUNDA", "Q7", "POOL", "RELEASE", "EXTISA_0_JSON", 0x6C0)
    yield Row("SUNDA", "Q7", "POOL", "RELEASE", "EXTISA_0_SO", 0xD308)


def unlisted_rows():
    """The 24 members a generation that no getter surfaces (5, OPEN): a second Q7 class, empty here."""
    for gen in LATER:
        for flavor in ("PERF", "TEST", "DEBUG", "DYNAMIC_KERNEL_LOAD_PERF", "DYNAMIC_KERNEL_LOAD_DEBUG",
                       "DYNAMIC_KERNEL_LOAD_TEST"):
            for region in REGIONS:
                yield Row(gen, "Q7", "CC_TOP", flavor, region, 0)


def twin(row):
    """The image that this one is equal to, as a seed of its content (4)."""
    gen, flavor = row.gen, row.flavor
    if flavor == "DYNAMIC_KERNEL_LOAD_TEST":
        flavor = "DYNAMIC_KERNEL_LOAD_PERF"
    if gen == "MARIANA_PLUS" and row.core == "Q7" and "DEBUG" not in flavor:
        gen = "MARIANA"
    return f"{gen}_{row.core}_{row.engine}_{flavor}_{row.region}"


class Builder:
    """Fills rows with bytes."""

    def __init__(self, repository, is_reduced, scale):
        self.is_reduced, self.scale, self.blocks = is_reduced, scale, code.filler_blocks()
        self.kernels = tables.kernels(Path(repository) / "data" / "kernel-info.csv")
        self.known = {}

    def size_of(self, row):
        """Sizes of SUNDA, of PROF pairs and of kernel libraries stay what they are."""
        if row.size == 0 or row.gen == "SUNDA" or row.region not in REGIONS:
            return row.size
        if self.is_reduced and row.region != "DRAM" and not (row.gen == "MAVERICK" and row.engine == "SP"):
            return min(row.size, 0x5000 + 0x10 * (len(row.name) % 7))
        if self.is_reduced and row.core == "Q7":
            return min(row.size, 0x4000)
        return row.size * self.scale

    def code(self, row, size):
        sites = sites_of(row.gen, row.core, row.engine, row.flavor)
        if row.region == "EXTRAM":
            image = code.code(twin(row), size, None, [], EXTRAM_COUNTS, 2, self.blocks)
            row.facts = dict(form="code", counts=image.counts, flavour="UNKNOWN")
            return bytes(image.bytes)
        wanted = SUNDA_COUNTS[row.core, row.engine] if row.gen == "SUNDA" else LATER_COUNTS
        wanted = dict(wanted, bundle8=5, bundle16=3)
        reset = head(row.gen, row.core, row.engine)
        image = code.code(twin(row), size, reset, sites, wanted, POOLS, self.blocks)
        if image.counts.get("lost", 0) != POOLS:
            raise ValueError(f"{row.name}: {image.counts} for {POOLS} pools")
        opcodes = [op for spec in sites if spec["kind"] == "raw" for op in spec["opcodes"]]
        row.facts = dict(form="code", head=reset, counts=image.counts, flavour=flavour_of(sites), opcodes=opcodes,
                         sites=[{key: spec[key] for key in ("at", "base", "bound", "table") if key in spec}
                                for spec in sites])
        return bytes(image.bytes)

    def data(self, row, size):
        sites = sites_of(row.gen, row.core, row.engine, row.flavor)
        log_at = None
        if row.flavor == "DEBUG" and row.core == "NX" and row.gen != "SUNDA":
            log_at = strings.DISPATCH_AT[row.gen][row.engine]
        flavor = row.flavor.replace("_TEST", "_PERF") if "KERNEL" in row.flavor else row.flavor
        pool = data.pool_of("MARIANA" if row.gen == "MARIANA_PLUS" and row.core == "Q7" else row.gen, row.core,
                            row.engine, flavor)
        texts = [glue + text for text, glue in data.pairs(pool)]
        row.facts = dict(form="data", strings=len(texts) + bool(log_at))
        if log_at:
            row.facts.update(handlers=sorted(set(strings.handlers(row.gen, row.engine))), dispatch_log_at=log_at,
                             log_lines=strings.LINES[row.gen][row.engine])
        return data.data(twin(row), size, row.core == "NX", sites, pool, log_at)

    def library(self, row, size):
        number = int(row.region.split("_")[1])
        if row.region.endswith("JSON"):
            row.facts = dict(form="json")
            return tables.sunda_json(size) if row.gen == "SUNDA" else tables.DUMMY_JSON
        gen = "MARIANA" if row.gen == "MARIANA_PLUS" else row.gen
        image, rows = tables.extisa(gen, number, self.kernels[gen, number], size)
        row.facts = dict(form="extisa", library=number, kernels=[dict(opcode=op, spec=spec, va=va) for op, spec, va in rows])
        return image

    def fill(self, row):
        """Bytes and facts of a row; images that are equal by the sheet are made once."""
        size = self.size_of(row)
        key = (twin(row), size)
        if key not in self.known:
            self.known[key] = self.made(row, size)
        row.bytes, row.facts = self.known[key]
        return row

    def made(self, row, size):
        if row.region in ("CAM", "TABLE"):
            make = tables.cam if row.region == "CAM" else tables.table
            row.facts = dict(form=row.region.lower(), armed=len(tables.armed(row.gen, row.engine)))
            row.bytes = make(row.gen, row.engine)
        elif "EXTISA" in row.region:
            row.bytes = self.library(row, size)
        elif size == 0:
            row.facts = dict(form="cursor")
        else:
            row.bytes = self.data(row, size) if row.region == "DRAM" else self.code(row, size)
        return row.bytes, row.facts
