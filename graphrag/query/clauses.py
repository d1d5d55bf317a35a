"""What a query demands, wishes and excludes, and how that is written for Lucene.

Only `+`, `-`, brackets and terms are written, no operators in words: what they mean next to each other depends on
Lucene's parser, what these mean does not.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["Clauses", "Node", "Occur", "Term", "clauses", "positive_terms", "written"]

Occur = Literal["+", "", "-"]
"""Must be there; counts for the order; must not be there."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word, a phrase or a pattern.

    Attributes:
        lucene: Its escaped form.
        exact: Its lower-cased form where it is an identifier with symbols that an analyzer loses; else empty.
    """

    lucene: str
    exact: str = ""


@dataclass(frozen=True, slots=True)
class Clauses:
    """Terms and groups of them, by what is asked of each; at least one."""

    must: tuple["Node", ...] = ()
    should: tuple["Node", ...] = ()
    must_not: tuple["Node", ...] = ()

    @property
    def only_excludes(self) -> bool:
        """Whether it names nothing to be found: Lucene finds nothing by it, whatever stands around it."""
        return not self.must and not self.should


Node: TypeAlias = Term | Clauses


def clauses(parts: Iterable[tuple[Occur, Node | None]]) -> Node | None:
    """Return parts as one node; None where nothing is left of them.

    What a group excludes that names nothing to be found is excluded by what stands around it: `a (-b)` is
    `a -b`. The opposite of such a group demands one of what it excludes: `-(-a -b)` is `+(a b)`.
    """
    must: list[Node] = []
    should: list[Node] = []
    must_not: list[Node] = []
    for occur, node in parts:
        match node:
            case None:
                continue
            case Clauses(only_excludes=True) if occur == "-":
                must.append(_any_of(node.must_not))
            case Clauses(only_excludes=True):
                must_not.extend(node.must_not)
            case _:
                {"+": must, "": should, "-": must_not}[occur].append(node)
    if len(should) == 1 and not must and not must_not:
        return should[0]
    return Clauses(tuple(must), tuple(should), tuple(must_not)) if must or should or must_not else None


def _any_of(nodes: tuple[Node, ...]) -> Node:
    return nodes[0] if len(nodes) == 1 else Clauses(should=nodes)


def positive_terms(node: Node) -> Iterator[Term]:
    """Yield the terms that may be found, in order; not those that are excluded."""
    if isinstance(node, Term):
        yield node
        return
    for part in (*node.must, *node.should):
        yield from positive_terms(part)


def written(node: Node) -> str:
    """Return the node in Lucene's syntax."""
    if isinstance(node, Term):
        return node.lucene
    marked: tuple[tuple[Occur, tuple[Node, ...]], ...] = (("+", node.must), ("", node.should), ("-", node.must_not))
    return " ".join(f"{occur}{_bracketed(part)}" for occur, parts in marked for part in parts)


def _bracketed(node: Node) -> str:
    return node.lucene if isinstance(node, Term) else f"({written(node)})"
