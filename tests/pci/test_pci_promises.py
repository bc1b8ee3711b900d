#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What include/trench/pci.h promises that the library does not do: it cannot, as it imports no function that does.
usage: test_pci_promises.py LIBTRENCH.SO"""
import subprocess
import sys

FORBIDDEN = {
    "ends the process": "exit _exit _Exit quick_exit abort __assert_fail __assert err errx verr",
    "raises or handles signals": "raise kill tgkill signal sigaction alarm setitimer",
    "reads or changes the environment": "getenv secure_getenv __secure_getenv setenv putenv unsetenv clearenv setlocale",
    "prints": "printf __printf_chk vprintf __vprintf_chk puts putchar fputs perror stdout stderr syslog",
    "starts processes": "fork vfork posix_spawn posix_spawnp popen system execve execv execvp execl",
}
#: what the library must import, or the list was not read: callers' threads and memory
EXPECTED = ("malloc", "free", "memcpy")


def imports(library):
    done = subprocess.run(["nm", "-D", "--undefined-only", library], capture_output=True, text=True, check=True)
    return {line.split()[-1].split("@")[0] for line in done.stdout.splitlines()}


def main():
    found = imports(sys.argv[1])
    problems = [f"{name} {what}" for what, names in FORBIDDEN.items() for name in names.split() if name in found]
    problems += [f"{name} is not imported: is this the library?" for name in EXPECTED if name not in found]
    for problem in problems:
        print(f"{sys.argv[1]}: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
