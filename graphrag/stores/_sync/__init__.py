# Generated from graphrag/stores/_async/__init__.py by tools/generate_sync.py; do not edit.
"""The capabilities of stores, synchronous face. The synchronous one is generated from it."""
