"""The switch that writes golden files anew."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--refresh-golden",
        action="store_true",
        help="write the golden files anew (run pytest on tests/golden, then look at the changes)",
    )


@pytest.fixture(scope="session")
def refresh_golden(request: pytest.FixtureRequest) -> bool:
    # Unknown when pytest is started on the whole of tests/: then nothing is refreshed.
    return bool(request.config.getoption("--refresh-golden", default=False))
