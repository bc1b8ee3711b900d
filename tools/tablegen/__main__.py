# SPDX-License-Identifier: Apache-2.0
"""Compile data/*.csv into C tables: tablegen --data DIR --out DIR."""
import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import emit_act  # noqa: E402
import emit_act_recipes  # noqa: E402
import emit_blocks  # noqa: E402
import emit_choices  # noqa: E402
import emit_device  # noqa: E402
import emit_dispatch  # noqa: E402
import emit_enums  # noqa: E402
import emit_fw_data  # noqa: E402
import emit_fw_known  # noqa: E402
import emit_gen  # noqa: E402
import emit_hal  # noqa: E402
import emit_isa  # noqa: E402
import emit_manual  # noqa: E402
import emit_num  # noqa: E402
import emit_pci  # noqa: E402
import emit_records  # noqa: E402
import emit_regmap  # noqa: E402
import emit_rules  # noqa: E402
import emit_text  # noqa: E402
import emit_timing  # noqa: E402
import emit_ucode  # noqa: E402
import emit_udma  # noqa: E402
import emit_xtensa  # noqa: E402
import model  # noqa: E402
import proofs  # noqa: E402


def main():
    parser = argparse.ArgumentParser(prog="tablegen", description=__doc__)
    parser.add_argument("--data", required=True, help="directory of the tables")
    parser.add_argument("--out", help="directory for the generated C files; without it the tables "
                                      "are only proved")
    args = parser.parse_args()
    try:
        tables = model.load(args.data)
        refused = proofs.refusals(tables)
        for text in refused:
            print(f"tablegen: error: data/{text}", file=sys.stderr)
        if refused or not args.out:
            return 1 if refused else 0
        for emitter in (emit_enums, emit_gen, emit_choices, emit_num, emit_isa, emit_rules, emit_text,
                        emit_dispatch, emit_regmap, emit_blocks, emit_device, emit_records, emit_manual,
                        emit_ucode, emit_hal, emit_udma, emit_pci, emit_fw_known, emit_act, emit_act_recipes,
                        emit_xtensa, emit_fw_data, emit_timing):
            emitter.emit(tables, args.out)
    except model.TableError as error:
        print(f"tablegen: error: data/{error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"tablegen: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
