from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.service.pages.person import Person
from tests.service.pages.ways import new_pay_link, new_portal
from tests.service.signed import Caller

_TEXT = st.text(max_size=60)
_FIELDS = (
    "agree",
    "type",
    "country",
    "number",
    "expiry",
    "cvc",
    "bank",
    "account",
    "decision",
    "once",
    "specimen_photo",
)


def test_no_form_makes_a_page_fail(call: Caller, person: Person) -> None:
    _, _, url = new_portal(call, {"ais": {"accounts": True}})
    _, link = new_pay_link(call)
    person.open(url)
    token = person._read().forms[0].fields["form_token"]
    person.send(agree="yes")
    addresses = [
        url,
        *(f"{url}/{step}" for step in ("identity", "document", "address", "bank", "review")),
        link,
    ]
    addresses += [f"{link}/{part}" for part in ("card", "access")]

    @settings(max_examples=40)
    @given(
        st.sampled_from(addresses),
        st.dictionaries(st.sampled_from(_FIELDS), _TEXT),
        st.dictionaries(st.sampled_from(["photo", "front", "proof"]), st.binary(max_size=40), max_size=2),
    )
    def send(address: str, fields: dict[str, str], files: dict[str, bytes]) -> None:
        data = {"form_token": token, **fields}
        sent = {name: (name, content) for name, content in files.items()}
        answer = person.http.post(address, data=data, files=sent or None)
        assert answer.status_code in {303, 400, 404, 409}
        if answer.status_code != 303:
            assert answer.headers["content-type"] == "text/html; charset=utf-8"

    send()
