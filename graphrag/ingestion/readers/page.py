"""What of a web page is its text: the main part, without menus, notices and what is hidden."""

import re
from collections.abc import Callable, Set as AbstractSet
from typing import Final

from graphrag.ingestion.readers.blocks import HEADINGS
from graphrag.ingestion.readers.cleaning import word_set
from graphrag.ingestion.readers.dom import Node, attribute, is_hidden, walk

__all__ = ["PageFilter", "is_unseen"]

_UNSEEN = word_set(
    "head script style noscript template iframe object embed canvas audio video map svg math select datalist textarea "
    "input dialog frameset noframes"
)
_CHROME_ROLES = word_set("navigation banner contentinfo search complementary menu menubar toolbar")
_OUTSIDE_TEXT = frozenset({"aside", "footer"})
_TEXT_PARTS = frozenset({"main", "article"})
_MENU_WORDS = word_set(
    "menu menus nav navbar navigation navbox sidebar breadcrumb breadcrumbs dropdown toolbar pagination pager"
)
_WORD = re.compile(r"[a-z]+")
_HEADING_MARKS = word_set("mw-editsection headerlink anchor anchorjs-link header-anchor hash-link")
_ABOVE_HEADING_TEXT = HEADINGS.keys() | {"summary"}

_MIN_MAIN_SHARE: Final = 0.5
"""A `main` with less of the page's text than this is a frame around something else, not the text."""
_MENU_LINK_SHARE: Final = 0.8
_MAX_MENU_CHECKS: Final = 500
"""Each check walks the element; a page with more candidates than this is not written by people."""
_MAX_CLIMB: Final = 64


def is_unseen(node: Node) -> bool:
    """Return whether no reader sees this element as text."""
    if node.tag in _UNSEEN or is_hidden(node):
        return True
    if node.tag == "button":
        return not _inside(node, _ABOVE_HEADING_TEXT)
    classes = attribute(node, "class").split()
    return bool(classes) and not _HEADING_MARKS.isdisjoint(classes) and _inside(node, HEADINGS.keys())


class PageFilter:
    """Decides for one page which elements are left out of its text."""

    def __init__(self) -> None:
        self._menus: dict[int, bool] = {}

    def main_part(self, body: Node) -> tuple[Node, Callable[[Node], bool]]:
        """Return the element that holds the page's text, and what to leave out of it.

        A page whose text would all be left out is taken whole.
        """
        whole = _length(body, self.skip)
        if whole == 0:
            return body, is_unseen
        for selector in ("main", "[role=main]", "article"):
            found = [node for node in body.css(selector) if not is_hidden(node)]
            if len(found) == 1 and _length(found[0], self.skip) >= _MIN_MAIN_SHARE * whole:
                return found[0], self.skip
        return body, self.skip

    def skip(self, node: Node) -> bool:
        """Return whether this element is unseen, or stands around the page's text rather than in it."""
        if is_unseen(node) or node.tag == "nav" or attribute(node, "role").lower() in _CHROME_ROLES:
            return True
        if node.tag in _OUTSIDE_TEXT:
            return not _inside(node, _TEXT_PARTS)
        return node.tag in {"div", "ul"} and self._is_menu(node)

    def _is_menu(self, node: Node) -> bool:
        """Return whether an element is called a menu and is little else than links."""
        words = _WORD.findall(f"{attribute(node, 'class')} {attribute(node, 'id')}".lower())
        if _MENU_WORDS.isdisjoint(words):
            return False
        known = self._menus.get(node.mem_id)
        if known is None:
            known = len(self._menus) < _MAX_MENU_CHECKS and _link_share(node) >= _MENU_LINK_SHARE
            self._menus[node.mem_id] = known
        return known


def _inside(node: Node, tags: AbstractSet[str]) -> bool:
    above = node.parent
    for _ in range(_MAX_CLIMB):
        if above is None:
            return False
        if above.tag in tags:
            return True
        above = above.parent
    return False


def _length(root: Node, skip: Callable[[Node], bool]) -> int:
    return sum(len(what.strip()) for _, what in walk(root, skip) if isinstance(what, str))


def _link_share(root: Node) -> float:
    total = linked = links = 0
    for kind, what in walk(root, is_unseen):
        if isinstance(what, str):
            length = len(what.strip())
            total += length
            linked += length if links else 0
        elif what.tag == "a":
            links += 1 if kind == "open" else -1
    return linked / total if total else 0.0
