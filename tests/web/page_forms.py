"""The forms of a page, as a browser without script would send them."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Form:
    method: str
    action: str
    fields: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    """Each field's name, and the values that it may have."""


class Page(HTMLParser):
    """Reads `forms` off a page; a button is a field, since each may mean something else."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._by_id: dict[str, Form] = {}
        self._elsewhere: list[tuple[str, str, str]] = []
        self._open: Form | None = None
        self._select = ""
        self.feed(text)
        self.close()
        for form, name, value in self._elsewhere:
            if form in self._by_id:
                self._add(self._by_id[form], name, value)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = Form(given.get("method", "get").upper(), given.get("action", ""))
            self.forms.append(self._open)
            if "id" in given:
                self._by_id[given["id"]] = self._open
        elif tag == "select":
            self._select = given.get("name", "")
        elif tag == "option" and self._open is not None and self._select:
            self._add(self._open, self._select, given.get("value", ""))
        elif tag in ("input", "button", "textarea") and given.get("name"):
            if "form" in given:
                self._elsewhere.append((given["form"], given["name"], given.get("value", "")))
            elif self._open is not None:
                self._add(self._open, given["name"], given.get("value", ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif tag == "select":
            self._select = ""

    @staticmethod
    def _add(form: Form, name: str, value: str) -> None:
        for number, (known, values) in enumerate(form.fields):
            if known == name:
                form.fields[number] = (name, (*values, value))
                return
        form.fields.append((name, (value,)))
