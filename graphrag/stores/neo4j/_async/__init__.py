"""The Neo4j store, asynchronous face. The synchronous one is generated from it."""
