"""Runs the tests of this folder with `openstore intercept run`: the libraries ask Apple's hosts, and
reach a store on this machine. What follows on the command line goes to pytest."""

import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from store import PROGRAMS, Store

with Store(serve=["--intercept", "127.0.0.1:0", "--allow-local-notifications"]) as store:
    done = subprocess.run(
        [PROGRAMS / "openstore", "intercept", "run", "--data", store.data, "--",
         sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", HERE, HERE,
         *sys.argv[1:]],
        env={**os.environ, "OPENSTORE_TEST_STORE": str(store.path)})
    # With what the store said, where something went wrong.
    if done.returncode != 0:
        print("\n".join((store.path / "serve.log").read_text().splitlines()[-40:]))
sys.exit(done.returncode)
