"""Which hosts may be asked: a public address, written as everybody writes it, or an exception that is configured.

Whoever names a URL names a host, and the fetch comes from inside of our network. So a host is first looked at as
text, where only canonical names and addresses pass: `2130706433`, `0x7f.1` and `0177.0.0.1` are no addresses to
Python, and yet a resolver turns each into 127.0.0.1. Then every address that it resolves to is compared with the
table below. `ipaddress.is_private` is no guard: loopback wrapped by NAT64 or 6to4 counts as global there.

Source: the IANA registries of special-purpose IPv4 and IPv6 addresses; RFC 6052 (NAT64), 3056 (6to4), 4380 (Teredo),
5214 (ISATAP); the URL standard of WHATWG, "ends in a number".
"""

import ipaddress
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import httpx

from graphrag.errors import ConfigurationError

__all__ = ["Address", "AddressRules", "HostNameError", "Judgement", "canonical_host", "refusal_of"]

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
_Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

_MAX_HOST_CHARS = 253
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")

_PRIVATE = "private"
_METADATA = "of a cloud's own services (metadata)"
_OWN_NETWORKS = frozenset({_PRIVATE, "loopback", "shared by carriers (CGNAT)", "unique-local"})
"""What a name among the exceptions opens; anything else only opens for a network that is named."""

_IPV4: tuple[tuple[_Network, str], ...] = tuple(
    (ipaddress.IPv4Network(network), kind)
    for network, kind in (
        ("168.63.129.16/32", _METADATA),  # Azure: a public address that answers from inside
        ("169.254.169.254/32", _METADATA),
        ("169.254.170.2/32", _METADATA),  # AWS: credentials of tasks
        ("100.100.100.200/32", _METADATA),  # Alibaba
        ("192.0.0.192/32", _METADATA),  # Oracle
        ("0.0.0.0/8", "unspecified"),
        ("10.0.0.0/8", _PRIVATE),
        ("100.64.0.0/10", "shared by carriers (CGNAT)"),
        ("127.0.0.0/8", "loopback"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", _PRIVATE),
        ("192.0.0.0/24", "reserved"),
        ("192.0.2.0/24", "reserved (documentation)"),
        ("192.88.99.0/24", "reserved (6to4 relays)"),
        ("192.168.0.0/16", _PRIVATE),
        ("198.18.0.0/15", "reserved (measurements)"),
        ("198.51.100.0/24", "reserved (documentation)"),
        ("203.0.113.0/24", "reserved (documentation)"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
    )
)
_IPV6: tuple[tuple[_Network, str], ...] = tuple(
    (ipaddress.IPv6Network(network), kind)
    for network, kind in (
        ("fd00:ec2::/32", _METADATA),  # AWS
        ("fd20:ce::254/128", _METADATA),  # Google
        ("::/128", "unspecified"),
        ("::1/128", "loopback"),
        ("::ffff:0:0/96", "IPv4 in another spelling (mapped)"),
        ("::/96", "IPv4 in another spelling (compatible)"),
        ("64:ff9b:1::/48", "NAT64 of a network of one's own"),
        ("2001::/32", "Teredo"),
        ("2001::/23", "reserved"),
        ("2001:db8::/32", "reserved (documentation)"),
        ("2002::/16", "6to4"),
        ("3fff::/20", "reserved (documentation)"),
        ("fc00::/7", "unique-local"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "site-local"),
        ("ff00::/8", "multicast"),
    )
)
_GLOBAL = ipaddress.IPv6Network("2000::/3")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_ISATAP = frozenset({0x00005EFE, 0x02005EFE})


class HostNameError(ValueError):
    """A host is not written in its canonical form; the message says what is accepted."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is to be done with an address.

    Attributes:
        refusal: Why it must not be asked; empty where it may be.
        by_exception: Whether it may be for the sake of a setting alone.
    """

    refusal: str = ""
    by_exception: bool = False


def canonical_host(host: str) -> str:
    """Return a host as it is asked for: a name in lower-case ASCII, or an address in its shortest form.

    A name of other letters is returned as IDNA 2008 writes it. A dot at the end of a name is left out.

    Args:
        host: As it stands in a URL, an IPv6 address without its brackets.

    Raises:
        HostNameError: It is no name, or one of the spellings that resolvers take for an IPv4 address.
    """
    if ":" in host:
        return _ipv6(host)
    name = (host if host.isascii() else _idna(host)).lower()
    if host.isascii() and (address := _ipv4(name)) is not None:
        return str(address)
    labels = name.removesuffix(".").split(".")
    if _NUMBER.fullmatch(labels[-1]):
        msg = f"{host[:80]!r} is another spelling of an IPv4 address; write it as four numbers, such as `192.0.2.7`"
        raise HostNameError(msg)
    if len(name) > _MAX_HOST_CHARS or not all(_LABEL.fullmatch(label) for label in labels):
        msg = f"{host[:80]!r} is no host name; it must be letters, digits and hyphens between dots"
        raise HostNameError(msg)
    return ".".join(labels)


def refusal_of(address: Address) -> str:
    """Return of which kind an address is that no stranger may have us ask; empty for a public one."""
    table = _IPV4 if address.version == 4 else _IPV6  # noqa: PLR2004 - the version of IP
    kind = next((kind for network, kind in table if address in network), "")
    if kind or isinstance(address, ipaddress.IPv4Address):
        return kind
    if address in _NAT64:
        inner = refusal_of(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        return f"NAT64 of an IPv4 address that is {inner}" if inner else ""
    if address not in _GLOBAL:
        return "reserved"
    if int(address) >> 32 & 0xFFFFFFFF in _ISATAP:
        inner = refusal_of(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        return f"ISATAP of an IPv4 address that is {inner}" if inner else ""
    return ""


class AddressRules:
    """Judges addresses; public ones may be asked, and those that a setting excepts.

    A network among the exceptions opens the addresses in it, as they are written: `127.0.0.0/8` does not open
    `::ffff:127.0.0.1`. A name opens what it resolves to, as far as that is private, loopback, shared by carriers or
    unique-local: the metadata of a cloud, for one, only open to a network that holds them.

    Args:
        allowed: The exceptions: names (`wiki.corp.example`), addresses, networks (`10.1.0.0/16`).

    Raises:
        ConfigurationError: One of them is none of these.
    """

    def __init__(self, allowed: Sequence[str] = ()) -> None:
        names: set[str] = set()
        networks: list[_Network] = []
        for entry in allowed:
            network = _network(entry)
            if network is None:
                names.add(_allowed_name(entry))
            else:
                networks.append(network)
        self._names = frozenset(names)
        self._networks = tuple(networks)

    def judge(self, host: str, addresses: Iterable[Address]) -> Judgement:
        """Judge a host by all addresses that it resolves to: one that is refused refuses the host.

        Args:
            host: In its canonical form.
            addresses: What it resolves to; at least one.
        """
        by_exception = False
        for address in addresses:
            kind = refusal_of(address)
            if not kind:
                continue
            if not self._excepted(host, address, kind):
                return Judgement(refusal=kind)
            by_exception = True
        return Judgement(by_exception=by_exception)

    def _excepted(self, host: str, address: Address, kind: str) -> bool:
        return any(address in network for network in self._networks) or (host in self._names and kind in _OWN_NETWORKS)


def _ipv4(text: str) -> ipaddress.IPv4Address | None:
    try:
        return ipaddress.IPv4Address(text)
    except ValueError:
        return None


def _ipv6(text: str) -> str:
    try:
        address = ipaddress.IPv6Address(text)
    except ValueError as error:
        msg = f"{text[:80]!r} is no IPv6 address; write it as in `[2001:db8::7]`"
        raise HostNameError(msg) from error
    if address.scope_id is not None:
        msg = f"{text[:80]!r} names an interface of this machine (`%`); no such address is asked"
        raise HostNameError(msg)
    return str(address)


def _idna(host: str) -> str:
    """Return the name in ASCII. IDNA 2008 has no capitals, no full-width digits, and no digits in circles."""
    try:
        return httpx.URL(scheme="http", host=host, path="/").raw_host.decode("ascii")
    except (httpx.InvalidURL, UnicodeError) as error:
        msg = f"{host[:80]!r} is no host name by IDNA 2008; write it in lower case, or in its form with `xn--`"
        raise HostNameError(msg) from error


def _network(text: str) -> _Network | None:
    try:
        return ipaddress.ip_network(text.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None


def _allowed_name(text: str) -> str:
    try:
        return canonical_host(text)
    except HostNameError as error:
        msg = (
            f"setting `web.allowed_hosts`: {text[:80]!r} is no host name, address or network; "
            f"write them as `wiki.example`, `10.1.2.3` or `10.1.0.0/16` (without bits behind the mask)"
        )
        raise ConfigurationError(msg) from error
