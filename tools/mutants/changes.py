"""Small changes of a module, each of which a good test suite notices.

A change replaces one node of the syntax tree: a comparison, a logical or arithmetical operator, a constant, a text
(those within f-strings too, of which compiled predicates are made), a condition, an argument, a statement, an arm of
a `match`. Docstrings, annotations, decorators, `__all__` and arms that only say `assert_never` are left alone.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Final, TypeAlias, TypeVar

__all__ = ["UNCHANGED", "Mutant", "mutants"]

UNCHANGED: Final = -1
"""The number of a module as it is."""

_COMPARISONS: Final[Mapping[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_ARITHMETIC: Final[Mapping[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
}
_NAMES: Final = {"any": "all", "all": "any", "min": "max", "max": "min", "sorted": "list"}
_ATTRIBUTES: Final = {"lower": "upper", "startswith": "endswith", "endswith": "startswith", "rstrip": "lstrip"}
_SHOWN_CHARS: Final = 110
_EXACT_ARGUMENTS: Final = frozenset({"isinstance", "cast"})
"""Functions that fail at once with an argument less, which would tell nothing of the tests."""
_SKIPPED: Final = frozenset({"annotation", "returns", "decorator_list", "type_params", "bases"})

_Node: TypeAlias = ast.AST
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module with one change.

    Attributes:
        path: The module's file.
        number: Which of the module's mutants it is, from 0.
        line: Where the change is.
        function: First line of the outermost function that the change is in; None where it is in none, so that
            importing the module evaluates it.
        change: What was there, and what is now.
        code: The changed module, compiled.
    """

    path: Path
    number: int
    line: int
    function: int | None
    change: str
    code: CodeType


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a node stands in the tree."""

    parent: _Node
    field: str
    index: int | None
    node: _Node
    line: int
    function: int | None

    def put(self, node: _Node) -> None:
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def mutants(path: Path, source: str) -> Iterator[Mutant]:
    """Yield the mutants of a module, from top to bottom, always in the same order and under the same numbers.

    Raises:
        SyntaxError: The source is not Python.
    """
    tree = ast.parse(source)
    number = 0
    for place in sorted(_places(tree, 1, None), key=lambda place: place.line):
        for changed, change in _changes(place):
            place.put(changed)
            ast.fix_missing_locations(tree)
            try:
                code = compile(tree, str(path), "exec")
            except SyntaxError:
                continue
            finally:
                place.put(place.node)
            yield Mutant(path, number, place.line, place.function, change, code)
            number += 1


def _places(parent: _Node, line: int, function: int | None) -> Iterator[_Place]:
    for field, value in ast.iter_fields(parent):
        if field in _SKIPPED:
            continue
        for index, node in enumerate(value) if isinstance(value, list) else ((None, value),):
            if not isinstance(node, ast.AST) or _is_left_alone(node) or (_is_cast(parent) and index == 0):
                continue
            here = getattr(node, "lineno", line)
            yield _Place(parent, field, index, node, here, function)
            if isinstance(node, ast.arguments) and function == _first_line(parent) and _is_outermost(parent, function):
                # Defaults are evaluated with the definition, not by the function.
                yield from _places(node, here, None)
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and function is None:
                yield from _places(node, here, _first_line(node))
            else:
                yield from _places(node, here, function)


def _first_line(node: _Node) -> int | None:
    """Return the first line of a function as its code object has it, with its decorators."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _is_outermost(node: _Node, function: int | None) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _first_line(node) == function


def _is_cast(node: _Node) -> bool:
    """Tell whether a node only tells type checkers a type, its first argument."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "cast"


def _says_no(case: ast.match_case) -> bool:
    """Tell whether an arm only says what is said where no arm fits: None, which is as false."""
    match case:
        case ast.match_case(pattern=ast.MatchAs(pattern=None), body=[ast.Return(value=ast.Constant(None | False))]):
            return True
        case _:
            return False


def _is_left_alone(node: _Node) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()):
            return True  # a docstring, or an ellipsis
        case ast.Assign(targets=[ast.Name(id="__all__" | "__slots__")]):
            return True
        case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
            return True
        case ast.match_case(body=[ast.Expr(value=ast.Call(func=ast.Name(id="assert_never")))]):
            return True
        case ast.Import() | ast.ImportFrom():
            return True
        case _:
            return False


def _changes(place: _Place) -> Iterator[tuple[_Node, str]]:
    """Yield what may stand in a place instead, and how to call that."""
    node = place.node
    before = _shown(node)
    for changed in (*_of_expression(node), *_of_statement(node), *_of_match(node)):
        yield changed, f"{before}  ->  {_shown(changed)}"


def _of_expression(node: _Node) -> Iterator[_Node]:  # noqa: C901, PLR0912 - one arm a kind
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=comparators):
            for other in _COMPARISONS[type(operator)]:
                yield ast.Compare(left, [other()], comparators)
        case ast.Compare(left=left, ops=[first, second], comparators=comparators):
            for other in _COMPARISONS[type(first)]:
                yield ast.Compare(left, [other(), second], comparators)
            for other in _COMPARISONS[type(second)]:
                yield ast.Compare(left, [first, other()], comparators)
        case ast.BoolOp(op=operator, values=values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
            for fewer in _without_each(values):
                yield ast.BoolOp(operator, list(fewer)) if len(fewer) > 1 else fewer[0]
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            yield from (left, right)
        case ast.BinOp(left=left, op=operator, right=right):
            yield ast.BinOp(left, _ARITHMETIC[type(operator)](), right)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield ast.IfExp(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.comprehension(target=target, iter=source, ifs=[_, *_], is_async=is_async):
            yield ast.comprehension(target, source, [], is_async)
        case ast.Name(id=name) if name in _NAMES:
            yield ast.Name(_NAMES[name], ast.Load())
        case ast.Attribute(value=value, attr=name) if name in _ATTRIBUTES:
            yield ast.Attribute(value, _ATTRIBUTES[name], ast.Load())
        case ast.Call(func=function, args=arguments, keywords=keywords):
            for fewer_keywords in _without_each(keywords):
                yield ast.Call(function, arguments, list(fewer_keywords))
            if len(arguments) > 1 and not (isinstance(function, ast.Name) and function.id in _EXACT_ARGUMENTS):
                yield ast.Call(function, arguments[:-1], keywords)
        case ast.Constant(value=value):
            yield from _of_constant(value)
        case _:
            pass


def _of_constant(value: object) -> Iterator[_Node]:
    match value:
        case bool():
            yield ast.Constant(not value)
        case int() | float():
            yield ast.Constant(value + 1)
        case str():
            yield ast.Constant("" if value else "other")
        case _:
            pass


def _of_statement(node: _Node) -> Iterator[_Node]:
    match node:
        case ast.Return(value=ast.Constant(value=None | False)):
            pass  # None is as false
        case ast.Return(value=ast.expr()):
            yield ast.Return(ast.Constant(None))
        case ast.If(test=test, body=body, orelse=orelse):
            yield ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.Continue():
            yield ast.Break()
        case ast.Break():
            yield ast.Continue()
        case ast.AugAssign() | ast.Raise() | ast.Expr():
            yield ast.Pass()
        case ast.Assign(targets=[ast.Subscript() | ast.Attribute()]):
            yield ast.Pass()
        case _:
            pass


def _of_match(node: _Node) -> Iterator[_Node]:
    match node:
        case ast.Match(subject=subject, cases=cases):
            for index, case in enumerate(cases):
                if not _is_left_alone(case) and not _says_no(case):
                    yield ast.Match(subject, [*cases[:index], *cases[index + 1 :]])
        case ast.match_case(pattern=pattern, guard=ast.expr() as guard, body=body):
            yield ast.match_case(pattern, None, body)
            yield ast.match_case(pattern, ast.UnaryOp(ast.Not(), guard), body)
        case ast.MatchOr(patterns=patterns):
            for fewer in _without_each(patterns):
                yield ast.MatchOr(list(fewer)) if len(fewer) > 1 else fewer[0]
        case _:
            pass


def _without_each(items: Sequence[_Item]) -> Iterator[list[_Item]]:
    for index in range(len(items)):
        yield [*items[:index], *items[index + 1 :]]


def _shown(node: _Node) -> str:
    """Return a node as source on one line, shortened."""
    if isinstance(node, ast.Match):
        return "match " + " | ".join(_shown(case.pattern) for case in node.cases)
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"
