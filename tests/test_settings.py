"""Settings: where they come from, what is refused, and the key that is made once."""

from __future__ import annotations

import stat
from dataclasses import fields
from pathlib import Path

import pytest

from companion import settings as settings_module
from companion.games import fields as fields_of_games
from companion.settings import PREFIX, Settings, SettingsError, about, default, read
from companion.storage.folder import KEY_FILE
from companion.storage.secret_key import secret_key


def test_defaults() -> None:
    settings = read({})
    assert (settings.host, settings.port, settings.unused_days) == ("::", 8000, 30)
    assert settings.data.name == "companion"
    for setting in fields(Settings):
        assert getattr(settings, setting.name) == default(setting)


def test_every_setting_is_explained_and_read_from_the_environment(tmp_path: Path) -> None:
    for setting in fields(Settings):
        assert about(setting).help.endswith(".")
        if isinstance(setting.default, int):
            low = about(setting).low
            found = read({PREFIX + setting.name.upper(): f" {low} "})
            assert getattr(found, setting.name) == low
            assert low <= setting.default <= about(setting).high
    assert read({"COMPANION_DATA": str(tmp_path)}).data == tmp_path
    for given in (
        "https://a.example",
        "http://[::1]:8000",
        "http://192.0.2.7",
        "https://xn--mng-qla",
    ):
        assert read({"COMPANION_PUBLIC_URL": f"{given}/"}).public_url == given


def test_several_in_one() -> None:
    settings = read({"COMPANION_HOST_NAMES": " A.example,b.example, "}, trusted_proxies="::1")
    assert settings.host_name_set == {"a.example", "b.example"}
    assert [str(each) for each in settings.proxies] == ["::1/128"]
    assert read({}).host_name_set == frozenset()
    assert [str(each) for each in read({}).proxies] == ["127.0.0.1/32", "::1/128"]


def test_a_home_folder_as_a_shell_leaves_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "key").write_text("x" * 16)
    settings = read({}, data="~/data", tls="~/a,~/b", secret_key_file="~/key")
    assert (settings.data, settings.secret_key) == (tmp_path / "data", "x" * 16)
    assert settings.tls_files == (tmp_path / "a", tmp_path / "b")
    for name in ("data", "secret_key_file"):
        with pytest.raises(SettingsError, match=r"^~no-such-user/x begins with .*\.$"):
            read({}, **{name: "~no-such-user/x"})


def test_options_come_before_the_environment() -> None:
    environ = {"COMPANION_PORT": "1", "COMPANION_HOST": "127.0.0.1"}
    settings = read(environ, port=2, host=None)
    assert (settings.port, settings.host) == (2, "127.0.0.1")
    assert read({"COMPANION_PORT": ""}).port == 8000
    with pytest.raises(TypeError, match="colour"):
        read({}, colour="red")


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("PORT", "many", "COMPANION_PORT must be a whole number from 0 to 65535."),
        ("PORT", "65536", "from 0 to 65535"),
        ("PORT", "-1", "from 0 to 65535"),
        ("PORT", "--1", "from 0 to 65535"),
        ("PORT", "1.5", "from 0 to 65535"),
        ("PORT", "٣", "from 0 to 65535"),
        ("PORT", "9" * 5000, "from 0 to 65535"),
        ("UNUSED_DAYS", "0", "from 1 to 3650"),
        ("PUBLIC_URL", "play.example.org", "an address without a path"),
        ("PUBLIC_URL", "https://a.example/club", "an address without a path"),
        ("PUBLIC_URL", "https://", "an address without a path"),
        ("PUBLIC_URL", "http://[::1", "an address without a path"),
        ("PUBLIC_URL", "ftp://a.example", "an address without a path"),
        ("PUBLIC_URL", "https://a.example/#", "an address without a path"),
        ("PUBLIC_URL", "https://a.example?", "an address without a path"),
        ("PUBLIC_URL", "https://me@a.example", "an address without a path"),
        ("PUBLIC_URL", "https://*.a.example", "an address without a path"),
        ("PUBLIC_URL", "https://a.example.", "an address without a path"),
        ("PUBLIC_URL", "https://a b.example", "an address without a path"),
        ("PUBLIC_URL", "https://mäng.example", "beginning with xn--"),
        ("PUBLIC_URL", "https://a.example:0", "an address without a path"),
        ("NOTICES_URL", "club.example/imprint", "a page’s address"),
        ("NOTICES_URL", "javascript:alert(1)", "a page’s address"),
        ("NOTICES_URL", "https://club.example/our imprint", "a page’s address"),
        ("NOTICES_URL", "https://[::1", "a page’s address"),
        ("SECRET_KEY", "short", "at least 16 characters"),
        ("SECRET_KEY", "x" * 16 + "\n" + "x", "cannot be printed"),
        ("HOST", "http://x/", "an address or a host name"),
        ("HOST_NAMES", "https://a.example", "host names without a port"),
        ("HOST_NAMES", "*.example", "host names without a port"),
        ("HOST_NAMES", "õ.example", "host names without a port"),
        ("TRUSTED_PROXIES", "proxy", "addresses or networks"),
        ("TRUSTED_PROXIES", "10.0.0.1/8", "addresses or networks"),
        ("NAME_MAX", "25", "from 6 to 24"),
    ],
)
def test_what_cannot_be_used(variable: str, value: str, said: str) -> None:
    with pytest.raises(SettingsError) as error:
        read({f"COMPANION_{variable}": value})
    sentence = str(error.value)
    assert said in sentence
    assert sentence.startswith(f"COMPANION_{variable}")
    assert sentence.endswith(".")
    assert "\n" not in sentence


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        (["PUBLICURL"], "COMPANION_PUBLICURL (perhaps COMPANION_PUBLIC_URL)"),
        (["TRUSTED_PROXY"], "COMPANION_TRUSTED_PROXY (perhaps COMPANION_TRUSTED_PROXIES)"),
        (["URL", "MIB_ALL"], "COMPANION_MIB_ALL (perhaps COMPANION_MIB_IN_ALL), COMPANION_URL"),
        ([""], "COMPANION_"),
    ],
)
def test_a_variable_that_is_no_setting(variables: list[str], said: str) -> None:
    """It was meant as one; also where nothing is in it."""
    for value in ("x", ""):
        with pytest.raises(SettingsError) as error:
            read({f"COMPANION_{each}": value for each in variables})
        assert str(error.value) == f"There is no setting of this name: {said}."


def test_variables_of_others_are_theirs() -> None:
    ours = {"COMPANION_QR": "1"}
    others = {"COMPANIONS": "x", "MY_COMPANION_X": "x", "companion_x": "x", "companion_port": "9"}
    assert read(others | ours) == read(ours)


SHARED = {
    "COMPANION_DATABASE": "postgresql://db/companion",
    "COMPANION_BUS": "redis://bus",
    "COMPANION_SECRET_KEY": "x" * 16,
}


def test_what_processes_share() -> None:
    settings = read(SHARED)
    assert (settings.database, settings.bus) == ("postgresql://db/companion", "redis://bus")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"COMPANION_DATABASE": ""}, "for processes that share a database"),
        ({"COMPANION_SECRET_KEY": ""}, "need the same secret key"),
        ({"COMPANION_DATABASE": "mysql://db"}, "COMPANION_DATABASE must begin with postgresql://"),
        ({"COMPANION_BUS": "bus:6379"}, "COMPANION_BUS must begin with redis:// or rediss://"),
    ],
)
def test_what_they_cannot_do_without(changed: dict[str, str], said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        read(SHARED | changed)


def test_options_are_named_as_they_are_typed() -> None:
    with pytest.raises(SettingsError, match="--unused-days must be"):
        read({}, unused_days="x")


def test_the_secret_is_made_once(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    secret = secret_key(read({}, data=folder))
    assert len(secret) == 32
    assert secret_key(read({}, data=folder)) == secret
    assert stat.S_IMODE((folder / KEY_FILE).stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [file.name for file in folder.iterdir()] == [KEY_FILE]


def test_a_secret_may_be_given(tmp_path: Path) -> None:
    settings = read({"COMPANION_SECRET_KEY": "k" * 16}, data=tmp_path)
    assert secret_key(settings) == b"k" * 16
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_secret(tmp_path: Path) -> None:
    (tmp_path / KEY_FILE).write_bytes(b"")
    with pytest.raises(SettingsError, match="damaged"):
        _ = secret_key(read({}, data=tmp_path))


def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match="cannot be used"):
        _ = secret_key(read({}, data=tmp_path / "file" / "data"))


def test_the_longest_name_is_the_record_s() -> None:
    assert settings_module.NAME_MAX == fields_of_games.NAME_MAX
