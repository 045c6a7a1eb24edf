"""What a resolved configuration may hold: types, bounds and pair rules. Values live in YAML.

`Settings` is the only form in which configuration leaves this room: frozen, typed, complete.
Fields named in a model's `OUTSIDE_IDENTITY` say where or how work is done, not what is made; they
have no part in the name of a run.
"""

from gen.schema.collections import BuildSettings, Collection
from gen.schema.data import (
    Ade20kData,
    CocoData,
    Data,
    DepthData,
    DepthSet,
    EmbeddedData,
    FolderData,
    IndexData,
)
from gen.schema.degradations import (
    Blur,
    Degradation,
    Downsampling,
    Holes,
    Rain,
    Snow,
    Staging,
)
from gen.schema.encodings import (
    BoxEncoding,
    ComboEncoding,
    DepthEncoding,
    DrawnEncoding,
    Encoding,
    GridEncoding,
    MaskEncoding,
    NaturalEncoding,
    PictureEncoding,
    PoseEncoding,
    TextEncoding,
    misfit,
)
from gen.schema.executors import Executor, LocalExecutor
from gen.schema.model import Model
from gen.schema.predictions import (
    ClassGroups,
    CocoResultsPredictions,
    JsonPredictions,
    Predictions,
    SyntheticPredictions,
)
from gen.schema.questions import Question, Subset
from gen.schema.run import Settings, identity, pair_fault, validate
from gen.schema.tasks import Family, Row, Task

__all__ = [
    "Ade20kData",
    "Blur",
    "BoxEncoding",
    "BuildSettings",
    "ClassGroups",
    "CocoData",
    "CocoResultsPredictions",
    "Collection",
    "ComboEncoding",
    "Data",
    "Degradation",
    "DepthData",
    "DepthEncoding",
    "DepthSet",
    "Downsampling",
    "DrawnEncoding",
    "EmbeddedData",
    "Encoding",
    "Executor",
    "Family",
    "FolderData",
    "GridEncoding",
    "Holes",
    "IndexData",
    "JsonPredictions",
    "LocalExecutor",
    "MaskEncoding",
    "Model",
    "NaturalEncoding",
    "PictureEncoding",
    "PoseEncoding",
    "Predictions",
    "Question",
    "Rain",
    "Row",
    "Settings",
    "Snow",
    "Staging",
    "Subset",
    "SyntheticPredictions",
    "Task",
    "TextEncoding",
    "identity",
    "misfit",
    "pair_fault",
    "validate",
]
