"""Texts that a search by words may be asked for: of all kinds, from a seed.

Some are made of what stands in the passages, so that they hold words that are found; some of nothing that any language
has; some to be read as operators; some to be much longer than a query may be.
"""

# ruff: noqa: RUF001 - letters of other scripts that look like those of ours are a subject here

import random
from collections.abc import Callable, Sequence
from functools import cached_property

__all__ = ["TextMaker"]

_PASSAGES = 400
_LAST = 0x10FFFF
_WORDS = (
    "mill", "tide", "sluice", "gate", "river", "survey", "report", "engineer", "running", "inspected",
    "Überprüfung", "straße", "naïve", "café", "łódź", "ışık", "привет", "Москва", "ελληνικά", "שלום", "العربية",
    "हिन्दी", "ไทยภาษา", "ភាសាខ្មែរ", "မြန်မာ",
    "日本語", "検索", "カタカナ", "ひらがな", "한국어", "검색", "中文", "tb-303", "C++",
    "a/b", "x_y", "node.js", "can't", "l'eau", "3.14", "1,000,000", "10:30", "e-mail", "F#", "R&D", "@user",
    "#tag", "v2.0.1", "2024-01-02", "foo_bar_baz", "μm", "10µF", "½", "№5", "Ⅷ", "😀", "👍🏽", "👨‍👩‍👧", "🇩🇪",
    "1️⃣", "™", "℃", "↔", "🏻", "〰", "‼", "⟨x⟩", "ﬁn", "ſ", "K", "ǅ", "é", "a\u0301b", "zero\u200bwidth",
    "soft\u00adhyphen", "\ufeffbom",
)  # fmt: skip
_STOP_WORDS = (
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not",
    "of", "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was",
    "will", "with",
)  # fmt: skip
_OPERATORS = (
    "+", "-", "&&", "||", "!", "(", ")", "{", "}", "[", "]", "^", '"', "~", "*", "?", ":", "\\", "/", "AND",
    "OR", "NOT", "TO", " ", "  ", "\t", "\n", "^2", "~1", "~0.8", "text:", "[a TO b]", "{1 TO *}", "/.*/", "'",
    "<", ">", "=", ",", ".",
)  # fmt: skip
_WRITTEN = (
    "", " ", '"', "(", "AND", "a AND", "[1 TO", "a:b:c", "foo\\", "/b x", "~", "^5", "!", "*", "*a", "tenant:B",
    "*:*", "nosuch:x", "\\", "\\\\", '\\"', "a\\ b", "+", "-", "+-", "--a", "NOT", "NOT NOT mill", "()", '""',
    '"" mill', "(mill", "mill)", '"mill', "mill~", "mill~9", "mill^", "mill^x", "mi*ll*", "?ill", "m?ll~",
    "mill AND", "OR mill", "mill && tide", "((((((((((((((((((mill))))))))))))))))))", "mill -tide", "-mill",
    "the", "the of and", "\0", "\ud800", "mill\0tide", "tide\ud800mill", "\u2028", "\u00a0mill\u00a0",
    "mill\u3000tide", "\x1fmill", "tide/mill", "tide\u00a0gate",
)  # fmt: skip
_GLUES = ("", " ", " ", "-", "/", ".", ",", "'", "_", ":", "\0", "\ud800", "\u200b", "\u00a0", "\n", "+", "*", '"')
_CLASSES = (
    "a", "1", "ア", "日", "가", "ก", "_", ".", ",", "'", ":", "ひ", "😀", "🏻", "🇩", "\u0301", "\u200d",
    "#\ufe0f\u20e3", "а",
)  # fmt: skip


class TextMaker:
    """Makes texts; the same seed makes the same.

    Args:
        seed: Of the passages and of the texts.
    """

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - no cryptography
        self.passages: tuple[str, ...] = tuple(self._passage() for _ in range(_PASSAGES))
        self._makers: tuple[Callable[[], str], ...] = (
            self.any_characters, self.printable, self.operators, self.glued, self.sentence, self.piece, self.stop_words,
            self.long, self.classes, self.written,
        )  # fmt: skip

    @cached_property
    def _words(self) -> Sequence[str]:
        return tuple(dict.fromkeys(word for passage in self.passages for word in passage.split()))

    def text(self) -> tuple[str, str]:
        """Return the next text, and the name of its kind."""
        maker = self._chance.choice(self._makers)
        return maker.__name__, maker()

    def _passage(self) -> str:
        chance = self._chance
        words = [*chance.choices(_WORDS, k=8), *chance.choices(_STOP_WORDS, k=5)]
        words += [self._invented() for _ in range(8)]
        chance.shuffle(words)
        return " ".join(word for word in words if word).replace("\0", "")

    def _invented(self) -> str:
        """Return a word of letters of one place among all characters, or of any of them."""
        chance = self._chance
        if chance.random() < 0.4:  # noqa: PLR2004 - a share
            return "".join(chance.choices("bdfgklmnprstvaeiou", k=chance.randrange(3, 10)))
        start = chance.choice(
            (0x80, 0x250, 0x370, 0x500, 0x900, 0x1200, 0x1E00, 0x2000, 0x2C00, 0x4E00, 0xA000, 0x1F300)
        )
        codes = [start + chance.randrange(0x300) for _ in range(chance.randrange(1, 6))]
        return "".join(char for char in map(chr, codes) if not char.isspace())

    def any_characters(self) -> str:
        """Return characters of all of Unicode, half characters and NUL too."""
        chance = self._chance
        most = chance.choice((0x7F, 0xFF, 0x2FFF, 0xFFFF, 0x1FFFF, _LAST))
        return "".join(chr(chance.randrange(most + 1)) for _ in range(chance.randrange(60)))

    def printable(self) -> str:
        """Return what stands on a keyboard."""
        chance = self._chance
        return "".join(chr(chance.randrange(0x20, 0x7F)) for _ in range(chance.randrange(80)))

    def operators(self) -> str:
        """Return words with operators between them."""
        chance = self._chance
        pieces = chance.choices(_OPERATORS, k=chance.randrange(1, 12)) + chance.choices(
            self._words, k=chance.randrange(4)
        )
        chance.shuffle(pieces)
        return chance.choice(("", " ")).join(pieces)

    def glued(self) -> str:
        """Return words with anything between them."""
        chance = self._chance
        words = chance.choices(self._words, k=chance.randrange(1, 8))
        return "".join(word + chance.choice(_GLUES) for word in words)

    def sentence(self) -> str:
        """Return a whole passage, in another case at times."""
        chance = self._chance
        passage = chance.choice(self.passages)
        return chance.choice((passage, passage.upper(), passage.lower(), passage.title()))

    def piece(self) -> str:
        """Return a piece of a passage that may begin and end within a word."""
        chance = self._chance
        passage = chance.choice(self.passages)
        start = chance.randrange(len(passage))
        return passage[start : start + chance.randrange(1, 60)]

    def stop_words(self) -> str:
        """Return stop words, at times with one other word behind them."""
        chance = self._chance
        words = chance.choices(_STOP_WORDS, k=chance.choice((1, 3, 10, 300, 1_500)))
        return " ".join([*words, *chance.choices(self._words, k=chance.randrange(2))])

    def long(self) -> str:
        """Return many words that no passage has, with one that some have in between."""
        chance = self._chance
        glue = chance.choice((" ", " ", ".", "'", ",", "_", "-", " ═ ", "\u0301 ", " \ud800"))
        count = chance.choice((100, 254, 300, 900))
        words = [chance.choice((f"q{number}x", "qqz")) for number in range(count)]
        words.insert(chance.randrange(len(words)), chance.choice(self._words))
        return glue.join(words)

    def classes(self) -> str:
        """Return characters after each of which an analyzer may or may not end a term, without a blank."""
        chance = self._chance
        cycle = chance.choices(_CLASSES, k=chance.randrange(1, 5))
        return "".join(cycle) * (chance.choice((5, 100, 2_000)) // len(cycle) + 1)

    def written(self) -> str:
        """Return one of the texts that are written here, with a word at times."""
        chance = self._chance
        return chance.choice(_WRITTEN) + chance.choice(("", "", " mill", " " + chance.choice(self._words)))
