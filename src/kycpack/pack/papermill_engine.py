"""The entry point for papermill: the engine of `papermill notebook.ipynb out.ipynb --engine kycpack`.

papermill loads this module while papermill itself is being imported. So it imports nothing else of kycpack until a
notebook is run.
"""

from __future__ import annotations

from typing import Any

from papermill.engines import Engine


class KycpackEngine(Engine):  # type: ignore[misc]  # papermill ships no types
    """Runs a notebook's cells in IPython, in a separate process; see `kycpack.pack.notebooks.engine`."""

    @classmethod
    def execute_managed_notebook(cls, nb_man: Any, kernel_name: str, **options: Any) -> None:
        """Run the notebook that papermill manages."""
        from kycpack.pack.notebooks.engine import ForkEngine  # noqa: PLC0415 - see above

        ForkEngine.execute_managed_notebook(nb_man, kernel_name, **options)
