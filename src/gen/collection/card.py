"""The `README.md` of a build: the YAML by which `datasets` finds its configs, and its counts."""

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from gen.collection.counts import Counts
from gen.export.card import Split
from gen.export.parquet import features

ALL = "all"


def front_matter(title: str, splits: Mapping[str, Split]) -> dict[str, Any]:
    """The YAML block: a config for each task, and `all`, which is the default."""
    whole = {ALL: _sum(list(splits.values())), **splits}
    return {
        "license": "other",
        "task_categories": ["visual-question-answering"],
        "language": ["en"],
        "pretty_name": title,
        "configs": [_config(name, split, list(splits)) for name, split in whole.items()],
        "dataset_info": [_info(name, split) for name, split in whole.items()],
    }


def render(build: str, collection: str, splits: Mapping[str, Split], counts: Counts) -> str:
    """The whole card as Markdown."""
    title = f"Judge questions: {collection}"
    matter = yaml.safe_dump(front_matter(title, splits), sort_keys=False, allow_unicode=True)
    names = " ".join(splits)
    lacking = "\n".join(f"* {one}" for one in counts.shortfalls) or "Nothing: every quota is full."
    return f"""---
{matter}---

# {title}, build {build}

Each row asks a vision-language model to judge predictions of a vision model: a prompt with an
`<image>` for each picture in `media`, in order, and the right `answer`. Configs: `{ALL}` and one a
task ({names}).

```python
from datasets import load_dataset

rows = load_dataset("outputs/{build}", "{ALL}", split="test")  # the folder of this file
```

## Counts

{_markdown(counts.table())}

## What fell short of its quota

{lacking}

`manifest.json` lists every file and row with its hash, and the runs that are the parts of this
build; `plans/` says what each row is made of. The photos keep their own licences: `metadata` of
each row states them.
"""


def _config(name: str, split: Split, tasks: Sequence[str]) -> dict[str, Any]:
    patterns = [f"{task}/{split.name}-*.parquet" for task in (tasks if name == ALL else [name])]
    paths = {"split": split.name, "path": patterns if len(patterns) > 1 else patterns[0]}
    default = {"default": True} if name == ALL else {}
    return {"config_name": name, "data_files": [paths]} | default


def _info(name: str, split: Split) -> dict[str, Any]:
    sizes = {
        "name": split.name,
        "num_bytes": split.num_bytes,
        "num_examples": split.num_examples,
    }
    return {
        "config_name": name,
        "features": features(),
        "splits": [sizes],
        "download_size": split.file_bytes,
        "dataset_size": split.num_bytes,
    }


def _sum(splits: Sequence[Split]) -> Split:
    return Split(
        splits[0].name,
        sum(split.num_examples for split in splits),
        sum(split.num_bytes for split in splits),
        sum(split.file_bytes for split in splits),
    )


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    rule = ["---", "---", *["--:"] * (len(rows[0]) - 2)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (rows[0], rule, *rows[1:]))
