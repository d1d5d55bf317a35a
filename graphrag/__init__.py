"""A graph-backed knowledge service: documents and entities in Neo4j, searched by meaning, words and graph."""

__all__ = ["__version__"]

__version__ = "0.1.0"
