"""One store of several processes: each has a folder and a port of its own; database, bucket and
keys are shared, and nginx stands in front."""

import shutil
import subprocess

from parts import Gateway, Objects, Postgres, free_port
from shop import Server, Shop


class Cluster(Shop):
    def __init__(self, path, seed, servers=3, is_mountable=False, certificate=None):
        """`certificate`: PEM files of a certificate and its key for nginx; plain HTTP without."""
        super().__init__(path, seed, servers, is_mountable=is_mountable)
        self.certificate = certificate
        self.postgres, self.objects = Postgres(), Objects()
        self.database = self.postgres.url
        self.options = ["--database", self.database]
        self.environment |= self.objects.environment
        self.servers = [Server(self, number, free_port()) for number in range(servers)]

    def serve(self):
        # The first command has made the keys; all servers sign with them.
        keys = self.data / "keys"
        for server in self.servers[1:]:
            folder = self.folder(server.number)
            folder.mkdir(mode=0o700)
            (folder / "keys").symlink_to(keys)
        super().serve()
        self.gateway = Gateway(self.path, self.ports, self.certificate)
        self.address = self.gateway.address

    def restart_database(self, measure):
        self.postgres.restart(measure)

    def keep(self, folder):
        super().keep(folder)
        shutil.copy(self.postgres.log, folder)
        with open(folder / "shop.dump", "wb") as file:
            subprocess.run(
                [self.postgres.programs / "pg_dump", "-Fc", self.database], stdout=file)

    def close(self):
        if self.gateway:
            self.gateway.close()
        super().close()
        self.objects.close()
        self.postgres.close()
