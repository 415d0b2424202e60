"""Which addresses Assay may call, if it calls any: those on hosts that the operator has named, and nothing behind them
that nobody named."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from annotator.domain.errors import Invalid

MAX_ADDRESS = 500  # characters of a webhook's address
PORTS = {"http": 80, "https": 443}
_LIKE_AN_ADDRESS = re.compile(r"[A-Za-z0-9\-._~:/?\[\]@!$&'()*+,;=%]+")
_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*")
_A_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_WITH_PORT = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\[\]:]+)(?::([0-9]{1,5}))?")
# IPv4 inside IPv6, beside what `ipaddress` knows by itself: NAT64 (RFC 6052), and addresses "compatible with IPv4".
_WRAPPINGS = (IPv6Network("64:ff9b::/96"), IPv6Network("::/96"))
# Where clouds tell a machine its secrets, as far as that is not link-local.
_OF_CLOUDS = frozenset(map(ip_address, ("fd00:ec2::254", "100.100.100.200", "168.63.129.16", "192.0.0.192")))
IPAddress = IPv4Address | IPv6Address


@dataclass(frozen=True)
class Host:
    """`name` is in small letters; of an IP address, as it is written out. No port: the usual one of the scheme."""

    name: str
    port: int | None = None

    @property
    def is_ip(self) -> bool:
        return ":" in self.name or _A_NUMBER.fullmatch(self.name.rpartition(".")[2]) is not None

    def __str__(self) -> str:
        name = f"[{self.name}]" if ":" in self.name else self.name
        return f"{name}:{self.port}" if self.port else name


@dataclass(frozen=True)
class Address:
    scheme: str
    host: Host
    target: str  # path and query, as they are asked for

    @property
    def port(self) -> int:
        return self.host.port or PORTS[self.scheme]

    @property
    def is_safe(self) -> bool:
        return self.scheme == "https"

    def is_on(self, named: Iterable[Host]) -> bool:
        """A host that is named without a port is named with the usual one of each scheme."""
        usual = PORTS[self.scheme]
        return any(host.name == self.host.name and (host.port or usual) == self.port for host in named)


def parse_host(text: str) -> Host:
    """As the operator names it, or as it stands in an address. One way to write each: what some programs read as an
    address of digits, in octal or hexadecimal, is none."""
    found = _WITH_PORT.fullmatch(text)
    if found is None:
        raise ValueError(f"“{text[:100]}” is no host, such as hooks.example.org, 127.0.0.1:9000 or [::1]:9000")
    name, port = found[1].lower(), int(found[2]) if found[2] else None
    if port is not None and not 0 < port < 65536:
        raise ValueError(f"there is no port {port}")
    return Host(_ipv6(name[1:-1]) if name[0] == "[" else _name(name), port)


def _ipv6(text: str) -> str:
    try:
        found = IPv6Address(text)
    except ValueError:
        raise ValueError(f"“[{text}]” is no IPv6 address") from None
    if found.ipv4_mapped:
        raise ValueError(f"write “[{text}]” as the IPv4 address {found.ipv4_mapped}")
    return str(found)


def _name(text: str) -> str:
    if text.endswith("."):
        raise ValueError("write the host without the dot at its end")
    if not text.isascii():
        raise ValueError("write the host in its form of plain letters, which begins with xn--")
    if _A_NUMBER.fullmatch(text.rpartition(".")[2]):
        try:
            return str(IPv4Address(text))
        except ValueError:
            raise ValueError(f"“{text}” is no IPv4 address: write it as four decimal numbers") from None
    if len(text) > 253 or not _NAME.fullmatch(text):
        raise ValueError(f"“{text[:100]}” is no name of a host")
    return text


def parse_address(text: str) -> Address:
    """Of a webhook: http or https, without user or fragment."""
    if len(text) > MAX_ADDRESS:
        raise _wrong(f"An address has {MAX_ADDRESS} characters at the most.")
    if "#" in text:
        raise _wrong("Leave out what stands after the # of the address: it is never sent.")
    if not _LIKE_AN_ADDRESS.fullmatch(text):
        if not text.isascii():
            raise _wrong("Write the address in plain letters: a host as xn--…, other characters as %C3%A4.")
        raise _wrong("This is no address, such as https://hooks.example.org/assay.")
    try:
        found = urlsplit(text)
    except ValueError:
        raise _wrong("This is no address, such as https://hooks.example.org/assay.") from None
    if found.scheme not in PORTS:
        raise _wrong("The address begins with https:// or http://.")
    if "@" in found.netloc:
        raise _wrong("Leave the user and password out of the address: what is sent is signed instead.")
    try:
        host = parse_host(found.netloc)
    except ValueError as error:
        raise _wrong(f"The host of the address is not right: {error}.") from None
    target = (found.path or "/") + (f"?{found.query}" if found.query else "")
    return Address(found.scheme, host, target)


def is_on_named(text: str, named: Iterable[Host]) -> bool:
    try:
        return parse_address(text).is_on(named)
    except Invalid:
        return False


def _wrong(message: str) -> Invalid:
    return Invalid.of("url", message, "url")


def why_not_called(host: Host, address: str) -> str:
    """Why what a name leads to is not called; "" where it may be. An IP address that the operator named is what it is.
    Private networks may be called by name, for operators have their own; this machine and its neighbours may not."""
    if host.is_ip:
        return "" if str(ip_address(address)) == host.name else "it leads somewhere else"
    word = _forbidden(_innermost(ip_address(address)))
    return f"{host.name} leads to {word}" if word else ""


def _forbidden(ip: IPAddress) -> str:
    if ip.is_loopback:
        return "this very machine (loopback)"
    if ip.is_link_local or (isinstance(ip, IPv6Address) and ip.is_site_local):
        return "a link-local address"
    if ip.is_multicast:
        return "a multicast address"
    if ip in _OF_CLOUDS:
        return "an address for the secrets of machines"
    if ip.is_unspecified or ip.is_reserved or (isinstance(ip, IPv4Address) and ip.packed[0] == 0):
        return "an address that nobody has"
    return ""


def _innermost(ip: IPAddress) -> IPAddress:
    """The IPv4 address that an IPv6 address stands for, where it does."""
    if isinstance(ip, IPv4Address) or ip.is_loopback or ip.is_unspecified:
        return ip
    if any(ip in network for network in _WRAPPINGS):
        return IPv4Address(ip.packed[-4:])
    return ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else ip)
