"""Which hosts may be asked (THREATS, finding 10; 48, 49)."""

import ipaddress
import socket

import pytest
from hypothesis import given, strategies as st

from graphrag.errors import ConfigurationError
from graphrag.ingestion.sources.addresses import AddressRules, HostNameError, canonical_host, refusal_of

PUBLIC = ("93.184.215.14", "1.1.1.1", "8.8.8.8", "2606:4700:4700::1111", "2a00:1450:4001:80b::200e")
REFUSED = {
    "0.0.0.0": "unspecified",  # noqa: S104 - an address to refuse
    "10.0.0.1": "private",
    "172.16.5.4": "private",
    "172.31.255.255": "private",
    "192.168.1.1": "private",
    "127.0.0.1": "loopback",
    "127.255.255.254": "loopback",
    "100.64.0.1": "shared by carriers",
    "100.127.255.255": "shared by carriers",
    "169.254.1.1": "link-local",
    "169.254.169.254": "metadata",
    "169.254.170.2": "metadata",
    "168.63.129.16": "metadata",
    "100.100.100.200": "metadata",
    "192.0.0.192": "metadata",
    "192.0.0.8": "reserved",
    "192.0.2.1": "reserved",
    "198.18.0.1": "reserved",
    "198.51.100.7": "reserved",
    "203.0.113.9": "reserved",
    "224.0.0.1": "multicast",
    "239.255.255.250": "multicast",
    "240.0.0.1": "reserved",
    "255.255.255.255": "reserved",
    "::": "unspecified",
    "::1": "loopback",
    "fe80::1": "link-local",
    "fec0::1": "site-local",
    "fc00::1": "unique-local",
    "fd12:3456::1": "unique-local",
    "fd00:ec2::254": "metadata",
    "fd20:ce::254": "metadata",
    "ff02::1": "multicast",
    "2001:db8::1": "reserved",
    "3fff::1": "reserved",
    "100::1": "reserved",
    "4000::1": "reserved",
}
WRAPPED = {
    "::ffff:127.0.0.1": "mapped",
    "::ffff:169.254.169.254": "mapped",
    "::127.0.0.1": "compatible",
    "64:ff9b::127.0.0.1": "NAT64",
    "64:ff9b::a9fe:a9fe": "NAT64",
    "64:ff9b::10.0.0.1": "NAT64",
    "64:ff9b:1::10.0.0.1": "NAT64",
    "2002:7f00:1::": "6to4",
    "2002:a00:1::1": "6to4",
    "2001:0:7f00:1::": "Teredo",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2": "Teredo",
    "2a01:4f8::5efe:10.0.0.1": "ISATAP",
    "2a01:4f8::200:5efe:192.168.0.1": "ISATAP",
}


@pytest.mark.parametrize("text", PUBLIC)
def test_public_addresses_may_be_asked(text: str) -> None:
    assert not refusal_of(ipaddress.ip_address(text))
    assert AddressRules().judge("host.example", [ipaddress.ip_address(text)]).refusal == ""


@pytest.mark.parametrize("text, kind", [*REFUSED.items()])
def test_addresses_that_are_not_public_are_refused(text: str, kind: str) -> None:
    """THREATS 48."""
    assert kind in refusal_of(ipaddress.ip_address(text))


@pytest.mark.parametrize("text, kind", [*WRAPPED.items()])
def test_wrapped_addresses_are_refused(text: str, kind: str) -> None:
    """THREATS 49 and finding 10: several of these count as global in Python 3.11."""
    assert kind in refusal_of(ipaddress.ip_address(text))


def test_nat64_of_a_public_address_may_be_asked() -> None:
    """A network that has IPv6 alone gives such addresses for all hosts that have IPv4 alone."""
    assert not refusal_of(ipaddress.ip_address("64:ff9b::8.8.8.8"))


@given(st.ip_addresses(v=4))
def test_no_wrapping_makes_an_address_public_that_is_not(inner: ipaddress.IPv4Address) -> None:
    """THREATS 49: must be global, and no embedding of an IPv4 address that is not."""
    value = int(inner)
    wrapped = (0xFFFF << 32 | value, value, 0x0064FF9B << 96 | value, 0x2002 << 112 | value << 80)
    isatap = ipaddress.IPv6Address("2a01:4f8::5efe:0:0")
    for number in (*wrapped, int(isatap) | value):
        refused = refusal_of(ipaddress.IPv6Address(number))
        assert refused or not refusal_of(inner)


@given(st.ip_addresses())
def test_what_python_calls_private_is_never_asked(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    if address.is_private or address.is_multicast or address.is_reserved or address.is_link_local:
        assert refusal_of(address) or address in ipaddress.ip_network("64:ff9b::/96")


@pytest.mark.parametrize(
    "host, canonical",
    [
        ("Example.COM", "example.com"),
        ("example.com.", "example.com"),
        ("a-b_c.example", "a-b_c.example"),
        ("localhost", "localhost"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("8.8.8.8", "8.8.8.8"),
        ("2606:4700:0::1111", "2606:4700::1111"),
        ("1e100.net", "1e100.net"),
        ("0x7f.example", "0x7f.example"),
    ],
)
def test_hosts_get_one_form(host: str, canonical: str) -> None:
    assert canonical_host(host) == canonical


SPELLINGS = ("2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0x7f.1")
"""Of 127.0.0.1, the five of finding 10."""


@pytest.mark.parametrize(
    "host",
    [*SPELLINGS, "017700000001", "127.0.1", "127.0.0.1.", "0", "1.2.3.4.5", "256.1.1.1", "0x7f.0.0.0x1", "127.0.0.01"],
)
def test_other_spellings_of_addresses_are_refused(host: str) -> None:
    """THREATS 49: no address to Python, and 127.0.0.1 to a resolver."""
    with pytest.raises(HostNameError, match="another spelling of an IPv4 address"):
        canonical_host(host)


@pytest.mark.parametrize("host", SPELLINGS)
def test_the_resolver_of_this_system_takes_the_spellings(host: str) -> None:
    """What the rule is for: where one of these stops to resolve, the test above still holds."""
    assert {answer[4][0] for answer in socket.getaddrinfo(host, 80, family=socket.AF_INET)} == {"127.0.0.1"}


@pytest.mark.parametrize("host", ["１２７.０.０.１", "127。0。0。1", "①②⑦.⓪.⓪.①", "ｌｏｃａｌｈｏｓｔ"])  # noqa: RUF001
def test_letters_and_digits_of_other_widths_are_refused(host: str) -> None:
    """THREATS 49: a resolver may take them for the ASCII ones."""
    with pytest.raises(HostNameError):
        canonical_host(host)


@pytest.mark.parametrize(
    "host",
    [
        "",
        ".",
        "a..b",
        "-a.example",
        "a-.example",
        "a b",
        "a%20b",
        "a/b",
        "x" * 64,
        f"{'x.' * 130}x",
        "fe80::1%eth0",
        "1::2::3",
    ],
)
def test_what_is_no_host_is_refused(host: str) -> None:
    with pytest.raises(HostNameError):
        canonical_host(host)


@given(st.text(max_size=40))
def test_any_text_is_a_host_in_ascii_or_refused(text: str) -> None:
    try:
        host = canonical_host(text)
    except HostNameError:
        return
    assert host.isascii()
    assert canonical_host(host) == host


def addresses(*texts: str) -> list[ipaddress.IPv4Address | ipaddress.IPv6Address]:
    return [ipaddress.ip_address(text) for text in texts]


def test_one_refused_address_refuses_its_host() -> None:
    """THREATS 48: a name that resolves to a public and a private address is asked at neither."""
    judgement = AddressRules().judge("mixed.example", addresses("8.8.8.8", "10.0.0.1"))
    assert judgement.refusal == "private"


def test_networks_open_the_addresses_in_them_as_they_are_written() -> None:
    rules = AddressRules(("10.1.0.0/16", "127.0.0.1"))
    inside = rules.judge("wiki.example", addresses("10.1.2.3"))
    assert (inside.refusal, inside.by_exception) == ("", True)
    assert not rules.judge("wiki.example", addresses("127.0.0.1")).refusal
    for other in ("10.2.0.1", "127.0.0.2", "::ffff:127.0.0.1", "64:ff9b::10.1.2.3"):
        assert rules.judge("wiki.example", addresses(other)).refusal


def test_names_open_what_they_resolve_to_but_never_metadata() -> None:
    """THREATS 48: whoever runs the name server of an excepted name does not get at a cloud's own services."""
    rules = AddressRules(("Wiki.Corp.Example",))
    assert rules.judge("wiki.corp.example", addresses("10.0.0.7", "fd12::1")).by_exception
    assert rules.judge("other.corp.example", addresses("10.0.0.7")).refusal
    for address in ("169.254.169.254", "fd00:ec2::254", "169.254.1.1", "0.0.0.0", "224.0.0.1"):  # noqa: S104
        assert rules.judge("wiki.corp.example", addresses(address)).refusal
    named = AddressRules(("wiki.corp.example", "169.254.169.254/32"))
    assert named.judge("wiki.corp.example", addresses("169.254.169.254")).by_exception


def test_a_public_host_needs_no_exception() -> None:
    assert not AddressRules(("example.com",)).judge("example.com", addresses("8.8.8.8")).by_exception


@pytest.mark.parametrize("entry", ["10.1.2.3/16", "http://wiki", "127.1", "wiki:80", "", "*.corp.example"])
def test_exceptions_that_mean_nothing_are_refused(entry: str) -> None:
    with pytest.raises(ConfigurationError, match=r"`web\.allowed_hosts`"):
        AddressRules((entry,))
