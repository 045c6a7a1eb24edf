"""The 17 joints of a person in COCO's order, the links between them, and what mirrors what.

Source: the category "person" of COCO's person_keypoints files. Left and right are the person's own.
"""

JOINTS: tuple[str, ...] = (
    "nose",
    "left_eye",
    "right_eye",
    "left_ear",
    "right_ear",
    "left_shoulder",
    "right_shoulder",
    "left_elbow",
    "right_elbow",
    "left_wrist",
    "right_wrist",
    "left_hip",
    "right_hip",
    "left_knee",
    "right_knee",
    "left_ankle",
    "right_ankle",
)

# COCO counts joints from 1.
LINKS: tuple[tuple[int, int], ...] = tuple(
    (a - 1, b - 1)
    for a, b in (
        *((16, 14), (14, 12), (17, 15), (15, 13), (12, 13), (6, 12), (7, 13), (6, 7)),
        *((6, 8), (7, 9), (8, 10), (9, 11)),
        *((2, 3), (1, 2), (1, 3), (2, 4), (3, 5), (4, 6), (5, 7)),
    )
)

PAIRS: tuple[tuple[int, int], ...] = tuple((left, left + 1) for left in range(1, len(JOINTS), 2))
"""Each joint of the left side with its counterpart on the right."""

RIGHT = frozenset(right for _, right in PAIRS)

LIMBS: tuple[tuple[int, ...], ...] = ((0, 1, 2, 3, 4), (9, 7), (10, 8), (15, 13), (16, 14))
"""Head, arms and legs without shoulders and hips; from the free end to the body."""
