"""The catalogue: every code in both languages, and files with a mistake in them refused."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from console.rules.codes import CLEARED_BY_TECHNICIAN, Fault, Refusal
from console.rules.round.tokens import STUCK_AFTER_MS, TRAY_MS
from console.technician.registry import COMMANDS
from console.texts.catalogue import findings
from console.texts.catalogue.brief import FAULTS, FINDINGS, REFUSALS
from console.texts.catalogue.entries import (
    SHARED,
    Catalogue,
    CatalogueEntry,
    CodeKind,
    CodeText,
    build,
    catalogue,
    own_file,
)
from console.texts.catalogue.findings import FindingCode
from console.texts.display import ENGLISH, ITALIAN
from console.texts.language import Language
from devices.roles import DISPLAY_COLUMNS
from tests.deadlines import DEADLINE_S

FILES = {kind: own_file(f"{kind.value}.toml") for kind in CodeKind}


def texts() -> Iterator[tuple[str, CodeText]]:
    for entry in catalogue():
        yield f"{entry.code}.en", entry.english
        yield f"{entry.code}.it", entry.italian


def test_every_code_of_the_house_has_an_entry_in_the_order_of_its_enum() -> None:
    whole = catalogue()
    assert [entry.code for entry in whole.of(CodeKind.FAULT)] == [fault.value for fault in Fault]
    assert [entry.code for entry in whole.of(CodeKind.REFUSAL)] == [
        code.value for code in Refusal if code not in SHARED
    ]
    assert {whole.refusal(code).kind for code in SHARED} == {CodeKind.FAULT}
    assert [entry.code for entry in whole.of(CodeKind.FINDING)] == [
        code.value for code in FindingCode
    ]
    assert len(list(whole)) == len(Fault) + len(Refusal) + len(FindingCode) - len(SHARED)


def test_an_entry_is_found_by_its_code_however_it_is_typed() -> None:
    whole = catalogue()
    rail_lost = whole.fault(Fault.RAIL_LOST)
    for typed in ("RAIL_LOST", "rail_lost", " Rail-Lost ", "rail lost"):
        assert whole.find(typed) is rail_lost
    assert whole.find("LOCKED") is whole.refusal(Refusal.LOCKED)
    assert whole.find("hot") is whole.finding(FindingCode.HOT)
    assert whole.find("") is whole.find("RAIL") is whole.find("RAIL_LOST_") is None


def test_the_display_and_the_catalogue_say_the_same() -> None:
    for fault in Fault:
        entry = catalogue().fault(fault)
        assert entry.in_(Language.IT).short == ITALIAN.faults[fault]
        assert entry.in_(Language.EN).short == ENGLISH.faults[fault]
    for finding in FindingCode:
        assert catalogue().finding(finding).english.short == ""


@pytest.mark.parametrize("fault", [fault for fault in Fault if fault in CLEARED_BY_TECHNICIAN])
def test_who_clears_a_fault_is_told(fault: Fault) -> None:
    entry = catalogue().fault(fault)
    for text in (entry.english, entry.italian):
        assert f"`clear {fault.value}`" in text.do
    assert "by the technician" in entry.english.clears
    assert "tecnico" in entry.italian.clears


def test_what_a_declaration_clears_is_told() -> None:
    entry = catalogue().fault(Fault.DOOR_OPEN)
    for text in (entry.english, entry.italian):
        assert "`declare opened`" in text.do
    assert "by the technician's declaration" in entry.english.clears


BY_ITSELF = [one for one in Fault if one not in CLEARED_BY_TECHNICIAN | {Fault.DOOR_OPEN}]


@pytest.mark.parametrize("fault", BY_ITSELF)
def test_what_clears_without_a_technician_is_told(fault: Fault) -> None:
    text = catalogue().fault(fault).english
    assert text.clears.startswith(("by itself", "with the COIN IN"))
    assert "`clear" not in text.do


def test_the_first_steps_name_a_command_of_the_line() -> None:
    names = {command.names[0] for command in COMMANDS}
    for where, text in texts():
        if text.check:
            spans = re.findall(r"`([^`]*)`", " ".join(text.check))
            assert names & {span.split()[0] for span in spans}, where


@pytest.mark.parametrize(
    ("entry", "figures"),
    [
        (catalogue().fault(Fault.TOKEN_STUCK), (STUCK_AFTER_MS // 1000,)),
        (catalogue().fault(Fault.TRAY_COUNT), (TRAY_MS // 1000,)),
        (catalogue().finding(FindingCode.BUTTON_HELD), (findings.HELD_MS // 1000,)),
        (catalogue().finding(FindingCode.KEY_CONTACTS), (findings.KEY_SETTLES_MS,)),
        (
            catalogue().finding(FindingCode.CONTACT_CHATTERS),
            (findings.CHATTER, findings.CHATTER_A_CHANGE),
        ),
        (catalogue().finding(FindingCode.LINE_NOISY), (findings.NOISY_FRAMES, 1)),
        (catalogue().finding(FindingCode.DISK_FILLS), (int(findings.LEAST_FREE_MB),)),
        (catalogue().finding(FindingCode.HOT), (int(findings.HOTTEST_C),)),
        (catalogue().finding(FindingCode.LOOP_STALLS), (int(findings.LONGEST_STALL_MS),)),
    ],
)
def test_the_figures_told_are_those_that_decide(
    entry: CatalogueEntry, figures: tuple[int, ...]
) -> None:
    for text in (entry.english, entry.italian):
        whole = [int(number) for number in re.findall(r"\b\d+\b", text.raised)]
        assert set(figures) <= set(whole), text.raised


def test_both_languages_name_the_same_codes_and_commands() -> None:
    """But for the inputs, which each language calls by its own names."""
    for entry in catalogue():
        english, italian = (
            find_names(entry.in_(language)) for language in (Language.EN, Language.IT)
        )
        own = {"plug", "inspector", "seat N", "seat N drop", "tray", "NO PROOF OF A KEY"}
        its_own = {"spina", "ispettore", "posto N", "posto N caduta", "vaschetta"}
        its_own.add("SENZA PROVA DELLA CHIAVE")
        assert english - own == italian - its_own, entry.code


def find_names(text: CodeText) -> set[str]:
    whole = " ".join((text.raised, *text.check, text.meanwhile, text.do, text.clears))
    return set(re.findall(r"`([^`]*)`", whole))


def build_with(kind: CodeKind, text: str) -> Catalogue:
    return build({**FILES, kind: text})


def test_these_files_make_the_catalogue() -> None:
    assert build_with(CodeKind.FAULT, FILES[CodeKind.FAULT]) == catalogue()


def without(text: str, code: str) -> str:
    """A file without one of its codes."""
    return re.sub(rf"^\[{code}[.\]].*?(?=^\[(?!{code}\b)|\Z)", "", text, flags=re.M | re.S)


Broken = Callable[[str], str]


@pytest.mark.parametrize(
    ("kind", "broken", "answer"),
    [
        (CodeKind.FAULT, lambda text: without(text, "RAIL_LOST"), "there is no text for RAIL_LOST"),
        (CodeKind.FINDING, lambda text: without(text, "HOT"), "there is no text for HOT"),
        (
            CodeKind.FAULT,
            lambda text: text.replace("[KEY_FAULT.it]", "[KEY_FAULT.de]"),
            "it is missing|there is no key de",
        ),
        (
            CodeKind.FAULT,
            lambda text: text.replace("[RAIL_LOST", "[REIL_LOST"),
            "there is no text for RAIL_LOST",
        ),
        (
            CodeKind.REFUSAL,
            lambda text: f'{text}\n[RAIL_LOST.en]\nraised = "a"\n[RAIL_LOST.it]\nraised = "b"\n',
            "no such code: RAIL_LOST",
        ),
        (
            CodeKind.REFUSAL,
            lambda text: text.replace('do = "Key to R."', 'do = ""'),
            "refusals.toml: IN_SERVICE.en: do is missing",
        ),
        (
            CodeKind.FAULT,
            lambda text: text.replace("meanwhile = ", "meantime = ", 1),
            "there is no key meantime",
        ),
        (
            CodeKind.FAULT,
            lambda text: text.replace("`rail`: which line", "`rail: which line"),
            "RAIL_LOST.en: .* is not one line of text",
        ),
        (
            CodeKind.FAULT,
            lambda text: text.replace("1. ", "").replace("check = [", 'check = ["One more.",', 1),
            "RAIL_LOST: the languages differ in their steps",
        ),
        (
            CodeKind.FAULT,
            lambda text: text.replace("`rail`: which line", f"`rail`: {'which ' * 50}line"),
            "RAIL_LOST.en: a step of ",
        ),
        (CodeKind.FAULT, lambda text: f"{text}\n[", "faults.toml: "),
    ],
)
def test_a_mistake_in_a_file_is_told(kind: CodeKind, broken: Broken, answer: str) -> None:
    text = broken(FILES[kind])
    assert text != FILES[kind]
    with pytest.raises(ValueError, match=answer):
        build_with(kind, text)


def test_brief_knows_every_code() -> None:
    assert [list(FAULTS), list(REFUSALS), list(FINDINGS)] == [
        list(codes) for codes in (Fault, Refusal, FindingCode)
    ]


def test_brief_fits_the_display_and_one_line() -> None:
    displayed = (*FAULTS.values(), *REFUSALS.values())
    shorts = [text for one in displayed for text in (one.short.it, one.short.en)]
    assert [
        text for text in shorts if not re.fullmatch(rf"[ -~]{{1,{DISPLAY_COLUMNS}}}", text)
    ] == []
    meanings = (*(one.means for one in displayed), *FINDINGS.values())
    lines = [text for one in meanings for text in (one.it, one.en)]
    assert [line for line in lines if not line.strip() or not line.isprintable()] == []


def test_a_table_starts_without_reading_what_only_people_need() -> None:
    came_in = subprocess.run(
        [sys.executable, "-c", "import sys, console.run; print(*sys.modules)"],
        check=True,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
    ).stdout.split()
    assert "console.texts.catalogue.brief" in came_in
    assert "console.texts.catalogue.entries" not in came_in
