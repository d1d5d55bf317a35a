"""Neo4j Browser on the local server, driven by a headless Chromium as a person would: with keys."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphrag.config import LocalServerSettings
from graphrag.local_neo4j import LocalServer, ServerInfo

selenium = pytest.importorskip("selenium", reason="selenium is not installed")
from selenium.common.exceptions import ElementClickInterceptedException  # noqa: E402
from selenium.webdriver import Chrome, ChromeOptions, ChromeService, Keys  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.support.wait import WebDriverWait  # noqa: E402

pytestmark = pytest.mark.server
PATIENCE_S = 90
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,900",
)


@pytest.fixture
def info(tmp_path: Path) -> Iterator[ServerInfo]:
    server = LocalServer(LocalServerSettings(home=tmp_path / "home", heap_mb=512, page_cache_mb=64))
    yield server.start()
    server.stop()


@pytest.fixture
def chrome(tmp_path: Path) -> Iterator[Chrome]:
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    if browser is None or driver is None:
        pytest.skip("Chromium and its driver are not installed")
    options = ChromeOptions()
    options.binary_location = browser
    for flag in (*FLAGS, f"--user-data-dir={tmp_path / 'profile'}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
    chrome = Chrome(options, ChromeService(driver))
    yield chrome
    chrome.quit()


def test_browser_connects_runs_a_query_and_talks_to_nobody_else(
    info: ServerInfo, chrome: Chrome, artifacts: Path
) -> None:
    wait = WebDriverWait(chrome, PATIENCE_S)
    chrome.get(info.browser_uri)
    field = wait.until(lambda page: page.find_element(By.CSS_SELECTOR, "[data-testid=password]"))
    address = chrome.find_element(By.CSS_SELECTOR, "[data-testid=boltaddress]").get_attribute("value")
    assert address is not None
    assert address.endswith(f"127.0.0.1:{info.ports.bolt}"), "the server's own address is in the form"
    user = chrome.find_element(By.CSS_SELECTOR, "[data-testid=username]")
    user.send_keys(Keys.CONTROL, "a")
    user.send_keys(info.username)
    field.send_keys(info.password.get_secret_value())
    # The form moves while it unfolds, and what stands over the button for a moment would take the click.
    WebDriverWait(chrome, PATIENCE_S, ignored_exceptions=[ElementClickInterceptedException]).until(
        lambda page: page.find_element(By.CSS_SELECTOR, "[data-testid=connect]").click() is None
    )
    wait.until(lambda page: "You are connected as user" in text_of(page))

    editor = chrome.find_element(By.CSS_SELECTOR, "#monaco-main-editor textarea")
    editor.send_keys("CREATE path = (:Probe {name: 'left'})-[:NEXT]->(:Probe {name: 'right'}) RETURN path")
    editor.send_keys(Keys.CONTROL, Keys.ENTER)
    try:
        wait.until(lambda page: "Displaying 2 nodes, 1 relationship" in text_of(page))
        wait.until(lambda page: {"left", "right", "NEXT"} <= set(drawn(page)))
    finally:
        chrome.save_screenshot(str(artifacts / "neo4j-browser.png"))
    assert foreign_hosts(chrome) == set()


def text_of(chrome: Chrome) -> str:
    return chrome.find_element(By.TAG_NAME, "body").text


def drawn(chrome: Chrome) -> list[str]:
    """The texts in the picture of the graph that have a place on the screen."""
    texts = chrome.find_elements(By.CSS_SELECTOR, "svg g.node text, svg g.relationship text")
    return [text.text for text in texts if text.is_displayed()]


def foreign_hosts(chrome: Chrome) -> set[str]:
    """Hosts other than the server that got a request through; what the page's policy blocks never leaves."""
    hosts = set()
    for entry in chrome.get_log("performance"):  # type: ignore[no-untyped-call]
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.responseReceived":
            url = message["params"]["response"]["url"]
            if url.startswith(("http", "ws")) and "//127.0.0.1:" not in url:
                hosts.add(url)
    return hosts
