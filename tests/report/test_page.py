"""The HTML page in a real headless Chromium, opened from disk."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from sample_records import sample_records

from gunrock_cli.report.data import ReportData
from gunrock_cli.report.registry import Reports, build
from gunrock_cli.report.write import write

pytestmark = pytest.mark.slow

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser",
                                                "google-chrome"))), None)
DRIVER = shutil.which("chromedriver")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-dev-shm-usage", "--window-size=1400,1000")
PHONE = {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True}


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
    driver = webdriver.Chrome(options=options,
                              service=webdriver.ChromeService(executable_path=DRIVER))
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
        f"{table}-table", index)


def test_opens_from_disk_without_network_or_console_errors(browser: Any) -> None:
    assert browser.get_log("browser") == []
    sent = [message["params"] for entry in browser.get_log("performance")
            if (message := json.loads(entry["message"])["message"])["method"]
            == "Network.requestWillBeSent"]
    # The browser's own start page, chrome://, was there before ours.
    urls = [params["request"]["url"] for params in sent
            if params.get("documentURL", "") == browser.current_url.partition("#")[0]]
    assert urls[0].startswith("file://")
    assert [url for url in urls[1:] if not url.startswith("data:")] == []


def test_shows_every_table_and_figure(browser: Any, reports: Reports) -> None:
    for table in reports.tables:
        shown = browser.find_element("id", f"{table.name}-table")
        assert shown.is_displayed()
        assert len(shown.find_elements("css selector", "tbody tr")) == len(table.rows)
    for figure in reports.figures:
        svg = browser.find_element("css selector", f"section#{figure.name} figure svg".replace(
            f"#{figure.name}", f"[id='{figure.name}']"))
        assert svg.size["width"] > 300
        assert svg.size["height"] > 100


def test_sorts_by_number_both_ways(browser: Any) -> None:
    heads = browser.find_elements("css selector", "#ppopp16-table3-table .heads th button")
    index = [head.text for head in heads].index("Gunrock†")
    for order, last in (("ascending", -1), ("descending", 1)):
        heads[index].click()
        texts = column(browser, "ppopp16-table3", index)
        values = [float(text) for text in texts if text != "—"]
        assert values == sorted(values, key=lambda value, sign=last: -sign * value)
        assert texts[-1] == "—"  # what has no number is last both ways
        head = heads[index].find_element("xpath", "..")
        assert head.get_attribute("aria-sort") == order


def test_filters_rows(browser: Any) -> None:
    box = browser.find_element("css selector", "input.filter[data-table=ppopp16-table3]")
    box.send_keys("bfs road")
    assert set(column(browser, "ppopp16-table3", 0)) == {"BFS"}
    assert sorted(column(browser, "ppopp16-table3", 1)) == ["USA-road-NE", "roadnet"]
    count = box.find_element("xpath", "../../span[@class='count']")
    assert count.text.startswith("2 of ")
    for _ in range(len("bfs road")):
        box.send_keys("\b")
    assert len(column(browser, "ppopp16-table3", 0)) > 30


def test_published_figures_can_be_hidden(browser: Any) -> None:
    box = browser.find_element("id", "show-published")
    cell = browser.find_element("css selector", "#ppopp16-table3-table td.published")
    ours = browser.find_element("css selector", "#ppopp16-table3-table td.measured")
    box.click()
    assert (cell.value_of_css_property("visibility"),
            ours.value_of_css_property("visibility")) == ("hidden", "visible")
    box.click()
    assert cell.value_of_css_property("visibility") == "visible"


def test_a_measured_cell_leads_to_its_record(browser: Any) -> None:
    link = browser.find_element("css selector", "#ppopp16-table3-table td.measured a")
    wanted = link.get_attribute("data-records").split()[0]
    browser.execute_script("arguments[0].click()", link)
    record = browser.find_element("id", f"r-{wanted}")
    assert record.get_attribute("open") is not None
    assert wanted in record.text


def test_readable_on_a_phone(browser: Any) -> None:
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    try:
        width = browser.execute_script("return document.documentElement.scrollWidth")
        assert width <= PHONE["width"]  # wide tables scroll within themselves, the page does not
        size = browser.execute_script(
            "return parseFloat(getComputedStyle(document.querySelector('td')).fontSize)")
        assert size >= 12
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_in_both_schemes(browser: Any, scheme: str) -> None:
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": scheme}]})
    for selector in ("td.measured", "td.published", "p.caption", "th[scope=row]", "nav a"):
        assert contrast(browser, selector) >= 4.5, selector  # WCAG AA
    ink = browser.execute_script(
        "return getComputedStyle(document.querySelector('figure svg text')).fill")
    paper = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert abs(luminance(ink) - luminance(paper)) > 0.4


def contrast(browser: Any, selector: str) -> float:
    """WCAG contrast of an element's text against the page."""
    ink = browser.execute_script(
        "return getComputedStyle(document.querySelector(arguments[0])).color", selector)
    paper = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    low, high = sorted((luminance(ink), luminance(paper)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    """Relative luminance of ``rgb(r, g, b)``."""
    parts = [int(part) / 255 for part in colour[colour.index("(") + 1:-1].split(",")[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
                        for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
