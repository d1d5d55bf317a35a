"""The program's entry: `graphrag`, and `python -m graphrag`. It imports nothing first: Ctrl-C ends imports too."""

__all__ = ["main"]

_EXIT_INTERRUPTED = 130


def main() -> None:
    """Run the command line; Ctrl-C before it has begun is an exit code, no stack trace."""
    try:
        from graphrag.cli import main as command_line

        command_line(prog_name="graphrag")
    except KeyboardInterrupt:
        raise SystemExit(_EXIT_INTERRUPTED) from None


if __name__ == "__main__":
    main()
