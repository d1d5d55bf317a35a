# Generated from graphrag/ingestion/_async/__init__.py by tools/generate_sync.py; do not edit.
"""Ingestion, synchronous face. The synchronous one is generated from it."""
