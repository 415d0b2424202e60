"""Which addresses may be called: the table of ways round (server-side request forgery)."""

import pytest

from annotator.domain.errors import Invalid
from exports.domain.hosts import MAX_ADDRESS, Address, Host, parse_address, parse_host, why_not_called

NAMED = [parse_host(text) for text in ("hooks.example.org", "hooks.example.org:8443", "127.0.0.1:9000", "[::1]:9000")]


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("hooks.example.org", Host("hooks.example.org")),
        ("Hooks.Example.ORG:8443", Host("hooks.example.org", 8443)),
        ("hooks_2.example.org", Host("hooks_2.example.org")),
        ("xn--bcher-kva.example", Host("xn--bcher-kva.example")),
        ("127.0.0.1:9000", Host("127.0.0.1", 9000)),
        ("[::1]:9000", Host("::1", 9000)),
        ("[2001:DB8:0::1]", Host("2001:db8::1")),
        ("localhost", Host("localhost")),
    ],
)
def test_hosts_as_an_operator_names_them(text: str, host: Host) -> None:
    assert parse_host(text) == host
    assert parse_host(str(host)) == host


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            ":80",
            "a b",
            "-a.example",
            "a-.example",
            "a..b",
            ".a",
            "a/b",
            "user@a",
            "a:b",
            "a:0",
            "a:65536",
            "a:080000",
        ),
        *("::1", "[::1", "[::1]9000", "[fe80::1%eth0]", "[::g]", "[127.0.0.1]", "[::ffff:127.0.0.1]"),
        *("127.1", "0x7f.0.0.1", "0x7f000001", "2130706433", "0177.0.0.1", "127.0.0.01", "127.0.0.1.", "256.1.1.1"),
        *("hooks.example.org.", "bücher.example", "ｈooks.example.org", "127。0。0。1", "hooks.example.org\n"),
        "a" * 64,
        ".".join(["a" * 60] * 5),
    ],
)
def test_what_is_no_host_or_none_in_the_one_way_to_write_it(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_host(text)


@pytest.mark.parametrize(
    "text",
    [
        "https://hooks.example.org",
        "https://hooks.example.org/assay?key=a%20b&x=[1]",
        "http://HOOKS.example.org:80/",
        "https://hooks.example.org:443/",
        "https://hooks.example.org:8443/",
        "http://hooks.example.org:8443/",
        "http://127.0.0.1:9000/",
        "http://[::1]:9000/",
        "http://[0:0::1]:9000/",
    ],
)
def test_addresses_on_hosts_that_are_named(text: str) -> None:
    assert parse_address(text).is_on(NAMED)


@pytest.mark.parametrize(
    "text",
    [
        "https://hooks.example.org:9443/",  # another port
        "http://hooks.example.org:443/",  # the usual port of the other scheme
        "http://127.0.0.1/",
        "http://127.0.0.1:9001/",
        "http://localhost:9000/",
        "http://[::]:9000/",
        "http://0.0.0.0:9000/",
        "http://evil.hooks.example.org/",
        "http://hooks.example.org.evil.example/",
        "http://169.254.169.254/latest/meta-data",
    ],
)
def test_addresses_on_hosts_that_are_not(text: str) -> None:
    assert not parse_address(text).is_on(NAMED)
    assert not parse_address("http://hooks.example.org/").is_on([])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no address"),
        ("hooks.example.org", "begins with https"),
        ("ftp://hooks.example.org/", "begins with https"),
        ("file:///etc/passwd", "begins with https"),
        ("gopher://127.0.0.1:9000/_x", "begins with https"),
        ("//hooks.example.org/", "begins with https"),
        ("https:///path", "host"),
        ("https://user:password@hooks.example.org/", "user and password"),
        ("https://hooks.example.org@evil.example/", "user and password"),
        ("https://hooks.example.org#@evil.example/", "after the #"),
        ("https://hooks.example.org/#part", "after the #"),
        ("https://evil.example\\@hooks.example.org/", "no address"),
        ("https://hooks.example.org\\.evil.example/", "no address"),
        ("https://hooks.example.org/a b", "no address"),
        ("https://hooks.example.org/\r\nHost: x", "no address"),
        ("https://hooks.exa\tmple.org/", "no address"),
        (" https://hooks.example.org/", "no address"),
        ("https://hooks.example.org/\x00", "no address"),
        ("https://bücher.example/", "plain letters"),
        ("https://hooks.example.org/ä", "plain letters"),
        ("https://ⓗooks.example.org/", "plain letters"),
        ("https://hooks%2eexample.org/", "no name of a host"),
        ("https://hooks.example.org./", "without the dot"),
        ("http://2130706433:9000/", "no IPv4 address"),  # decimal
        ("http://017700000001:9000/", "no IPv4 address"),  # octal
        ("http://0177.0.0.1:9000/", "no IPv4 address"),
        ("http://0x7f000001:9000/", "no IPv4 address"),  # hexadecimal
        ("http://0x7f.0x0.0x0.0x1:9000/", "no IPv4 address"),
        ("http://127.1:9000/", "no IPv4 address"),
        ("http://127.0.0.1.:9000/", "without the dot"),
        ("http://[::ffff:127.0.0.1]:9000/", "IPv4 address 127.0.0.1"),  # mapped
        ("http://[::ffff:7f00:1]:9000/", "IPv4 address 127.0.0.1"),
        ("http://[::1%25lo]:9000/", "not right|no address"),
        ("http://[v1.a]:9000/", "not right|no address"),
        ("http://[::1:9000/", "not right|no address"),
        ("http://hooks.example.org:99999/", "no port"),
        ("http://hooks.example.org:/", "no host"),
        (f"https://hooks.example.org/{'a' * MAX_ADDRESS}", "characters at the most"),
    ],
)
def test_what_is_no_address_of_a_webhook(text: str, says: str) -> None:
    with pytest.raises(Invalid, match=says) as refusal:
        parse_address(text)
    assert refusal.value.problems[0].path == "url"


def test_what_is_asked_for() -> None:
    assert parse_address("https://a.example") == Address("https", Host("a.example"), "/")
    assert parse_address("https://a.example?b=c").target == "/?b=c"
    assert (parse_address("http://a.example:81/x").port, parse_address("https://a.example").port) == (81, 443)


FORBIDDEN = [
    *("127.0.0.1", "127.8.9.10", "::1"),  # loopback
    *("::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:0:0:0:0:80ff:fffe"),  # in disguise
    *(
        "169.254.169.254",
        "169.254.0.1",
        "fe80::1",
        "fe80::1%2",
        "::ffff:169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "fec0::1",
    ),
    *("fd00:ec2::254", "100.100.100.200", "168.63.129.16", "192.0.0.192"),  # where clouds tell secrets
    *("0.0.0.0", "0.1.2.3", "::", "::ffff:0.0.0.0"),
    *("224.0.0.1", "239.1.2.3", "ff02::1"),  # multicast
    *("240.0.0.1", "255.255.255.255"),
]


@pytest.mark.parametrize("ip", FORBIDDEN)
def test_what_no_name_may_lead_to(ip: str) -> None:
    assert "hooks.example.org leads to" in why_not_called(Host("hooks.example.org"), ip)


@pytest.mark.parametrize(
    "ip",
    [
        "93.184.216.34",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "fd12::1",
        "2606::1",
        "64:ff9b::5db8:d822",
    ],
)
def test_what_a_name_may_lead_to_private_networks_among_them(ip: str) -> None:
    assert why_not_called(Host("hooks.example.org"), ip) == ""


@pytest.mark.parametrize("ip", FORBIDDEN[:3])
def test_an_ip_address_that_was_named_is_what_it_is(ip: str) -> None:
    assert why_not_called(Host(ip, 9000), ip) == ""
    assert why_not_called(Host(ip, 9000), "10.0.0.1")
