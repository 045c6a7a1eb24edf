"""The config groups on disk: where they are, which options each has, what an option's file says.

Hydra composes a configuration; this module only looks at the files, which is what is needed before
Hydra starts (aliases, digits), for each pair of a sweep (quick), and for the catalog.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import yaml

import gen
from gen.errors import UserError, unknown

PRIMARY = "config"
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def shipped() -> Path:
    """The absolute path of the settings that belong to this copy of gen.

    An installed package carries them inside; a checkout has them beside `src`.

    Raises:
        UserError: there are none, so the installation is broken.
    """
    package = Path(gen.__file__).resolve().parent
    for folder in (package / "conf", package.parents[1] / "conf"):
        if (folder / f"{PRIMARY}.yaml").is_file():
            return folder
    raise UserError(f"the settings that belong to gen are neither in {package} nor beside it")


@dataclass(frozen=True, slots=True)
class Groups:
    """The config groups in `folders`; of two options with one name the earlier folder's counts."""

    folders: tuple[Path, ...]

    @classmethod
    def on_search_path(cls, sources: Iterable[Any]) -> "Groups":
        """The groups in the folders among `sources`, Hydra's `runtime.config_sources`."""
        return cls(tuple(Path(source.path) for source in sources if source.schema == "file"))

    def names(self) -> list[str]:
        """The names of all groups but Hydra's own, sorted."""
        found = {
            child.name
            for folder in self.folders
            if folder.is_dir()
            for child in folder.iterdir()
            if child.is_dir() and child.name != "hydra" and any(child.rglob("*.yaml"))
        }
        return sorted(found)

    def options(self, group: str) -> list[str]:
        """The names of a group's options, sorted; one in a folder of its own is `folder/name`."""
        found = {
            path.relative_to(folder / group).with_suffix("").as_posix()
            for folder in self.folders
            for path in (folder / group).rglob("*.yaml")
            if path.is_file()
        }
        return sorted(found)

    def check_own(self, folder: Path) -> None:
        """See that the options in `folder`, a user's own, can be chosen and read.

        Raises:
            UserError: an option has the name of one that counts before it, or a file does not hold
                settings.
        """
        first = self.folders[0]
        for path in sorted(first.rglob("*.yaml")):
            own = folder / path.relative_to(first)
            if own.is_file() and not own.samefile(path):
                raise UserError(f"{own} has the name of a shipped option; rename it")
        for group in Groups((first,)).names():
            for option in Groups((folder,)).options(group):
                self.read(group, option)

    def matching(self, group: str, patterns: Sequence[str], but: Sequence[str] = ()) -> list[str]:
        """The options of a group that match one of `patterns` and none of `but`.

        As in a shell, `*` does not match a slash. A task that is not in a folder also matches by
        its alias.

        Raises:
            UserError: nothing matches.
        """
        names: dict[str, list[str]] = {name: [name] for name in self.options(group)}
        if group == "task":
            for alias, name in self.aliases().items():
                if "/" not in name:
                    names[name].append(alias)
        found = [
            option
            for option, known_as in names.items()
            if any(_fits(name, pattern) for name in known_as for pattern in patterns)
            and not any(_fits(name, pattern) for name in known_as for pattern in but)
        ]
        if not found:
            raise UserError(f"{group}: glob({', '.join(patterns)}) matches nothing")
        return found

    def path(self, group: str, option: str) -> Path:
        """The file of an option.

        Raises:
            UserError: there is none; says the nearest names.
        """
        for folder in self.folders:
            path = folder / group / f"{option}.yaml"
            if path.is_file():
                return path
        raise unknown(group, option, self.options(group))

    def read(self, group: str, option: str) -> dict[str, Any]:
        """What an option's file holds, its defaults list included and interpolations unresolved.

        Raises:
            UserError: there is no such option, or its file does not hold settings.
        """
        path = self.path(group, option)
        try:
            content = yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)
        except yaml.YAMLError as error:
            raise bad_yaml(error, path) from None
        except UnicodeDecodeError as error:
            raise UserError(f"{path} is not UTF-8: byte {error.start}: {error.reason}") from None
        except OSError as error:
            raise UserError(f"{path}: {error.strerror}") from None
        if content is not None and not isinstance(content, dict):
            raise UserError(f"{path} must hold settings as key: value")
        content = content or {}
        if not isinstance(content.get("defaults", []), list):
            raise UserError(f"{path}: defaults must be a list: defaults: [option, _self_]")
        if not isinstance(content.get("encodings", {}), dict):
            raise UserError(
                f"{path}: encodings must be a mapping: an encoding and its flags a line"
            )
        return content

    def about(self, group: str, option: str) -> str:
        """The sentence in the comment that an option's file begins with, or ""."""
        with self.path(group, option).open(encoding="utf-8") as lines:
            words = [line[1:].strip() for line in _comments(lines) if "@package" not in line]
        return " ".join(words)

    def aliases(self) -> dict[str, str]:
        """The long names of tasks, as the rows of a data set have them -> the names to type."""
        options = self.options("task")
        rows = {name: self.read("task", name).get("row_name") for name in options}
        return {
            row: name for name, row in rows.items() if isinstance(row, str) and row not in options
        }


def bad_yaml(error: Any, path: Path | None = None) -> UserError:
    """The error for a settings file that is not YAML; `path` is the file where that is known."""
    mark = getattr(error, "problem_mark", None)
    place = f"{path or mark.name}, line {mark.line + 1}: " if mark else f"{path}: " if path else ""
    return UserError(f"{place}not YAML: {getattr(error, 'problem', None) or error}")


def default(content: Mapping[str, Any], group: str) -> str | None:
    """The option of `group` that the defaults list in a file's `content` asks for, or None."""
    for entry in content.get("defaults", ()):
        if isinstance(entry, Mapping):
            for key, option in entry.items():
                if str(key).removeprefix("override ").lstrip("/").split("@")[0] == group:
                    return str(option)
    return None


def _fits(name: str, pattern: str) -> bool:
    parts, wanted = name.split("/"), pattern.split("/")
    return len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted))


def _comments(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        if not line.startswith("#"):
            return
        yield line
