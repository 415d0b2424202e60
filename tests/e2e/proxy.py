"""A bad network between browser and server: slow, deaf in one direction, or gone. Real sockets, no mocks."""

import contextlib
import socket
import threading
import time


class Proxy:
    """`mode`: "open"; "slow" (responses wait `delay` s); "lose requests"; "lose responses"; "down"."""

    def __init__(self, upstream_port: int) -> None:
        self.upstream_port, self.mode, self.delay = upstream_port, "open", 0.0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.lost = 0
        self.pairs: set[tuple[socket.socket, socket.socket]] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def set(self, mode: str, delay: float = 0.0) -> None:
        self.mode, self.delay = mode, delay
        if mode == "down":
            for pair in list(self.pairs):
                self._cut(pair)

    def close(self) -> None:
        self.listener.close()
        self.set("down")

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            if self.mode == "down":
                client.close()
                continue
            try:
                server = socket.create_connection(("127.0.0.1", self.upstream_port), timeout=5)
                server.settimeout(None)
            except OSError:
                client.close()
                continue
            pair = (client, server)
            self.pairs.add(pair)
            threading.Thread(target=self._to_server, args=(pair,), daemon=True).start()
            threading.Thread(target=self._to_client, args=(pair,), daemon=True).start()

    def _cut(self, pair: tuple[socket.socket, socket.socket]) -> None:
        self.pairs.discard(pair)
        for end in pair:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _to_server(self, pair: tuple[socket.socket, socket.socket]) -> None:
        client, server = pair
        try:
            while data := client.recv(65536):
                if self.mode in ("down", "lose requests"):
                    self.lost += 1
                    break
                server.sendall(data)
        except OSError:
            pass
        self._cut(pair)

    def _to_client(self, pair: tuple[socket.socket, socket.socket]) -> None:
        client, server = pair
        try:
            while data := server.recv(65536):
                if self.mode == "slow":
                    time.sleep(self.delay)
                if self.mode in ("down", "lose responses"):
                    self.lost += 1
                    break
                client.sendall(data)
        except OSError:
            pass
        self._cut(pair)
