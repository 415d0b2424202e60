"""A small mail server on this machine: it speaks SMTP over a socket, keeps what it takes and refuses what it is told
to."""

import base64
import email
import email.policy
import socketserver
import threading
from email.message import EmailMessage
from typing import Any


class MailServer(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, *, refuses: dict[str, int] | None = None, wants: tuple[str, str] | None = None) -> None:
        """`refuses`: the code for an address; `wants`: the only name and password it lets in."""
        super().__init__(("127.0.0.1", 0), _Conversation)
        self.refuses, self.wants = refuses or {}, wants
        self.letters: list[EmailMessage] = []
        self.goes_away_after = 10**9  # letters; then it hangs up
        self.thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def mail(self, **given: Any) -> dict[str, Any]:
        """As settings.MAIL has it."""
        server = {"host": "127.0.0.1", "port": self.port, "timeout": 5, "username": "", "password": ""}
        return {"sender": "assay@example.org", "server": {**server, "use_tls": False, "use_ssl": False, **given}}

    def to(self, address: str) -> EmailMessage:
        [letter] = [letter for letter in self.letters if letter["To"] == address]
        return letter

    def end(self) -> None:
        self.shutdown()
        self.server_close()
        self.thread.join(5)


class _Conversation(socketserver.StreamRequestHandler):
    server: MailServer

    def say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())

    def handle(self) -> None:
        self.is_known = self.server.wants is None
        self.say("220 a small mail server")
        while line := self.rfile.readline().decode().strip():
            verb = line.split()[0].upper().partition(":")[0]
            if verb == "QUIT":
                return self.say("221 bye")
            getattr(self, f"do_{verb.lower()}", self.do_not)(line)

    def do_not(self, line: str) -> None:
        self.say("502 not here")

    def do_ehlo(self, line: str) -> None:
        self.say("250-here")
        self.say("250 AUTH PLAIN")

    def do_auth(self, line: str) -> None:
        _, name, password = base64.b64decode(line.split()[2]).decode().split("\0")
        self.is_known = (name, password) == self.server.wants
        self.say("235 known" if self.is_known else "535 not known")

    def do_mail(self, line: str) -> None:
        self.say("250 yes" if self.is_known else "530 who are you")

    def do_rcpt(self, line: str) -> None:
        address = line.partition("<")[2].partition(">")[0]
        code = self.server.refuses.get(address)
        self.say(f"{code} not {address}" if code else "250 yes")

    def do_rset(self, line: str) -> None:
        self.say("250 yes")

    def do_data(self, line: str) -> None:
        if len(self.server.letters) >= self.server.goes_away_after:
            self.say("421 going away")
            self.connection.close()
            return
        self.say("354 go on")
        lines = []
        while (part := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(part.removeprefix(b".") if part.startswith(b"..") else part)
        letter = email.message_from_bytes(b"".join(lines), policy=email.policy.default)
        assert isinstance(letter, EmailMessage)
        self.server.letters.append(letter)
        self.say("250 taken")
