"""Turn what a user or a model hands over into a document that a browser can load."""

from pytest_design2a11y.extending import Reader


def pytest_design2a11y_readers() -> list[Reader]:
    """Return the readers of pictures, and of drawings."""
    from pytest_design2a11y.models.page import PICTURE_SUFFIXES
    from pytest_design2a11y.source.picture import page_of_svg

    return [
        Reader("picture", sorted(PICTURE_SUFFIXES), lambda path, content: content),
        Reader("svg", [".svg"], page_of_svg),
    ]
