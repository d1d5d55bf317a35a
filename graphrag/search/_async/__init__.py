"""Search, asynchronous face. The synchronous one is generated from it."""
