"""The prompt of a judge question: blocks in a fixed order, every sentence from configuration."""

from collections.abc import Sequence

from gen.answers import LETTERS
from gen.item import PLACEHOLDER, free_text
from gen.judge.encodings import Encoded, Shown
from gen.judge.questions.ranking import example_letters
from gen.schema import Question, Task


def assemble(
    *,
    intro: str,
    context: str,
    format: str | None,
    heading: str | None,
    options: Sequence[str],
    ask: str,
    original: bool,
) -> str:
    """Put the blocks of a prompt in their order, a blank line between each two of them.

    `intro` and `context` make one block; `format` and `heading` are left out where they are None;
    `original` tells whether the placeholder of the original picture opens the prompt.
    """
    blocks = [PLACEHOLDER] if original else []
    blocks.append("\n".join(line for line in (intro, context) if line))
    blocks.extend(block for block in (format, heading) if block)
    return "\n\n".join([*blocks, *options, ask])


def prompt(
    *,
    task: Task,
    question: Question,
    given_image: str,
    encoded: Encoded,
    classes: Sequence[str],
    expression: str | None,
    wording: int,
    original: bool,
) -> str:
    """The prompt of one item.

    `given_image` is what the role sentence adds where the original picture is shown, `wording` the
    index of the final question among the paraphrases, `classes` the classes of interest, and
    `expression` the text that the predictions answer to, if there is one.
    """
    letters = LETTERS[: len(encoded.options)]
    alone = len(letters) == 1
    # A single option needs no format of its own: the block that all prompts have says it.
    format_text = encoded.options[0].format if alone and not encoded.format else encoded.format
    return assemble(
        intro=task.role.format(given_image=given_image if original else ""),
        context=_context(task, classes, expression),
        format=question.format.format(format=format_text) if format_text else None,
        heading=question.heading,
        options=[
            _option(question, letter, _content(question, shown, original, with_format=not alone))
            for letter, shown in zip(letters, encoded.options, strict=True)
        ],
        ask=question.final.format(
            ask=question.ask[wording],
            example=example_letters(question.example, len(letters)) if question.example else "",
        ),
        original=original,
    )


def _context(task: Task, classes: Sequence[str], expression: str | None) -> str:
    filled = {
        "classes": ", ".join(free_text(name) for name in classes),
        "expression": free_text(expression or ""),
    }
    lacks = any(f"{{{gap}}}" in task.context and not text for gap, text in filled.items())
    return (task.context_alone or "") if lacks else task.context.format(**filled)


def _option(question: Question, letter: str, content: str) -> str:
    template = question.option
    if content.startswith("\n"):
        template = template.replace(" {content}", "{content}")
    return template.format(letter=letter, content=content)


def _content(question: Question, shown: Shown, original: bool, with_format: bool) -> str:
    lines = []
    if shown.format and with_format:
        lines.append(question.option_format.format(format=shown.format))
    if shown.text is not None:
        # On a line of its own whatever its length, since the layout must not tell how many things
        # an option has.
        text = question.text.replace(" {text}", "{text}").format(text=f"\n{shown.text}")
        lines.append(text.removeprefix("\n") if lines else text)
    if shown.pictured:
        template = question.picture if original else question.picture_alone
        lines.append(template.format(picture=PLACEHOLDER))
    if shown.legend and shown.pictured:
        lines[-1] += f" {shown.legend}"
    elif shown.legend:
        lines.append(shown.legend)
    return "\n".join(lines)
