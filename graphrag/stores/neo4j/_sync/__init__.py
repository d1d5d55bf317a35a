# Generated from graphrag/stores/neo4j/_async/__init__.py by tools/generate_sync.py; do not edit.
"""The Neo4j store, synchronous face. The synchronous one is generated from it."""
