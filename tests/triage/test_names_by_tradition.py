"""Names of one person, and of two, by the tradition that the names come from."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from kycpack.assets import asset_names, asset_yaml
from kycpack.triage.names.hanzi import jyutping_spellings
from kycpack.triage.names.person_names import compare_names


@pytest.mark.parametrize(
    ("left", "right", "kinds"),
    [
        ("Wilhelmina Castleford", "Wilhelmina Castlef", ("abbreviation",)),
        ("Bartholomew Ashdown-Pryce", "BARTHOLOMEW ASHDOW", ("abbreviation",)),
        ("Chr. Lindqvist", "Christian Lindqvist", ("initial",)),
        ("Θ. Βλάχος", "Theofanis Vlachos", ("initial",)),
        ("Ю. Бондарук", "Yuliia Bondaruk", ("initial",)),
        ("Sumarto bin Karyo", "Sumarto", ("extra_name",)),
        ("Wm Ashdown", "William Ashdown", ("nickname",)),
        ("Juan Hdez Ocampo", "Juan Hernández Ocampo", ("nickname",)),
        ("Ken Mizuta", "Kensuke Mizuta", ("nickname",)),
        ("Venky Raghavan", "Venkatesh Raghavan", ("nickname",)),
        ("Pádraig Ó Ceallaigh", "Patrick Kelly", ("particle", "transliteration")),
        ("Eftychia Mpakali", "Eftychia Bakali", ("transliteration",)),
        ("Boedi Tjokro", "Budi Cokro", ("transliteration",)),
        ("Ohkubo Jyunko", "Okubo Junko", ("transliteration",)),
        ("Gang Hyeonuk", "Kang Hyun-wook", ("transliteration",)),
        ("Chung Myung-hee", "Jeong Myeonghui", ("transliteration",)),
        ("Liang Zhiming", "Leung Chi Ming", ("transliteration",)),
        ("Farshad Ghasemi", "Farshad Qasemi", ("transliteration",)),
        ("Djoko Soedirdjo", "Joko Sudirjo", ("transliteration",)),
        ("Vijayalaxmi Shenoy", "Vijayalakshmi Shenoi", ("transliteration",)),
        ("Surinder Pahwa", "Surendra Pahwa", ("transliteration",)),
        ("Sivaswamy Rangan", "Sivasami Rangan", ("transliteration",)),
        ("Jayeshbhai Thakkar", "Jayesh Thakkar", ("particle",)),
        ("Ghulamabbas Rizvi", "Gholam Abbas Rizvi", ("transliteration",)),
        ("Jirawan Phongsak", "Chirawan Pongsak", ("transliteration",)),
        ("Vichit Thongboon", "Wichit Tongbun", ("transliteration",)),
        ("Катя Зуева", "Ekaterina Zueva", ("nickname",)),
        ("Sivakaminathan", "Sivakaminathan daughter of Arumugam", ("extra_name",)),
        ("Kandaswamynathan", "Kandaswamynathan Perumal", ("extra_name",)),
        ("Sukarman", "Sukarman bin Wiryo", ("extra_name",)),
        ("Pooja Kulkarni", "Puja Kulkarni", ("transliteration",)),
        ("Nuruddin Tazi", "Nour Eddine Tazi", ("transliteration",)),
        ("Soerjo Widjajanto", "Suryo Wijayanto", ("transliteration",)),
        ("Unai Etxaniz Goikoa", "Unai Echaniz Goicoa", ("transliteration",)),
        ("Mikel Iturriaga", "Miguel Iturriaga", ("transliteration",)),
        ("Tenma Jun-ya", "Temma Junya", ("transliteration",)),
        ("Kang Dae-jin", "Kang Dae-jni", ("slip",)),
        ("Abderrahmane Tazi", "Abdul Rahman Tazi", ("transliteration",)),
        ("Juanjo Ocampo", "Juan José Ocampo", ("nickname",)),
        ("Mao Wenlong", "Mao Wen-lung", ("transliteration",)),
        ("Qian Weimign", "Qian Weiming", ("slip",)),
        ("Fiona MacAlpin", "Fiona Mc Alpin", ("slip",)),
        ("Fiona McAlpin", "Fiona Mac Alpin", ("slip",)),
        ("Tariq Al Sayed", "Tarek Elsayed", ("transliteration",)),
    ],
)
def test_one_person_and_the_kind_of_the_likeness(left: str, right: str, kinds: tuple[str, ...]) -> None:
    for found in (compare_names(left, right), compare_names(right, left)):
        assert (found.verdict, found.kinds) == ("similar", kinds)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("วิภา สุนทร", "Wipha Sunthorn"),
        ("นางวิภา สุนทร", "Vipa Soonthorn"),
        ("เสาวนีย์ ประภาส", "Saowanee Prapas"),
        ("ธีรเดช เกรียงศักดิ์", "Teeradej Kriangsak"),
        ("윤서현 님", "윤서현"),
        ("윤서현씨", "Yoon Seo-hyun"),
        ("水田健介様", "水田健介"),
        ("هدى الشريف", "Houda Al Sherif"),
        ("عمران قاسمی", "Emran Ghasemi"),
        ("প্রণব সেন", "Pranab Sen"),
        ("श्याम सुंदर अग्रवाल", "Shyam Sunder Agarwal"),
        ("यज्ञेश वाडेकर", "Yagnesh Wadekar"),
        ("जितेंद्र राणा", "Jitender Rana"),
        ("সুব্রত কর", "Subrata Kar"),
        ("অভিজিৎ মুখার্জি", "Abhijit Mukherjee"),
        ("ஆறுமுகம் ராமசாமி", "Arumugam Ramaswamy"),
        ("கிருஷ்ணவேணி லட்சுமணன்", "Krishnaveni Lakshmanan"),
        ("శివరామకృష్ణ ప్రసాదు", "Sivaramakrishna Prasadu"),
        ("ರಾಮಯ್ಯ ಶೆಟ್ಟಿ", "Ramaiah Shetty"),
        ("ഗോപിനാഥൻ കുറുപ്പ്", "Gopinathan Kurup"),
        ("ਜਗਜੀਤ ਸਿੰਘ ਬਰਾੜ", "Jagjit Singh Brar"),
        ("ହରିହର ନାୟକ", "Harihara Nayak"),
        ("کیان‌مهر رفیع‌زاده", "Kianmehr Rafizadeh"),
        ("مهرداد رحیم‌پور", "Mehrdad Rahim Pour"),
        ("ضیاءالدین بھٹی", "Ziauddin Bhatti"),
        ("بدر الدين قباني", "Badreddine Qabbani"),
        ("عبدالجبار کھوکھر", "Abdul Jabbar Khokhar"),
        ("เชิดศักดิ์ ทรงธรรม", "Cherdsak Songtham"),
        ("朴英洙", "Park Young-soo"),
        ("黎惠賢", "Lai Wai Yin"),
        ("อำไพ ทองคำ", "Ampai Thongkham"),
        ("เพ็ญนภา ทรงธรรม", "Pennapa Songtham"),
        ("रत्न धर्म वीर", "Ratan Dharam Vir"),
        ("崔永姬", "Choi Young-hee"),
        ("朴英洙", "박영수"),
        ("羅永聰", "Law Wing Chung"),
        ("馮惠賢", "Fung Wai Yin"),
        ("จันทร์เพ็ญ ใหญ่สุข", "Chanpen Yaisuk"),
    ],
)
def test_one_person_in_the_script_of_the_tradition(left: str, right: str) -> None:
    assert compare_names(left, right).verdict != "different"
    assert compare_names(right, left).verdict != "different"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Yousuf bin Tariq Al-Amri", "Tariq bin Yousuf Al-Amri"),
        ("Tariq Yousuf Amri", "Yousuf Tariq Amri"),
        ("Dov ben Asher Harel", "Asher Harel"),
        ("Sukiman bin Darto", "Darto bin Sukiman"),
        ("Jamshed s/o Farrokh Irani", "Farrokh Irani"),
        ("Sher Khan s/o Mir Khan", "Mir Khan s/o Sher Khan"),
    ],
)
def test_parent_and_child_are_two_people(left: str, right: str) -> None:
    for found in (compare_names(left, right), compare_names(right, left)):
        assert (found.verdict, found.kinds) == ("different", ("generation",))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Kang Ji-won", "Kang Ji-eun"),
        ("Fiona MacAlpin", "Fiona Mc Arthur"),
        ("Tariq Al Sayed", "Tariq Al Haj"),
        ("Kang Seong-min", "Kang Seung-min"),
        ("Yoon Young-ho", "Yoon Yong-ho"),
        ("Kang Ye-jun", "Kang Ye-ji"),
        ("水田健介", "水田健太"),
        ("حسن قاسم", "Hussein Qasim"),
        ("سعد منصور", "Saeed Mansour"),
        ("Saad Qasim", "Saeed Qasim"),
        ("Στέφανος Βλάχος", "Stefana Vlachou"),
        ("Stylianos Vlachos", "Styliana Vlachos"),
        ("Богдан Мельник", "Bohdana Melnyk"),
        ("প্রণব সেন", "Pranaba Sen"),
        ("कुमार जोशी", "Kumari Joshi"),
        ("วิชัย สุนทร", "Wichit Sunthorn"),
        ("มาลี สุนทร", "Manee Sunthorn"),
        ("Christopher Robert", "Christopher Roberts"),
        ("Zhou Lei", "Zhou Li"),
        ("Pham Minh Anh", "Pham Minh An"),
        ("Kang Min-su", "Kang Min-seo"),
        ("María José Ocampo", "José María Ocampo"),
        ("Emile Castaing", "Emilie Castaing"),
        ("Farshad Irani", "Farhad Irani"),
        ("יעל אלמוג", "Yoel Almog"),
        ("Ирина Мельник", "Arina Melnyk"),
        ("Ali bin Omar", "Ali"),
        ("Beatriz Ocampo Luna", "Beatriz Luna Ocampo"),
        ("Abdul Karim Rind", "Abdul Rahim Rind"),
        ("রঞ্জন ঘোষ", "Ranjana Ghosh"),
        ("दीपक नेगी", "Deepika Negi"),
        ("முருகன் வேலு", "Murugesan Velu"),
        ("సురేష్ నాయుడు", "Naresh Naidu"),
        ("Γιώργος Βλάχος", "Grigoris Vlachos"),
        ("شمس الدین رضوی", "Shahabuddin Rizvi"),
        ("Kamonchai Wongsuk", "Kamolwan Wongsuk"),
        ("Phạm Thị Hoa", "Phạm Thị Hoà"),
        ("Bùi Văn Hùng", "Bùi Văn Hưng"),
        ("Hsieh Wen-te", "Hsieh Wen-che"),
        ("Baek Tae-yang", "Baek Tae-young"),
        ("백서연", "Baek Su-yeon"),
        ("Darmawan Putra", "Darmawati Putra"),
        ("Adriana Luna", "Ariana Luna"),
        ("劉家輝", "Lau Ka Wai"),
        ("ساجد رند", "Sajjad Rind"),
    ],
)
def test_two_people_whose_names_differ_little(left: str, right: str) -> None:
    assert compare_names(left, right).verdict == "different"
    assert compare_names(right, left).verdict == "different"


def test_a_name_that_marks_a_generation_elsewhere_stays_a_name() -> None:
    assert compare_names("Kang Ye-jun", "Kang Ye-joon").kinds == ("transliteration",)
    assert compare_names("Rohan Sen", "R Sen").kinds == ("initial",)
    assert compare_names("Jens Holm sen.", "Jens Holm jun.").kinds == ("generation",)


def test_a_tone_may_be_set_on_either_vowel_and_left_out() -> None:
    assert compare_names("Phạm Ngọc Thuý", "Phạm Ngọc Thúy").verdict == "equal"
    assert compare_names("Phạm Ngọc Thuý", "Pham Ngoc Thuy").verdict == "equal"


def test_an_initial_before_a_vowel_stays_an_initial() -> None:
    assert compare_names("E Oikonomidis", "Eleni Oikonomidis").kinds == ("initial",)
    assert compare_names("A Iordanou", "Anna Iordanou").kinds == ("initial",)


def test_moving_the_family_name_is_another_order_and_no_other_person() -> None:
    assert compare_names("Beatriz Ocampo Luna", "Ocampo Luna Beatriz").kinds == ("order",)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Wei Zhang", "Zhang Wei"),
        ("Min-ji Park", "Park Min-ji"),
        ("Yuki Tanaka", "Tanaka Yuki"),
        ("Minh Tran", "Tran Minh"),
    ],
)
def test_order_alone_is_said_to_be_order_in_every_tradition(one: str, other: str) -> None:
    assert compare_names(one, other).kinds == ("order",)


@pytest.mark.parametrize("name", asset_names("names"))
def test_no_word_of_the_lists_is_read_as_true_or_false(name: str) -> None:
    assert [one for one in _leaves(asset_yaml(name)) if isinstance(one, bool)] == []


def _leaves(node: object) -> Iterator[object]:
    if isinstance(node, dict):
        for key, value in node.items():
            yield key
            yield from _leaves(value)
    elif isinstance(node, list):
        for value in node:
            yield from _leaves(value)
    else:
        yield node


def test_every_character_with_a_reading_in_cantonese_has_a_spelling() -> None:
    listed = "".join(re.findall(r"[\u4e00-\u9fff]", asset_yaml("names/jyutping.yaml")["readings"]))
    assert len(listed) > 5_000
    assert [one for one in listed if not all(jyutping_spellings(one))] == []
    assert compare_names("陳志干", "Chan Chi Kon").kinds == ("transliteration",)
