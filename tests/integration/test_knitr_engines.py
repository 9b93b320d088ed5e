"""Chunks of SQL and of programs, run by knitr's own engines in R's session."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from harness.documents.engine import RunSettings
from harness.findings.articles import examine_all
from harness.model.article import Answer
from harness.runtimes.provision.r import find_r
from harness.sessions.sandbox import find_sandbox

pytestmark = pytest.mark.r
SANDBOX = find_sandbox(unsandboxed=True)
DOCUMENT = """```{r}
con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
DBI::dbWriteTable(con, "cars", head(mtcars[, 1:3], 4))
most <- 5
```

```{sql, connection=con}
select mpg, cyl from cars
where cyl > 4
```

|  mpg| cyl|
|----:|---:|
| 21.0|   6|
| 21.0|   6|
| 21.4|   6|

```{sql, connection="con", output.var="counted"}
select count(*) as n from cars where cyl < ?most
```

```{r}
counted$n
```

```
## [1] 1
```

```{sql, connection=con, max.print=1}
select mpg from cars
```

| mpg|
|---:|
|  22|

```{r}
writeLines(c("a 1", "b 2"), "d.txt")
```

```{sed, engine.opts="d.txt"}
s/a/z/
```

```
## z 1
## b 2
```
"""


def test_sql_and_programs_run_by_knitr(tmp_path: Path) -> None:
    asked = "for (p in c('knitr', 'DBI', 'RSQLite', 'tibble')) loadNamespace(p)"
    if (
        not find_r().available
        or subprocess.run(["Rscript", "-e", asked], capture_output=True, timeout=60).returncode
    ):
        pytest.skip("R with knitr and RSQLite is not there")
    (tmp_path / "a.Rmd").write_text(DOCUMENT, encoding="utf-8")
    (examined,) = examine_all([tmp_path / "a.Rmd"], sandbox=SANDBOX, plan=RunSettings(), suite=None)
    answers = [block.answer for block in examined.examined.blocks]
    assert answers == [Answer.REPRODUCED, Answer.REPRODUCED, Answer.UNCHECKED, Answer.REPRODUCED]
    assert "laid out by knitr" in examined.examined.blocks[2].why
