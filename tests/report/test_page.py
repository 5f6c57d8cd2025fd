"""The HTML page in a real headless Chromium, opened from disk."""

from __future__ import annotations

import csv
import io
import itertools
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from records_helper import make_record
from sample_records import sample_records

from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.forms.cells import Cell, Table
from gunrock_cli.report.forms.plot import clipped
from gunrock_cli.report.registry import Reports, build
from gunrock_cli.report.render.csv import csv as table_csv
from gunrock_cli.report.render.html import page
from gunrock_cli.report.render.markdown import markdown
from gunrock_cli.report.render.picture import NAME
from gunrock_cli.report.write import write

pytestmark = pytest.mark.slow

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DRIVER = shutil.which("chromedriver")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--window-size=1400,1000",
)
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}


@pytest.fixture(scope="module")
def reports() -> Reports:
    return build(ReportData(sample_records()))


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory, reports: Reports) -> Iterator[Any]:
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("Chromium or its driver is missing: apt-get install chromium chromium-driver")
    webdriver = pytest.importorskip("selenium.webdriver", reason="pip install selenium")
    folder = tmp_path_factory.mktemp("page")
    write(folder, "html", ReportData(sample_records()), reports)
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path=DRIVER))
    try:
        driver.get((folder / "index.html").as_uri())
        yield driver
    finally:
        driver.quit()


def column(browser: Any, table: str, index: int) -> list[str]:
    """The texts of a column's visible rows."""
    return browser.execute_script(  # type: ignore[no-any-return]
        "return [...document.getElementById(arguments[0]).tBodies[0].rows]"
        ".filter(row => !row.hidden).map(row => row.cells[arguments[1]].textContent.trim())",
        table,
        index,
    )


def choose(browser: Any, kind: str, name: str) -> None:
    """Set one of the filters of the whole page."""
    browser.execute_script(
        "const box = document.querySelector(`select[data-kind=${arguments[0]}]`);"
        "box.value = arguments[1]; box.dispatchEvent(new Event('change'))",
        kind,
        name,
    )


@pytest.fixture
def opened(browser: Any) -> Iterator[Any]:
    """The page with all folded parts open."""
    browser.execute_script("document.querySelectorAll('details').forEach(each => each.open = true)")
    yield browser
    browser.execute_script(
        "document.querySelectorAll('details:not(.filters)')"
        ".forEach(each => each.open = false); scrollTo(0, 0)"
    )


def test_opens_from_disk_without_network_or_console_errors(browser: Any) -> None:
    assert browser.get_log("browser") == []
    sent = [
        message["params"]
        for entry in browser.get_log("performance")
        if (message := json.loads(entry["message"])["message"])["method"] == "Network.requestWillBeSent"
    ]
    # the browser's own start page, chrome://, was open before ours
    urls = [
        params["request"]["url"]
        for params in sent
        if params.get("documentURL", "") == browser.current_url.partition("#")[0]
    ]
    assert urls[0].startswith("file://")
    assert [url for url in urls[1:] if not url.startswith("data:")] == []


def test_the_first_screen_answers(browser: Any) -> None:
    """It says what was run, on what, when, by which commit, and how fast, before any table."""
    browser.execute_script("scrollTo(0, 0)")
    said = browser.find_element("css selector", "dl").text
    assert "roadNet" not in said
    assert "BFS, " in said
    assert "gunrock on NVIDIA Test GPU (driver 999.1)" in said
    assert "2026-01-02" in said
    assert "Commit" in said
    assert browser.title == "gunrock: NVIDIA Test GPU, Test CPU"
    panel = browser.find_element("css selector", ".panel")
    assert panel.location["y"] + panel.size["height"] < 800
    assert "40" in panel.text.splitlines()  # the mean of 24 / 1.5 and 210 / 2.1
    mean = browser.find_element("css selector", "#beside-table tbody td:nth-of-type(1)").text
    assert mean == "40"
    longest = "Gunrock 1.2 (C++), H200"
    assert clipped(longest, NAME) == longest
    assert (
        browser.execute_script(
            "const name = document.querySelector('.panel .name'), was = name.textContent;"
            "name.textContent = arguments[0]; const left = name.getBBox().x; name.textContent = was;"
            "return left",
            longest,
        )
        >= 0
    )  # otherwise it would be cut off
    tips = browser.execute_script(
        "return [...document.querySelectorAll('.panel title')].map(tip => tip.textContent)"
    )
    assert any(
        "BFS, gunrock, Test GPU over SciPy, Test: geometric mean" in tip and "worst" in tip
        for tip in tips
    )


def test_shows_every_table_and_figure(opened: Any, reports: Reports) -> None:
    browser = opened
    for table in reports.tables:
        shown = browser.find_elements(
            "css selector", f"[id='{table.name}-table'], [id='{table.name}-more']"
        )
        assert all(part.is_displayed() for part in shown)
        assert sum(len(part.find_elements("css selector", "tbody tr")) for part in shown) == len(
            table.rows
        )
    for figure in reports.figures:
        svg = browser.find_element(
            "css selector",
            f"section#{figure.name} figure svg".replace(f"#{figure.name}", f"[id='{figure.name}']"),
        )
        assert svg.size["width"] > 300
        assert svg.size["height"] > 100


def test_sorts_by_number_both_ways(browser: Any) -> None:
    heads = browser.find_elements("css selector", "#ppopp16-table3-table .heads th button")
    index = [head.text for head in heads].index("Hardwired GPU†")
    for order, last in (("ascending", -1), ("descending", 1)):
        heads[index].click()
        texts = column(browser, "ppopp16-table3-table", index)
        values = [float(text.rstrip("*")) for text in texts if text not in ("", "OOM")]
        assert len(values) > 20
        assert values == sorted(values, key=lambda value, sign=last: -sign * value)
        assert texts[-1] in ("", "OOM")  # cells without a number are last both ways
        head = heads[index].find_element("xpath", "..")
        assert head.get_attribute("aria-sort") == order


def test_filters_rows(browser: Any) -> None:
    box = browser.find_element("css selector", "input.filter[data-table=ppopp16-table3-table]")
    box.send_keys("bfs roadnet")
    assert set(column(browser, "ppopp16-table3-table", 0)) == {"BFS"}
    assert sorted(column(browser, "ppopp16-table3-table", 1)) == ["roadnet"]
    count = box.find_element("xpath", "../../span[@class='count']")
    assert count.text == "1 of 30 rows"
    for _ in range(len("bfs roadnet")):
        box.send_keys("\b")
    assert len(column(browser, "ppopp16-table3-table", 0)) == 30
    assert count.text == ""


def test_the_papers_rows_come_first_the_others_are_folded(browser: Any) -> None:
    assert "USA-road-NE" not in column(browser, "ppopp16-table3-table", 1)
    assert "USA-road-NE" in column(browser, "ppopp16-table3-more", 1)
    more = browser.find_element("id", "ppopp16-table3-more")
    assert not more.is_displayed()
    texts = browser.execute_script(
        "return [...document.querySelectorAll('td')].map(td => td.textContent)"
    )
    assert sum(text == "—" for text in texts) <= 40  # cells that were never put are empty


def test_filters_by_primitive_graph_and_system(browser: Any) -> None:
    browser.execute_script("document.querySelector('.filters').open = true")
    choose(browser, "primitive", "BFS")
    choose(browser, "graph", "USA-road-NE")
    assert column(browser, "ppopp16-table3-table", 1) == []
    assert column(browser, "ppopp16-table3-more", 1) == ["USA-road-NE"]
    assert browser.find_element("id", "ppopp16-table3-more").is_displayed()  # unfolded
    choose(browser, "graph", "")
    assert set(column(browser, "measured-table", 0)) == {"BFS"}
    choose(browser, "primitive", "")
    choose(browser, "system", "SciPy, Test")
    heads = browser.find_elements("css selector", "#ppopp16-table3-table .heads th")
    assert [head.text for head in heads if head.is_displayed()] == [
        "Alg.",
        "Dataset",
        "SciPy, Test",
        "SciPy, Test",
    ]
    group = browser.find_element("css selector", "#ppopp16-table3-table .groups th")
    assert (group.text, group.get_attribute("colspan")) == ("Runtime (ms)", "1")
    assert set(column(browser, "measured-table", 2)) == {"SciPy, Test"}
    lines = browser.find_elements("css selector", ".panel .over")
    assert [line.text.splitlines()[0] for line in lines if line.is_displayed()] == ["SciPy, Test"]
    choose(browser, "system", "gunrock, Test GPU")
    assert all(line.is_displayed() for line in lines)
    choose(browser, "system", "")
    assert len(column(browser, "ppopp16-table3-table", 0)) == 30
    assert all(head.is_displayed() for head in heads)


def test_the_picture_follows_the_filters(browser: Any) -> None:
    means = (
        "return [...document.querySelectorAll('.panel:not([hidden]) .mean')]"
        ".map(each => each.textContent)"
    )
    before = browser.execute_script(means)
    choose(browser, "graph", "roadNet-CA")
    try:
        assert browser.execute_script(means)[0] == "16"  # 24 / 1.5
        choose(browser, "primitive", "PageRank")
        assert all(
            "PageRank" in panel.text
            for panel in browser.find_elements("css selector", ".panel")
            if panel.is_displayed()
        )
        sections = browser.find_elements("css selector", "section.report")
        assert not all(section.is_displayed() for section in sections)  # those without such a row
    finally:
        choose(browser, "primitive", "")
        choose(browser, "graph", "")
    assert browser.execute_script(means) == before


def copied(browser: Any, table: str, form: str) -> str:
    """The text that a button would put on the clipboard."""
    browser.execute_script(
        "window.copied = null;"
        "Object.defineProperty(navigator, 'clipboard', {configurable: true,"
        " value: {writeText: async text => { window.copied = text; }}});"
        "document.querySelector(`button[data-copy=${arguments[1]}][data-table='${arguments[0]}']`).click()",
        table,
        form,
    )
    return str(browser.execute_script("return window.copied"))


def test_copies_what_is_shown(browser: Any, reports: Reports) -> None:
    table = next(table for table in reports.tables if table.name == "beside")
    rows = [line for line in markdown(table).splitlines() if line.startswith("|")]
    assert copied(browser, "beside-table", "markdown").splitlines() == rows
    lines = list(csv.reader(io.StringIO(copied(browser, "beside-table", "csv"))))
    assert [len(line) for line in lines] == [8] * (1 + len(table.rows))
    assert lines[1][:3] == list(next(iter(table.rows)))
    box = browser.find_element("id", "show-measured")
    box.click()
    hidden = copied(browser, "beside-table", "csv").splitlines()[1]
    box.click()
    assert hidden == 'BFS,"gunrock, Test GPU","SciPy, Test",,,,,'
    choose(browser, "primitive", "PageRank")
    try:
        assert len(copied(browser, "beside-table", "csv").splitlines()) == 1 + sum(
            row[0] == "PageRank" for row in table.rows
        )
    finally:
        choose(browser, "primitive", "")


HOSTILE = [
    "[t](http://e.org)",
    "www.e.org",
    "a@b.org",
    "<b>x</b>",
    "</script>",
    "&lt;",
    "*x*",
    "_x_",
    "a_b",
    "é_b",
    "~~x~~",
    "$x$",
    "a\\",
    "a|b",
    "`x`",
    "=1+1",
    "+1",
    "-1+1",
    "@SUM(1)",
    "-1.5",
    "a,b",
    '"',
    "'",
    "# x",
    "x\ny",
]


def test_copies_hostile_names_as_the_files_have_them(browser: Any, tmp_path: Path) -> None:
    tables = []
    for number, name in enumerate(HOSTILE):
        table = Table(f"t{number}", f"Title {name}", (f"Row {name}",))
        table.put((name,), (name, f"Column {name}"), Cell(name, None, "measured"))
        table.put((name,), (name, "second"), Cell(name, None, "published"))
        tables.append(table)
    url = browser.current_url.partition("#")[0]
    (tmp_path / "index.html").write_text(page(ReportData([]), Reports(tables, [])))
    browser.get((tmp_path / "index.html").as_uri())
    try:
        for table in tables:
            expected = [line for line in markdown(table).splitlines() if line.startswith("|")]
            assert copied(browser, f"{table.name}-table", "markdown").splitlines() == expected
            found = list(csv.reader(io.StringIO(copied(browser, f"{table.name}-table", "csv"))))
            assert found[1:] == list(csv.reader(io.StringIO(table_csv(table))))[1:]
    finally:
        browser.get(url)


def test_headings_ids_and_names(browser: Any) -> None:
    """Screen readers and links need one h1, no skipped level, unique ids, and names for controls."""
    levels = browser.execute_script(
        "return [...document.querySelectorAll('h1, h2, h3, h4')].map(head => Number(head.tagName[1]))"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    ids = browser.execute_script("return [...document.querySelectorAll('[id]')].map(each => each.id)")
    assert len(ids) == len(set(ids))
    links = browser.execute_script(
        "return [...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href').slice(1))"
        ".filter(name => !name.startsWith('r-') && name !== 'ecords.js')"  # read when asked for
    )
    assert set(links) <= set(ids)
    sections = browser.execute_script(
        "return [...document.querySelectorAll('main > section')].map(each => each.id)"
    )
    assert set(sections) <= set(links)
    nameless = browser.execute_script(
        "return [...document.querySelectorAll("
        "'input, select, button, a, summary, svg[role=img], nav, form')]"
        ".filter(each => !(each.getAttribute('aria-label') || each.closest('label')?.textContent.trim()"
        " || each.textContent.trim())).map(each => each.outerHTML)"
    )
    assert nameless == []


def test_the_contents_follow(browser: Any) -> None:
    browser.execute_script("document.getElementById('roofline').scrollIntoView()")
    nav = browser.find_element("css selector", "nav")
    assert 0 <= browser.execute_script("return arguments[0].getBoundingClientRect().top", nav) < 100
    wait = pytest.importorskip("selenium.webdriver.support.ui").WebDriverWait
    wait(browser, 30).until(
        lambda _: (
            nav.find_element("css selector", "[aria-current]").get_attribute("href").endswith("#roofline")
        )
    )
    browser.execute_script("scrollTo(0, 0)")


IN_SIGHT = """
const link = document.querySelector("nav [aria-current]");
if (!link || link.hash !== "#roofline") return false;
const own = link.getBoundingClientRect(), box = link.closest("nav").getBoundingClientRect();
return own.top >= box.top - 1 && own.bottom <= box.bottom + 1 && own.left >= box.left - 1
  && own.left < Math.min(box.right, innerWidth);"""


@pytest.mark.parametrize("width", [1400, 390])
def test_where_one_reads_is_in_sight_in_the_contents(browser: Any, width: int) -> None:
    """The list of contents is longer than a screen, and on a phone wider."""
    screen = {**PHONE, "width": width, "height": 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    try:
        browser.execute_script("document.getElementById('roofline').scrollIntoView()")
        wait = pytest.importorskip("selenium.webdriver.support.ui").WebDriverWait
        wait(browser, 30).until(lambda _: browser.execute_script(IN_SIGHT))
        top = browser.execute_script(
            "return document.getElementById('roofline').getBoundingClientRect().top"
        )
        assert abs(top) < 60  # the page itself stays where it was sent
        browser.execute_script("scrollTo(0, 0)")
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_every_figure_is_beside_its_points(browser: Any, reports: Reports) -> None:
    for figure in reports.figures:
        parts = browser.execute_script(
            "return [...document.getElementById(arguments[0]).children].map(each => each.tagName)",
            figure.name,
        )
        assert parts[:2] == ["H2", "FIGURE"]
        assert parts[-1] == "DETAILS"


def test_without_scripts_nothing_dead_is_shown(browser: Any) -> None:
    url = browser.current_url.partition("#")[0]
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(url)
        for control in browser.find_elements("css selector", ".tools, .filters"):
            assert not control.is_displayed()
        assert browser.find_element("id", "ppopp16-table3-table").is_displayed()
        more = browser.find_element("id", "ppopp16-table3-more")
        assert not more.is_displayed()
        browser.find_element("css selector", "[id='ppopp16-table3'] details.more summary").click()
        assert more.is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        browser.get(url)


def test_prints_what_is_open_without_controls(opened: Any) -> None:
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        for selector in (".side nav", ".tools", "[id='records']"):
            assert not opened.find_element("css selector", selector).is_displayed()
        assert opened.find_element("id", "ppopp16-table3-more").is_displayed()
        assert contrast(opened, "td.published") >= 4.5
    finally:
        opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_published_figures_can_be_hidden(browser: Any) -> None:
    box = browser.find_element("id", "show-published")
    cell = browser.find_element("css selector", "#ppopp16-table3-table td.published")
    ours = browser.find_element("css selector", "#ppopp16-table3-table td.measured")
    box.click()
    assert (cell.value_of_css_property("visibility"), ours.value_of_css_property("visibility")) == (
        "hidden",
        "visible",
    )
    box.click()
    assert cell.value_of_css_property("visibility") == "visible"


def test_a_measured_cell_leads_to_its_record(browser: Any) -> None:
    link = browser.find_element("css selector", "#ppopp16-table3-table td.measured a")
    wanted = link.get_attribute("href").partition("#r-")[2]
    browser.execute_script("arguments[0].click()", link)
    wait = pytest.importorskip("selenium.webdriver.support.ui").WebDriverWait
    record = wait(browser, 30).until(lambda _: browser.find_element("id", f"r-{wanted}"))
    assert record.get_attribute("open") is not None
    assert '"runs_ms": [' in record.text


def test_a_mean_leads_to_all_its_records(browser: Any) -> None:
    link = browser.find_element("css selector", "#beside-table td a[data-records]")
    wanted = link.get_attribute("data-records").split()
    browser.execute_script("arguments[0].click()", link)
    wait = pytest.importorskip("selenium.webdriver.support.ui").WebDriverWait
    wait(browser, 30).until(
        lambda _: (
            [
                each.get_attribute("id").removeprefix("r-")
                for each in browser.find_elements("css selector", ".record")
            ]
            == wanted
        )
    )
    assert len(wanted) > 1


def test_a_record_reads_as_it_was_written_and_hides_nothing(browser: Any, tmp_path: Path) -> None:
    url = browser.current_url.partition("#")[0]
    data = ReportData([make_record("bfs", "a\u202eb", id="one", error="<b>x</b> \x1b é")])
    write(tmp_path, "html", data, build(data, ["measured"]))
    browser.get((tmp_path / "index.html").as_uri() + "#r-one")
    try:
        wait = pytest.importorskip("selenium.webdriver.support.ui").WebDriverWait
        record = wait(browser, 30).until(lambda _: browser.find_element("id", "r-one"))
        shown = record.find_element("tag name", "pre").text
        assert "\\u202e" in shown
        assert json.loads(shown)["error"] == "<b>x</b> \x1b é"
        (tmp_path / "records.js").unlink()
        browser.refresh()
        wait(browser, 30).until(
            lambda _: (
                "records.js is not next to this page" in browser.find_element("id", "shown-records").text
            )
        )
    finally:
        browser.get(url)
        browser.get_log("browser")  # the missing file was this test's own


def test_readable_on_a_phone(opened: Any) -> None:
    browser = opened
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    try:
        rows = browser.find_elements("css selector", "#measured-table tbody tr")
        assert max(row.size["height"] for row in rows) < 120  # a screen has several
        for table in ("ppopp16-table3-table", "beside-table", "measured-table", "ppopp16-claims-table"):
            ours = browser.find_element("css selector", f"#{table} td.measured, #{table} td:not(:empty)")
            end = browser.execute_script("return arguments[0].getBoundingClientRect().right", ours)
            assert end <= PHONE["width"], table  # our figures are in sight before any scrolling
        width = browser.execute_script("return document.documentElement.scrollWidth")
        assert width <= PHONE["width"]  # wide tables scroll within themselves, the page does not
        size = browser.execute_script(
            "return parseFloat(getComputedStyle(document.querySelector('td')).fontSize)"
        )
        assert size >= 12
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_in_both_schemes(browser: Any, scheme: str) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    for selector in (
        "td.measured",
        "td.published",
        "p.caption",
        "th[scope=row]",
        "nav a",
        ".side .group",
        "dt",
        "summary",
        ".permalink",
    ):
        assert contrast(browser, selector) >= 4.5, selector  # WCAG AA
    ink = browser.execute_script(
        "return getComputedStyle(document.querySelector('figure svg text')).fill"
    )
    paper = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert abs(luminance(ink) - luminance(paper)) > 0.4


@pytest.mark.long
@pytest.mark.parametrize(("scheme", "width"), [("light", 1400), ("dark", PHONE["width"])])
def test_axe_finds_no_violation(opened: Any, scheme: str, width: int) -> None:
    """Apply the rules of axe-core, WCAG's and its best practices, with all folded parts open."""
    axe = pytest.importorskip("axe_core_python", reason="pip install axe-core-python")
    script = (Path(axe.__file__).parent / "axe.min.js").read_text()
    opened.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    opened.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {**PHONE, "width": width})
    opened.set_script_timeout(280)
    try:
        opened.execute_script(script)
        found = opened.execute_async_script(
            "axe.run(document).then(arguments[0], error => arguments[0]({error: String(error)}))"
        )
    finally:
        opened.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert "error" not in found, found["error"]
    assert len(found["passes"]) > 20  # it found something to check
    assert [
        (rule["id"], [node["target"] for node in rule["nodes"]][:5]) for rule in found["violations"]
    ] == []


def contrast(browser: Any, selector: str) -> float:
    """The WCAG contrast of an element's text against the page."""
    ink = browser.execute_script(
        "return getComputedStyle(document.querySelector(arguments[0])).color", selector
    )
    paper = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    low, high = sorted((luminance(ink), luminance(paper)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    """The relative luminance of ``rgb(r, g, b)``."""
    parts = [int(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
