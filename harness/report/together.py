"""The last runs of several cases, made one after the other, as one record to show."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from harness.model import Footer, Record
from harness.store.record_pass import counts_of


def together(last: Mapping[str, Record]) -> Record:
    """Join what was last seen of each case.

    Parameters
    ----------
    last : mapping of str to Record
        By case, the last record with that case; records may be of several cases. Not empty.

    Returns
    -------
    Record
        The lines of each case from its record, with the runtimes of all; the times are those of the latest.
    """
    latest = max(last.values(), key=lambda record: record.header.started)
    records = list({id(record): record for record in last.values()}.values())
    headers = [record.header for record in records if record is not latest] + [latest.header]
    runtimes = {name: info for header in headers for name, info in header.runtimes.items()}
    footer = latest.footer or Footer(partial=True)
    footers = [record.footer for record in records if record.footer is not None]
    cells = tuple(cell for name, record in last.items() for cell in record.cells if cell.case == name)
    return Record(
        header=msgspec.structs.replace(
            latest.header,
            runtimes=runtimes,
            absent=tuple({each.runtime: each for header in headers for each in header.absent}.values()),
            fixtures={name: sha for header in headers for name, sha in header.fixtures.items()},
            cases=tuple(
                case for name, record in last.items() for case in record.header.cases if case.name == name
            ),
            copies={
                name: record.header.copies[name]
                for name, record in last.items()
                if name in record.header.copies
            },
        ),
        cells=cells,
        pairs=tuple(pair for name, record in last.items() for pair in record.pairs if pair.case == name),
        consensus=tuple(
            each for name, record in last.items() for each in record.consensus if each.case == name
        ),
        exhibits=tuple(
            each for name, record in last.items() for each in record.exhibits if each.case == name
        ),
        footer=msgspec.structs.replace(
            footer,
            counts=counts_of(cells),
            complaints=tuple(dict.fromkeys(line for each in footers for line in each.complaints)),
        ),
    )
