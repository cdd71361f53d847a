"""Patterns that a compliance officer would want to see again: each writes one into a book."""

from __future__ import annotations

import datetime as dt

from tests.evaluate.blind.life import WORDS, Book, after, live

_ABROAD = ("WISE PAYMENTS", "REVOLUT LTD", "INTL PYMT LT44", "SWIFT OUT AE07", "REMITLY UK", "WORLDREMIT")
_EXCHANGES = ("KRAKEN", "COINBASE", "BINANCE UK", "CRYPTO.COM", "BITSTAMP LTD")
_BRANCHES = ("CASH PAID IN {}", "CASHIN P.O. {}", "CASH DEP MACHINE {}", "CR CASH BRANCH {}")
_CASH = "PMNT-CNTR-CDPT"


def _shell(book: Book) -> str:
    return book.rng.choice(WORDS["shells"])


def _cash(book: Book, day: dt.date, amount: float, account: str = "A") -> None:
    text = book.rng.choice(_BRANCHES).format(book.rng.randint(10, 99))
    book.add(day, amount, text, account=account, code=_CASH if book.rng.random() < 0.6 else None)


def _send_off(book: Book, day: dt.date, total: float, parts: int = 1, account: str = "A") -> None:
    target = book.rng.choice(_ABROAD)
    for part in range(parts):
        book.add(after(day, part), -round(total / parts, 2), target, account=account)


def fan_in_strangers(book: Book) -> None:
    """Many strangers pay small sums within weeks; most of it leaves."""
    live(book)
    start, total = book.day(60, 300), 0.0
    last = start
    for stranger in book.people(book.rng.randint(14, 26)):
        amount = book.pounds(380, 940, 10)
        day = after(start, book.rng.randint(0, 24))
        last, total = max(last, day), total + amount
        book.add(
            day, amount, book.spelt(stranger, book.rng.choice(("", "", "order", "thanks"))), name=stranger
        )
    _send_off(book, after(last, book.rng.randint(1, 4)), total * book.rng.uniform(0.8, 0.95), 3)


def cycle_over_accounts(book: Book) -> None:
    """Money leaves one account to a firm and comes back to another, again and again."""
    live(book)
    book.open("C")
    firm, day = _shell(book), book.day(20, 100)
    for _ in range(book.rng.randint(4, 8)):
        amount = book.pounds(2500, 7500, 100)
        book.add(day, -amount, f"{firm} services", name=firm)
        back = after(day, book.rng.randint(1, 4))
        book.add(back, amount * 0.99, f"{firm} payment", account="C", name=firm)
        home = after(back, 1)
        book.add(home, -amount * 0.99, f"to {book.holder}", account="C")
        book.add(home, amount * 0.99, f"from {book.holder}", name=book.holder)
        day = after(home, book.rng.randint(8, 22))


def stack_own_accounts(book: Book) -> None:
    """A sum of unknown origin is passed over own accounts in slices and leaves at the end."""
    live(book)
    for account in "BCD":
        book.open(account)
    for _ in range(book.rng.randint(2, 3)):
        firm, day = _shell(book), book.day(30, 300)
        amount = book.pounds(12000, 38000, 500)
        book.add(day, amount, f"{firm} {book.rng.choice(('contract', 'inv 7', ''))}", name=firm)
        for here, there in ("AB", "BC", "CD"):
            day = after(day, book.rng.randint(0, 2))
            for share in (0.4, 0.6):
                book.add(day, -amount * share, f"tfr {book.holder}", account=here)
                book.add(day, amount * share, f"tfr {book.holder}", account=there, name=book.holder)
        _send_off(book, after(day, 1), amount * 0.98, 2, "D")


def out_after_days(book: Book) -> None:
    """Large unexplained credits each leave again some days after."""
    live(book)
    for _ in range(book.rng.randint(3, 5)):
        payer, day = book.rng.choice((_shell(book), book.person())), book.day(20, 320)
        amount = book.pounds(4000, 14000, 50)
        book.add(day, amount, payer, name=payer)
        _send_off(book, after(day, book.rng.randint(4, 9)), amount * book.rng.uniform(0.9, 0.98))


def salary_passes_through(book: Book) -> None:
    """A second 'salary' from an unlikely firm leaves at once to persons."""
    live(book)
    firm, first = _shell(book), book.rng.randint(0, 4)
    helpers = book.people(3)
    for step in range(book.rng.randint(5, 8)):
        day = after(dt.date(2025, 7, 6) + dt.timedelta(days=30 * (first + step)), 0)
        amount = book.pounds(4200, 8900, 10)
        book.add(day, amount, f"{firm} {book.rng.choice(('salary', 'wages', 'pay'))}", name=firm)
        for helper in helpers:
            book.add(after(day, book.rng.randint(0, 2)), -amount * 0.315, book.spelt(helper), name=helper)


def loan_repaid_at_once(book: Book) -> None:
    """A bank loan is settled within weeks with cash and money of strangers."""
    live(book)
    day, amount = book.day(60, 280), book.pounds(8000, 20000, 500)
    lender = book.rng.choice(("ZOPA BANK", "NATWEST LOAN", "LENDABLE LTD", "TESCO BANK LOAN"))
    book.add(day, amount, f"{lender} advance", name=lender)
    book.add(
        after(day, 1), -amount * 0.9, book.rng.choice(("CARTER MOTORS", "AL NOOR GOLD", "HATTON JEWELS"))
    )
    parts = book.rng.randint(5, 9)
    for _ in range(parts):
        when = after(day, book.rng.randint(3, 16))
        if book.rng.random() < 0.5:
            _cash(book, when, book.pounds(0.95, 1.05) * amount / parts)
        else:
            stranger = book.person()
            book.add(when, round(amount / parts, -1), book.spelt(stranger), name=stranger)
    book.add(after(day, 18), -amount * 1.01, f"{lender} early settlement", name=lender)


def cash_split(book: Book) -> None:
    """Much cash in small notes over many branches within weeks."""
    live(book)
    start = book.day(60, 290)
    for _ in range(book.rng.randint(24, 36)):
        _cash(book, after(start, book.rng.randint(0, 45)), book.pounds(720, 980, 10))
    _send_off(book, after(start, 48), 14000, 2)


def fan_out(book: Book) -> None:
    """One large credit is scattered to many persons in a few days."""
    live(book)
    firm, day, amount = _shell(book), book.day(40, 320), book.pounds(14000, 40000, 100)
    book.add(day, amount, f"{firm} proceeds", name=firm)
    targets = book.people(book.rng.randint(12, 24))
    for target in targets:
        book.add(
            after(day, book.rng.randint(0, 3)), -amount * 0.97 / len(targets), book.spelt(target), name=target
        )


def gifts_to_exchange(book: Book) -> None:
    """'Gifts' of several people go to a crypto exchange the next day."""
    live(book)
    exchange = book.rng.choice(_EXCHANGES)
    for giver in book.people(book.rng.randint(5, 9)):
        day, amount = book.day(80, 330), book.pounds(1800, 5200, 100)
        book.add(
            day,
            amount,
            book.spelt(giver, book.rng.choice(("gift", "birthday", "present", "love"))),
            name=giver,
        )
        book.add(after(day, 1), -amount * 0.99, exchange)


def near_threshold_cash(book: Book) -> None:
    """Cash deposits just under 10,000, one after another."""
    live(book)
    day = book.day(60, 240)
    for _ in range(book.rng.randint(6, 10)):
        _cash(book, day, book.pounds(9000, 9950, 10))
        day = after(day, book.rng.randint(3, 9))
    _send_off(book, day, 40000, 4)


def round_trip_third_party(book: Book) -> None:
    """What was paid to one firm comes back from another under a new name."""
    live(book)
    for _ in range(book.rng.randint(3, 5)):
        day, amount = book.day(20, 310), book.pounds(6000, 15000, 250)
        out, back = book.rng.sample(WORDS["shells"], 2)
        book.add(day, -amount, f"{out} purchase", name=out)
        word = book.rng.choice(("loan", "refund", "consultancy", "dividend"))
        book.add(
            after(day, book.rng.randint(5, 14)),
            amount * book.rng.uniform(0.96, 1),
            f"{back} {word}",
            name=back,
        )


def dormant_account_woken(book: Book) -> None:
    """An account without a line for ten months takes and sends large sums."""
    live(book)
    book.open("B")
    book.add(dt.date(2025, 7, 3), -3.5, "ACCOUNT FEE", account="B")
    for _ in range(book.rng.randint(5, 8)):
        payer = book.rng.choice((_shell(book), book.person()))
        day, amount = book.day(320, 350), book.pounds(3500, 12000, 50)
        book.add(day, amount, payer, account="B", name=payer)
        _send_off(book, after(day, book.rng.randint(1, 3)), amount * 0.95, 1, "B")


def invoice_carousel(book: Book) -> None:
    """Three firms pay invoices in a ring, and are paid the same round sums."""
    live(book, pay=False)
    ring = book.rng.sample(WORDS["shells"], 3)
    for step in range(book.rng.randint(9, 15)):
        day, amount = book.day(5, 340), book.pounds(4000, 16000, 1000)
        payer, payee = ring[step % 3], ring[(step + 1) % 3]
        book.add(day, amount, f"{payer} inv {200 + step}", name=payer)
        book.add(after(day, book.rng.randint(1, 5)), -amount, f"{payee} inv {700 + step}", name=payee)


def mule_pay(book: Book) -> None:
    """Credits of changing senders leave the same day, less a commission."""
    live(book)
    day = book.day(120, 240)
    for _ in range(book.rng.randint(7, 12)):
        sender = book.rng.choice((book.person(), _shell(book)))
        amount = book.pounds(1300, 3200, 5)
        book.add(
            day, amount, f"{sender} {book.rng.choice(('', 'task 3', 'agent pay', 'ref 88'))}", name=sender
        )
        _send_off(book, day, amount * 0.92)
        day = after(day, book.rng.randint(4, 10))


def refund_abuse(book: Book) -> None:
    """Shops 'refund' what was never bought from the account."""
    live(book)
    shops = (
        "ASOS.COM",
        "CURRYS ONLINE",
        "ARGOS LTD",
        "JOHN LEWIS",
        "APPLE.COM/UK",
        "SELFRIDGES",
        "HARRODS LTD",
    )
    for _ in range(book.rng.randint(14, 24)):
        shop = book.rng.choice(shops)
        book.add(book.day(60, 350), book.pounds(260, 1150), f"{shop} refund", name=shop)


def gambling_wash(book: Book) -> None:
    """Cash goes to a bookmaker and comes back as winnings, with little played."""
    live(book)
    bookmaker = book.rng.choice(("BETFRED.COM", "WILLIAM HILL", "LADBROKES.COM", "BETVICTOR", "UNIBET"))
    for _ in range(book.rng.randint(7, 12)):
        day, amount = book.day(20, 330), book.pounds(1500, 4500, 100)
        _cash(book, day, amount)
        book.add(after(day, 1), -amount, bookmaker, name=bookmaker)
        book.add(after(day, 4), amount * book.rng.uniform(0.9, 0.98), f"{bookmaker} wdl", name=bookmaker)


def crypto_in_out(book: Book) -> None:
    """Coins are sold for far more than the person earns, and the money leaves."""
    live(book)
    exchange = book.rng.choice(_EXCHANGES)
    for _ in range(book.rng.randint(5, 9)):
        day, amount = book.day(40, 330), book.pounds(5000, 15000)
        book.add(day, amount, f"{exchange} payout", name=exchange)
        _send_off(book, after(day, book.rng.randint(1, 4)), amount * 0.94, 2)


def cash_intensive_cover(book: Book) -> None:
    """A small shop pays in round cash that grows week by week and goes abroad; nobody pays by card."""
    live(book, pay=False)
    trade = book.rng.choice(("CAR WASH", "NAIL BAR", "BARBERS", "VAPE SHOP"))
    level = book.pounds(1800, 2400, 50)
    for week in range(48):
        level *= 1.015
        _cash(book, after(dt.date(2025, 7, 7), 7 * week), round(level, -2))
        if week % 4 == 3:
            firm = _shell(book)
            book.add(
                after(dt.date(2025, 7, 9), 7 * week),
                -round(level * 3.5, -2),
                f"{firm} {trade} stock",
                name=firm,
            )


def property_deposit_strangers(book: Book) -> None:
    """A house deposit is put together by people who are no family."""
    live(book)
    start, total = book.day(60, 280), 0.0
    for stranger in book.people(book.rng.randint(6, 10)):
        amount = book.pounds(4000, 9900, 100)
        total += amount
        word = book.rng.choice(("house", "deposit", "gift", "loan", ""))
        book.add(after(start, book.rng.randint(0, 20)), amount, book.spelt(stranger, word), name=stranger)
    book.add(after(start, 24), -total, "CHAPS MERRICK CONVEYANCING", name="MERRICK CONVEYANCING")


def cash_over_own_accounts(book: Book) -> None:
    """On one day cash goes into three own accounts, and again the week after."""
    live(book)
    for account in "BC":
        book.open(account)
    day = book.day(60, 260)
    for _ in range(book.rng.randint(5, 8)):
        for account in "ABC":
            _cash(book, day, book.pounds(850, 1900, 50), account)
        day = after(day, book.rng.randint(5, 9))


PATTERNS = (
    fan_in_strangers,
    cycle_over_accounts,
    stack_own_accounts,
    out_after_days,
    salary_passes_through,
    loan_repaid_at_once,
    cash_split,
    fan_out,
    gifts_to_exchange,
    near_threshold_cash,
    round_trip_third_party,
    dormant_account_woken,
    invoice_carousel,
    mule_pay,
    refund_abuse,
    gambling_wash,
    crypto_in_out,
    cash_intensive_cover,
    property_deposit_strangers,
    cash_over_own_accounts,
)
