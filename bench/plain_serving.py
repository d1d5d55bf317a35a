"""The searches of many clients with the driver alone, each in one statement: what ours is held against."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from neo4j import READ_ACCESS, Driver
from neo4j.vector import Vector

from bench.serving_data import ServingData, Share

__all__ = ["PLAIN_CANDIDATES", "PlainServing"]

PLAIN_CANDIDATES = (50, 100, 200, 500, 1_000)
"""What the index is asked for at least: 50 is what brings the unfiltered search to a recall of 0.99."""
_LEG_CANDIDATES = 100

_CHUNK = "c {.*, embedding: null} AS chunk"
_RESCORED = f"""WITH c, vector.similarity.cosine(c.embedding, $embedding) AS score
ORDER BY score DESC, c.id ASC
LIMIT $top_k
RETURN {_CHUNK}, score"""
_SEARCH = "MATCH (c:Chunk)\nSEARCH c IN (VECTOR INDEX {index} FOR $embedding {inside} LIMIT $candidates)\n"
_HYBRID = """CALL () {{
  {search}
  WITH c, vector.similarity.cosine(c.embedding, $embedding) AS score
  WITH collect({{c: c, score: score}}) AS hits, max(score) AS most
  UNWIND hits AS hit
  RETURN hit.c AS c, hit.score / most AS score
  UNION ALL
  CALL db.index.fulltext.queryNodes('chunk_text', $query{limit}) YIELD node AS c, score
  {where}
  WITH c, score LIMIT $candidates
  WITH collect({{c: c, score: score}}) AS hits, max(score) AS most
  UNWIND hits AS hit
  RETURN hit.c AS c, hit.score / most AS score
}}
WITH c, sum(score) / 2 AS score
ORDER BY score DESC, c.id ASC
LIMIT $top_k
RETURN """

Ask = Callable[[int], Sequence[str]]


@dataclass(frozen=True)
class PlainServing:
    """The statements over what is stored.

    Attributes:
        driver: Of the server.
        data: What is stored, and the queries.
        top_k: Results of each search.
    """

    driver: Driver
    data: ServingData
    top_k: int

    def vector(self, share: Share, *, candidates: int | None) -> Ask:
        """Return the search in the index, with the filter inside, scored again exactly; None compares all that pass."""
        if candidates is None:
            text = f"MATCH (c:Chunk)\n{_where(share)}\n{_RESCORED}"
        else:
            text = _SEARCH.format(index=self.data.index, inside=_where(share)) + _RESCORED
        queries = self.data.corpus.queries
        return lambda number: self._run(
            text, share, embedding=Vector.from_numpy(queries[number]), candidates=candidates
        )

    def text(self, share: Share) -> Ask:
        """Return the search by words, in the index's order."""
        # With a filter behind it the index cannot be told how many: it gives hits until ten have passed.
        limit = ", {limit: $top_k}" if share.owner is None else ""
        text = (
            f"CALL db.index.fulltext.queryNodes('chunk_text', $query{limit}) YIELD node AS c, score\n"
            f"{_where(share)}\nRETURN {_CHUNK}, score LIMIT $top_k"
        )
        texts = self.data.corpus.query_texts
        return lambda number: self._run(text, share, query=texts[number])

    def hybrid(self, share: Share) -> Ask:
        """Return the sum of both searches' scores, each over its best, of 100 candidates a leg."""
        text = (
            _HYBRID.format(
                search=_SEARCH.format(index=self.data.index, inside=_where(share)),
                limit=", {limit: $candidates}" if share.owner is None else "",
                where=_where(share),
            )
            + f"{_CHUNK}, score"
        )
        corpus = self.data.corpus
        return lambda number: self._run(
            text,
            share,
            embedding=Vector.from_numpy(corpus.queries[number]),
            query=corpus.query_texts[number],
            candidates=_LEG_CANDIDATES,
        )

    def regex(self, share: Share, pattern: str) -> Ask:
        """Return the server's own regular expressions, over what holds the literal where there is a selective one.

        The results are the first that come, and nothing stops a pattern that explodes.
        """
        literal = "c.urtext CONTAINS $literal AND " if pattern == "selective literal" else ""
        owned = "c.owner = $owner AND " if share.owner else ""
        text = f"MATCH (c:Chunk)\nWHERE {owned}{literal}c.urtext =~ $pattern\nRETURN {_CHUNK} LIMIT $top_k"
        patterns, literals = self.data.patterns[pattern], self.data.literals
        return lambda number: self._run(text, share, literal=literals[number], pattern=f"(?s).*{patterns[number]}.*")

    def _run(self, text: str, share: Share, **parameters: object) -> list[str]:
        with self.driver.session(default_access_mode=READ_ACCESS) as session:
            values = {**parameters, "top_k": self.top_k, "owner": share.owner}
            rows = session.run(f"CYPHER 25\n{text}", values).data()  # all of it stands above
        return [row["chunk"]["id"] for row in rows]


def _where(share: Share) -> str:
    return "WHERE c.owner = $owner" if share.owner else ""
