"""What several processes of a store share: PostgreSQL, an object store, and nginx in front, each a
real one in a process of its own that ends with this test."""

import json
import os
import pathlib
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path += [str(HERE.parent / "Faults"), str(HERE.parent / "ServerClients")]

from shop import spawner  # noqa: E402

#: What nginx waits for nobody longer than.
PATIENCE = 60


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def begin(*words, **options):
    """A process that ends with the thread that starts all of them."""
    return spawner.submit(
        subprocess.Popen, ["setpriv", "--pdeathsig", "TERM", *map(str, words)], **options).result()


def wait_for(what, is_there, process=None, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if is_there():
            return
        if process is not None and process.poll() is not None:
            break
        time.sleep(0.05)
    raise RuntimeError(f"{what} is not there")


class Postgres:
    """A server of Debian's, which brings to disk what it is told to, and can be restarted."""

    def __init__(self):
        versions = pathlib.Path("/usr/lib/postgresql")
        self.programs = versions / str(max(int(one.name) for one in versions.iterdir())) / "bin"
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="openstore-postgres-"))
        self.folder.chmod(0o755)
        self.user = []
        if os.geteuid() == 0:
            # initdb refuses to work for root.
            known = pwd.getpwnam("postgres")
            os.chown(self.folder, known.pw_uid, known.pw_gid)
            self.user = ["--reuid=postgres", "--regid=postgres", "--clear-groups"]
        self.port = free_port()
        self.log = self.folder / "postgres.log"
        self.process = None
        # Another order of texts than the store's, so that what depends on it is found.
        made = subprocess.run(
            ["setpriv", *self.user, "--", self.programs / "initdb", "-D", self.folder / "data",
             "-U", "shop", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8",
             "--locale-provider=icu", "--icu-locale=en-US"],
            capture_output=True, text=True, cwd=self.folder)
        if made.returncode != 0:
            raise RuntimeError(made.stderr)
        self.start()
        self.run("CREATE DATABASE shop TEMPLATE template0 ENCODING 'UTF8'", "postgres")

    @property
    def url(self):
        return self.address("shop")

    def address(self, database):
        return f"postgres://shop@127.0.0.1:{self.port}/{database}"

    def start(self):
        log = open(self.log, "a")
        self.process = begin(
            *self.user, "--", self.programs / "postgres", "-D", self.folder / "data",
            "-k", self.folder, "-p", self.port, "-c", "listen_addresses=127.0.0.1",
            "-c", "max_connections=120", "-c", "log_min_messages=warning",
            stdout=log, stderr=subprocess.STDOUT, cwd=self.folder)
        log.close()
        wait_for("PostgreSQL", self.answers, self.process)

    def answers(self):
        return subprocess.run(
            ["psql", "-X", "-q", self.address("postgres"), "-c", "SELECT 1"],
            capture_output=True).returncode == 0

    def stop(self, kind=signal.SIGINT):
        """SIGINT ends sessions, SIGQUIT everything at once: then the log is read at the start."""
        if self.process is None:
            return
        self.process.send_signal(kind)
        self.process.wait(timeout=PATIENCE)

    def restart(self, measure):
        self.stop(signal.SIGQUIT if measure < 0.5 else signal.SIGINT)
        time.sleep(measure)
        self.start()

    def run(self, sql, database="shop"):
        """The rows, as lists of texts."""
        done = subprocess.run(
            ["psql", "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1",
             self.address(database), "-c", sql], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return [line.split("\t") for line in done.stdout.splitlines()]

    def close(self):
        if self.process is not None and self.process.poll() is None:
            self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)


class Objects:
    """moto, from PyPI (Scripts/s3-server.sh)."""

    BUCKET = "contract"

    def __init__(self):
        python = ROOT / ".build/s3-server/venv/bin/python"
        if not python.exists():
            raise RuntimeError(f"There is no {python}; run Scripts/s3-server.sh first.")
        self.process = begin(
            python, ROOT / "Tests/Support/S3/server.py", stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        said = json.loads(self.process.stdout.readline())
        self.address = said["address"]
        #: What `openstore` has to know of it.
        self.environment = {
            "AWS_ACCESS_KEY_ID": said["key"], "AWS_SECRET_ACCESS_KEY": said["secret"],
            "OPENSTORE_CONTENT": f"s3://{self.BUCKET}/shop?endpoint={self.address}"}

    def close(self):
        self.process.stdin.close()
        self.process.terminate()
        self.process.wait()


class Gateway:
    """nginx with Deployment/nginx.conf, of which only addresses and files are others."""

    def __init__(self, folder, ports, certificate=None):
        """`certificate`: PEM files of a certificate and its key; plain HTTP without."""
        self.folder = folder
        self.port = free_port()
        scheme = "https" if certificate else "http"
        self.address = f"{scheme}://127.0.0.1:{self.port}"
        text = (ROOT / "Deployment/nginx.conf").read_text()
        for example, port in zip((8081, 8082, 8083), ports, strict=True):
            text = self.replaced(rf"127\.0\.0\.1:{example}(?= max)", f"127.0.0.1:{port}", text)
        # Links from HTTP to HTTPS are another port's.
        text = self.replaced(r"\nserver \{\n    listen 80;.*?\n\}\n", "", text)
        if certificate:
            text = self.replaced("listen 443 ssl", f"listen 127.0.0.1:{self.port} ssl", text)
            text = self.replaced("/etc/openstore/fullchain.pem", str(certificate[0]), text)
            text = self.replaced("/etc/openstore/privkey.pem", str(certificate[1]), text)
        else:
            text = self.replaced("listen 443 ssl http2", f"listen 127.0.0.1:{self.port}", text)
            text = self.replaced(r"\n    ssl_[^\n]*", "", text)
            text = self.replaced(r"\n    add_header Strict[^\n]*", "", text)
        temporary = "\n".join(
            f"{kind}_temp_path {folder}/nginx-{kind};"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = "user root;" if os.geteuid() == 0 else ""
        file = folder / "nginx.conf"
        file.write_text(f"""{user}
daemon off;
worker_processes 2;
pid {folder}/nginx.pid;
error_log {folder}/nginx-errors.log warn;
events {{ worker_connections 2048; }}
http {{
access_log {folder}/nginx.log;
{temporary}
{text}
}}
""")
        self.process = begin("/usr/sbin/nginx", "-c", file, stderr=subprocess.DEVNULL)
        wait_for("nginx", self.listens, self.process)

    @staticmethod
    def replaced(pattern, text, whole):
        """Fails where the example has changed so that nothing is replaced."""
        changed, count = re.subn(pattern, text, whole, flags=re.DOTALL)
        if not count:
            raise RuntimeError(f"Deployment/nginx.conf has no {pattern}")
        return changed

    def listens(self):
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", self.port)) == 0

    def close(self):
        self.process.terminate()
        self.process.wait()
