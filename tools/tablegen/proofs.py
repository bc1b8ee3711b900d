# SPDX-License-Identifier: Apache-2.0
"""What must hold before anything is made from the tables (docs/architecture.md, rule 2)."""
import proofs_blocks
import proofs_cross
import proofs_device
import proofs_hal
import proofs_layout
import proofs_pci
import proofs_udma
import proofs_xtensa
from model import TableError

PROOFS = (proofs_layout.PROOFS + proofs_cross.PROOFS + proofs_device.PROOFS +
          proofs_blocks.PROOFS + proofs_hal.PROOFS + proofs_udma.PROOFS + proofs_pci.PROOFS +
          proofs_xtensa.PROOFS)


def refusals(tables):
    """The first row each proof refuses, as text with file, line and row."""
    found = []
    for proof in PROOFS:
        try:
            proof(tables)
        except TableError as error:
            found.append(str(error))
    return found
