# Generated from graphrag/search/_async/__init__.py by tools/generate_sync.py; do not edit.
"""Search, synchronous face. The synchronous one is generated from it."""
