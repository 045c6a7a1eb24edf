"""Published subsets are what their files say: a changed one must not carry the name."""

from gen.cli.groups import Groups, shipped
from gen.errors import UserError
from gen.schema import Settings, Subset


def check(settings: Settings) -> None:
    """See that the subset of `settings` is the one that is published under its name.

    Raises:
        UserError: it differs; says in which setting.
    """
    name = settings.subset.name
    published = Subset.model_validate(Groups((shipped(),)).read("subset", name))
    for key, value in published:
        found = getattr(settings.subset, key)
        if found != value:
            raise UserError(
                f"subset.{key}: subset={name} is published with {_text(value)}, not "
                f"{_text(found)}: take subset=none for a selection of your own"
            )


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(value)}]"
    return "null" if value is None else str(value)
