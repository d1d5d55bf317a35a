"""What stores and search share on queries: literal text, fusion. No I/O here."""
