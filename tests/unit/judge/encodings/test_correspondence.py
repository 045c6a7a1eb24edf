"""Things at one place in several predictions are found to be one."""

from gen.judge.encodings.correspondence import numbers

NEAR, FAR, ASIDE = (0.0, 0.0, 10.0, 10.0), (50.0, 50.0, 60.0, 60.0), (20.0, 0.0, 30.0, 10.0)
MOVED = (1.0, 2.0, 11.0, 12.0)


def test_boxes_at_one_place_have_one_number() -> None:
    assert numbers([[NEAR, FAR], [FAR, MOVED], [ASIDE]], 9) == [[0, 1], [1, 0], [2]]


def test_the_order_of_options_makes_no_difference() -> None:
    options = [[NEAR, FAR], [MOVED], [ASIDE, FAR], []]
    assert numbers(options[::-1], 9) == numbers(options, 9)[::-1]


def test_where_numbers_run_out_each_option_counts_its_own() -> None:
    options = [[NEAR, FAR], [ASIDE, FAR]]
    assert numbers(options, 3) == [[0, 1], [2, 1]]
    assert numbers(options, 2) == [[0, 1], [0, 1]]


def test_boxes_without_area_and_options_without_boxes() -> None:
    line = (5.0, 5.0, 5.0, 9.0)
    assert numbers([[line], [line], []], 9) == [[0], [1], []]
    assert numbers([], 9) == []


def test_a_number_occurs_once_in_an_option() -> None:
    for own in numbers([[NEAR, NEAR, MOVED], [NEAR, MOVED, MOVED]], 9):
        assert len(set(own)) == 3
