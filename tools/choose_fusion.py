"""Choose one setting of fusion for hybrid search over several data sets, and judge it on queries that it has not seen.

    python -m tools.choose_fusion scifact:nDCG@10:+0.02 2wiki:recall@10:-0.01 spans:char_recall@5:-0.01:1000

Each argument is FOLDER:MEASURE:LEAST, the lowest mean difference between hybrid search and the better of its legs.
With `:SIZE` behind it documents are cut into chunks of at most so many characters, without it each is one chunk. The
store is that of the settings; each data set stands in a collection of its own, as in `graphrag eval`, and goes at the
end unless `--keep` is given. Each leg runs once a query; all settings are fused from what it gave.

The exit code is 0 whether or not the targets hold: the tables say so.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from graphrag.config import ChunkerSettings, SearchSettings, load_settings
from graphrag.evaluation import CachingEmbedder, load_dataset, open_cache
from graphrag.evaluation.choosing import CrossFit, Scored, Target, choose, cross_fit, score_settings
from graphrag.evaluation.differences import Difference, interval_of_mean
from graphrag.evaluation.legs import FusionSetting, collect_legs
from graphrag.evaluation.running import evaluated_corpus
from graphrag.opening import open_store
from graphrag.query.fusion import Fusion
from graphrag.stores import Neo4jStore

__all__ = ["main"]

_WEIGHTS = (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7)
_GRID = tuple(FusionSetting(fusion, weight) for fusion in get_args(Fusion) for weight in _WEIGHTS)


@dataclass(frozen=True, slots=True)
class Wanted:
    """One argument."""

    folder: Path
    target: Target
    max_chunk_size: int | None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; return its exit code."""
    options = _parser().parse_args(arguments)
    settings = load_settings()
    default = FusionSetting(settings.search.fusion, settings.search.text_weight)
    grid = tuple(dict.fromkeys((*_GRID, default)))
    with (
        open_cache(settings.embedding, options.cache) as embedder,
        open_store(settings=settings, embedder=embedder) as store,
    ):
        scored = [_scored(store, embedder, wanted, grid, keep=options.keep) for wanted in options.wanted]
    found = cross_fit(scored, seed=options.seed)
    whole = choose(scored, {each.name: list(each.differences[default]) for each in scored})
    print("\n".join(_told(scored, grid, found, chosen=whole, default=default)))
    if options.json:
        options.json.write_text(json.dumps(_as_mapping(scored, found, chosen=whole), indent=1) + "\n", encoding="utf-8")
    return 0


def _scored(
    store: Neo4jStore, embedder: CachingEmbedder, wanted: Wanted, grid: Sequence[FusionSetting], *, keep: bool
) -> Scored:
    dataset = load_dataset(wanted.folder)
    size = wanted.max_chunk_size
    corpus_there = evaluated_corpus(
        store,
        dataset,
        embedder,
        chunking="whole" if size is None else "default",
        chunker=None if size is None else ChunkerSettings(max_chunk_size=size),
        keep=keep,
    )
    with corpus_there as corpus:
        others = sum(count for name, count in store.info().collections.items() if name != corpus.collection)
        written = f"{corpus.chunks:,} chunks, {corpus.written:,} documents written"
        print(f"{dataset.name}: {written}; {others:,} documents in other collections", file=sys.stderr)
        legs = collect_legs(store, dataset, corpus)
    return score_settings(dataset, legs, wanted.target, settings=grid)


def _told(
    scored: Sequence[Scored],
    grid: Sequence[FusionSetting],
    found: CrossFit,
    *,
    chosen: FusionSetting,
    default: FusionSetting,
) -> Iterator[str]:
    yield "Hybrid less the better leg, mean over all queries:"
    yield ""
    heads = [f"{each.name} {each.target.measure} (wanted: {each.target.least:+g})" for each in scored]
    yield _row("setting", heads)
    yield _row("---", ["---:"] * len(heads))
    for leg in ("text", "vector"):
        yield _row(f"{leg} alone", [f"{each.means[leg]:.4f}" for each in scored])
    for setting in grid:
        mark = " (default)" if setting == default else ""
        yield _row(
            f"{setting}{mark}",
            [f"{each.margin(setting, list(each.differences[setting])) + each.target.least:+.4f}" for each in scored],
        )
    yield ""
    first, second = found.chosen
    yield f"Chosen on the first halves: {first}; on the second halves: {second} (split by seed {found.seed})."
    yield "Each query judged by the setting that was chosen without it, 95 % intervals (paired bootstrap):"
    yield ""
    yield _row("", heads)
    yield _row("---", ["---:"] * len(heads))
    yield _row("chosen, pooled", [_judged(found.pooled[each.name], each.target) for each in scored])
    for what, setting in (("chosen on all", chosen), ("the default", default)):
        all_queries = [interval_of_mean(list(each.differences[setting].values()), seed=found.seed) for each in scored]
        yield _row(f"{what}: {setting}", [_judged(d, each.target) for d, each in zip(all_queries, scored, strict=True)])
    yield ""
    ours = FusionSetting(SearchSettings().fusion, SearchSettings().text_weight)
    yield f"`SearchSettings` has {ours}, which {'is' if ours == chosen else 'is not'} what is chosen on all queries."


def _row(name: str, cells: Sequence[str]) -> str:
    return f"| {name} | {' | '.join(cells)} |"


def _judged(difference: Difference, target: Target) -> str:
    verdict = "holds" if difference.mean >= target.least else "missed"
    return f"{difference.mean:+.4f} [{difference.low:+.4f}, {difference.high:+.4f}], {verdict}"


def _as_mapping(scored: Sequence[Scored], found: CrossFit, *, chosen: FusionSetting) -> dict[str, object]:
    return {
        "chosen_on_halves": [str(setting) for setting in found.chosen],
        "chosen_on_all": str(chosen),
        "seed": found.seed,
        "data_sets": {
            each.name: {
                "measure": each.target.measure,
                "least": each.target.least,
                "legs": each.means,
                "better_leg": each.better,
                "pooled": {
                    "mean": found.pooled[each.name].mean,
                    "low": found.pooled[each.name].low,
                    "high": found.pooled[each.name].high,
                },
                "differences": {str(setting): values for setting, values in each.differences.items()},
            }
            for each in scored
        },
    }


def _wanted(text: str) -> Wanted:
    folder, _, rest = text.partition(":")
    parts = rest.split(":")
    try:
        measure, least = parts[:2]
        (size,) = parts[2:] or (None,)
        return Wanted(Path(folder), Target(measure, float(least)), None if size is None else int(size))
    except ValueError:
        msg = f"{text!r} is none of the form FOLDER:MEASURE:LEAST or FOLDER:MEASURE:LEAST:SIZE"
        raise argparse.ArgumentTypeError(msg) from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").splitlines()[0], epilog="Settings are read as the command `graphrag` reads them."
    )
    parser.add_argument("wanted", nargs="+", type=_wanted, metavar="FOLDER:MEASURE:LEAST[:SIZE]")
    parser.add_argument("--seed", type=int, default=0, help="of split and intervals")
    parser.add_argument("--cache", type=Path, help="folder of embeddings that are kept between runs")
    parser.add_argument("--keep", action="store_true", help="leave the documents in the store")
    parser.add_argument("--json", type=Path, help="write the difference of each query here")
    return parser


if __name__ == "__main__":
    sys.exit(main())
