# SPDX-License-Identifier: Apache-2.0
"""include/trench/enums.h: every enum of the instruction set as C constants."""
from cgen import Writer, c_name


def emit(tables, out):
    write = Writer(guard="TRENCH_ENUMS_H")
    write("/** Values of enums.csv; names are TRN_<ENUM>_<MEMBER>. */")
    for enum in tables.enums.values():
        write(f"enum trn_{enum.name.lower()} {{")
        for member in enum.members:
            write(f"    TRN_{enum.name}_{c_name(member.name)} = 0x{member.value:X},")
        write("};\n")
    write.save(f"{out}/include/trench/enums.h")
