"""The `README.md` of a run: the YAML by which `datasets` finds and types it, and a few words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from gen.export.parquet import features


@dataclass(frozen=True, slots=True)
class Split:
    """A split as a card has to state it: what all its files hold together.

    `num_bytes` is the size as Arrow tables, `file_bytes` that of the parquet files.
    """

    name: str
    num_examples: int
    num_bytes: int
    file_bytes: int


def front_matter(config: str, split: Split) -> dict[str, Any]:
    """The YAML block of the card (the layout of the Hugging Face hub)."""
    return {
        "license": "other",
        "task_categories": ["visual-question-answering"],
        "language": ["en"],
        "pretty_name": f"Judge questions: {config}",
        "configs": [
            {
                "config_name": config,
                "data_files": [{"split": split.name, "path": f"{config}/{split.name}-*.parquet"}],
            }
        ],
        "dataset_info": {
            "config_name": config,
            "features": features(),
            "splits": [
                {
                    "name": split.name,
                    "num_bytes": split.num_bytes,
                    "num_examples": split.num_examples,
                }
            ],
            "download_size": split.file_bytes,
            "dataset_size": split.num_bytes,
        },
    }


def render(run: str, config: str, facts: Mapping[str, str], split: Split, tells: str = "") -> str:
    """The whole card as Markdown; `facts` are listed as they come.

    `tells` is a sentence on what the sizes of options say of the answers.
    """
    matter = yaml.safe_dump(front_matter(config, split), sort_keys=False, allow_unicode=True)
    listed = "\n".join(f"* {name}: {value}" for name, value in facts.items())
    if tells:
        listed += "\n\nWhat can be told without looking: " + tells
    return f"""---
{matter}---

# Judge questions, run {run}

Each row asks a vision-language model to judge predictions of a vision model: a prompt with an
`<image>` for each picture in `media`, in order, and the right `answer`.

{listed}

```python
from datasets import load_dataset

rows = load_dataset("outputs/{run}", split="{split.name}")  # the folder of this file
```

`config.yaml` makes the run again, given from where the run was made (paths in it are as they were
typed there):

```sh
python -m gen --config-path "$(realpath outputs/{run})" --config-name config
```

`manifest.json` lists every file and row with its hash; `plan.jsonl` says what each row is made of.
The photos keep their own licences: `metadata` of each row states them.
"""
