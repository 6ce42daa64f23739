"""What of the scripts can be reckoned without a browser, in node's own test runner."""

import subprocess
import sys
from pathlib import Path

SCRIPTS = Path(__file__).parent / "scripts"


def test_scripts() -> None:
    node = Path(sys.executable).with_name("node")
    files = sorted(SCRIPTS.glob("*.test.js"))
    assert files
    ran = subprocess.run([node, "--test", *files], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
