"""What tests of applications and of outside stores can use: no model, no network, no randomness."""
