"""The capabilities of stores, asynchronous face. The synchronous one is generated from it."""
