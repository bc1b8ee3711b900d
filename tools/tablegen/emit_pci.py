# SPDX-License-Identifier: Apache-2.0
"""The PCI function as constant rows: models, configuration space, BARs, reset map (src/gen/pci_rows.h)."""
from cgen import Writer, c_string
from emit_device import table
from model import GENERATIONS, number
from proofs_pci import CONFIG_VALUES
from registers import APERTURE_ARCHS, generations


def member(text):
    """Place of a member of generations.csv; 0 for a number, which the first member is not."""
    return "0" if text[0].isdigit() else f"offsetof(struct trn_gen, {text})"


def value(text, where):
    return f"0x{number(text, where):X}" if text[0].isdigit() else "0"


def model_row(row):
    return f"{c_string(row['model'])}, {GENERATIONS.index(row['generation'])}, " \
           f"{member(row['device'])}, {value(row['device'], row['where'])}, " \
           f"{c_string(row['meaning'])}, {c_string(row['confidence'])}"


def config_row(row):
    given = row["reset"] in CONFIG_VALUES
    kind = row["reset"].upper() if given else "NUMBER"
    reset = "0" if given else row["reset"]
    return f"{c_string(row['register'])}, {number(row['offset'], row['where'])}, " \
           f"{number(row['bytes'], row['where'])}, TRN_PCI_WHEN_{row['when'].upper() or 'ALWAYS'}, " \
           f"TRN_PCI_VALUE_{kind}, {reset}, {row['writable']}, {c_string(row['meaning'])}, " \
           f"{c_string(row['confidence'])}"


def bar_row(row):
    return f"TRN_PCI_SHOWS_{row['kind'].upper()}, {'true' if row['mode'] == 'qemu' else 'false'}, " \
           f"{row['bar']}, {member(row['size'])}, {value(row['size'], row['where'])}, " \
           f"{'true' if row['prefetchable'] == '1' else 'false'}, " \
           f"{c_string(row['meaning'])}, {c_string(row['confidence'])}"


def reset_row(row):
    mask = generations(row["arch"], APERTURE_ARCHS, row["where"])
    return f"{mask}, TRN_PCI_RESETS_{row['owner'].upper()}, {row['low']}, {row['bits']}, " \
           f"{row['per_bit']}, {c_string(row['meaning'])}, {c_string(row['confidence'])}"


def emit(tables, out):
    write = Writer("<stddef.h>", '"gen/pci_rows.h"')
    for name, rows, row in (("model", tables.pci_models, model_row),
                            ("config", tables.pci_config, config_row),
                            ("bar", tables.pci_bars, bar_row),
                            ("reset", tables.pci_resets, reset_row)):
        table(write, f"trn_pci_{name}_row", f"trn_pci_{name}_table", f"trn_num_pci_{name}s",
              [row(r) for r in rows])
    write.save(f"{out}/src/pci_tables.c")
