"""Faults that pydantic finds in settings, as text for the one who wrote them."""

from collections.abc import Iterable, Mapping
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from gen.errors import UserError, no_such_setting

_Model = TypeVar("_Model", bound=BaseModel)

_SHOWN = 60


def check(model: type[_Model], settings: Mapping[str, Any]) -> _Model:
    """`settings` as a `model`.

    Raises:
        UserError: one line that names every fault, the value found, and what was expected.
    """
    try:
        return model.model_validate(settings)
    except ValidationError as error:
        raise explain(model, error) from None


def explain(model: type[BaseModel], error: ValidationError) -> UserError:
    """The error that names every fault in what was to become a `model`, on one line."""
    faults = error.errors()
    # A list counts as too short where its elements are wrong: only the elements are told.
    inner = {fault["loc"][:-1] for fault in faults}
    told = [f for f in faults if f["type"] != "too_short" or f["loc"] not in inner]
    return UserError("; ".join(dict.fromkeys(_line(model, fault) for fault in told)))


def _line(model: type[BaseModel], fault: Any) -> str:
    where, holder = _place(model, fault["loc"])
    message = fault["msg"].removeprefix("Value error, ").split(", unable to parse")[0]
    match fault["type"]:
        case "extra_forbidden":
            return str(no_such_setting(where, _keys(holder) if holder else ()))
        case "missing":
            return f"{where}: a value is needed"
        case "union_tag_invalid":
            tag = fault["ctx"]
            key = f"{where}.{tag['discriminator'].strip(chr(39))}"
            return f"{key}: Input should be {tag['expected_tags']} (got {tag['tag']!r})"
        case "value_error":
            return f"{where}: {message}" if where else message
    shown = repr(fault["input"])
    shown = shown if len(shown) <= _SHOWN else f"{shown[: _SHOWN - 3]}..."
    return f"{where}: {message} (got {shown})"


def _place(model: type[BaseModel], loc: Iterable[str | int]) -> tuple[str, type[BaseModel] | None]:
    """The dotted key that `loc` means, and the model that should have it.

    Pydantic puts the tag of a union among the keys; users never wrote it, so it is left out.
    """
    where: list[str] = []
    holder: type[BaseModel] | None = model
    choices: Mapping[str, type[BaseModel]] = {}
    at: type[BaseModel] | None = model
    for part in loc:
        if part in choices:
            at, choices = choices[str(part)], {}
            continue
        where.append(str(part))
        holder = at
        field = at.model_fields.get(str(part)) if at else None
        at, choices = _inside(field) if field else (None, {})
    return ".".join(where), holder


def _keys(model: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


def _inside(field: FieldInfo) -> tuple[type[BaseModel] | None, dict[str, type[BaseModel]]]:
    """The model that a field holds, or the models by tag if it holds one of several."""
    kinds = _models(field.annotation)
    key = field.discriminator or _discriminator(field.annotation)
    if isinstance(key, str):
        tags = {tag: kind for kind in kinds for tag in get_args(kind.model_fields[key].annotation)}
        return None, tags
    return (kinds[0] if len(kinds) == 1 else None), {}


def _discriminator(annotation: Any) -> str | None:
    """The key by which models are told apart that a field may have instead of null."""
    if get_origin(annotation) is Annotated:
        found = (getattr(one, "discriminator", None) for one in get_args(annotation)[1:])
        return next((key for key in found if isinstance(key, str)), None)
    if get_origin(annotation) in (Union, UnionType):
        return next(filter(None, map(_discriminator, get_args(annotation))), None)
    return None


def _models(annotation: Any) -> list[type[BaseModel]]:
    if get_origin(annotation) is Annotated:
        return _models(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return [kind for choice in get_args(annotation) for kind in _models(choice)]
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return []
