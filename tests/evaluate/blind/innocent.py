"""Patterns of honest people that look like the guilty ones: each writes one into a book."""

from __future__ import annotations

import datetime as dt

from tests.evaluate.blind.life import Book, after, live, months


def landlord_with_tenants(book: Book) -> None:
    """Several tenants pay rent; mortgages and repairs go out."""
    live(book, rent=False)
    for number, tenant in enumerate(book.people(book.rng.randint(4, 8)), 1):
        rent, due = book.pounds(550, 1150, 25), book.rng.randint(1, 7)
        words = book.rng.choice(("rent", f"rent flat {number}", f"flat {number}", "monthly rent"))
        text = book.spelt(tenant, words)
        for day in months(due):
            book.add(day, rent, text, name=tenant)
            book.add(after(day, 3), -rent * 0.55, f"BTL MTG {4400 + number}")
    for _ in range(5):
        book.add(
            book.day(),
            -book.pounds(80, 900),
            book.rng.choice(("ABBEY PLUMBING", "HOMEBASE", "GAS SAFE CHECK")),
        )


def parents_to_student(book: Book) -> None:
    """Parents send money every month; halls and books go out."""
    live(book, pay=False, rent=False)
    surname = book.holder.split(" ", 1)[1]
    allowance = book.pounds(300, 650, 25)
    text = f"{book.rng.choice(('Mrs J', 'Mr P', 'R & K'))} {surname} {book.rng.choice(('uni', 'food', ''))}"
    for day in months(book.rng.randint(1, 8)):
        book.add(day, allowance, text)
    for day in (dt.date(2025, 9, 24), dt.date(2026, 1, 7), dt.date(2026, 4, 22)):
        amount = book.pounds(2400, 3300)
        book.add(day, amount, "SLC MAINT LOAN", name="STUDENT LOANS CO")
        book.add(after(day, 3), -amount * 0.85, "UNIVERSITY HALLS RENT")


def joint_account(book: Book) -> None:
    """Two people's pay comes into one account, and one of them sends the rest over."""
    live(book, rent=False)
    first, last = book.holder.split(" ", 1)
    partner = f"{book.person().split()[0]} {last}"
    book.open("J", holder=f"{first} {last} & {partner}")
    wage, share = book.pounds(1500, 2900), book.pounds(700, 1300, 50)
    for day in months(26):
        book.add(day, wage, "ELMHURST DENTAL SALARY", account="J", name="ELMHURST DENTAL")
    for day in months(28):
        book.add(day, -share, f"to joint {last}")
        book.add(day, share, f"{book.holder} to joint", account="J", name=book.holder)
        book.add(after(day, 2), -(wage + share) * 0.9, "NATIONWIDE MTG AND BILLS", account="J")


def lead_tenant(book: Book) -> None:
    """Flatmates pay their share to one of them, who pays the landlord the next day."""
    live(book, rent=False)
    share = book.pounds(420, 780, 10)
    mates = book.people(book.rng.randint(3, 4))
    texts = [book.spelt(mate, book.rng.choice(("rent", "share", "flat"))) for mate in mates]
    for day in months(book.rng.choice((1, 3, 28))):
        for mate, text in zip(mates, texts, strict=True):
            book.add(day, share, text, name=mate)
        book.add(after(day, 1), -share * (len(mates) + 1), "SO RENT PARKER ESTATES")


def treasurers_kitty(book: Book) -> None:
    """The members of a club pay their subscriptions; the hall is paid from it."""
    live(book)
    club = book.rng.choice(("football", "choir", "netball", "subs", "scouts camp"))
    members, sub = book.people(book.rng.randint(10, 20)), book.pounds(10, 40, 5)
    for month in months(5)[::2]:
        for member in members:
            book.add(after(month, book.rng.randint(0, 9)), sub, book.spelt(member, club), name=member)
        book.add(after(month, 12), -sub * len(members) * 0.95, "LEISURE CENTRE HALL HIRE")


def carer(book: Book) -> None:
    """An old neighbour pays back what was bought for them."""
    live(book)
    neighbour = book.person()
    text = book.spelt(neighbour, book.rng.choice(("shopping", "food", "")))
    for week in range(50):
        bought = book.pounds(35, 110)
        day = after(dt.date(2025, 7, 3), 7 * week)
        book.add(day, -bought, "TESCO STORES 2210")
        book.add(after(day, book.rng.randint(0, 2)), bought, text, name=neighbour)


def friends_repayment(book: Book) -> None:
    """Money lent to a friend comes back months after, in one sum or in parts."""
    live(book)
    friend, lent = book.person(), book.pounds(2000, 6000, 500)
    day = book.day(10, 60)
    book.add(day, -lent, book.spelt(friend, "loan"), name=friend)
    parts = book.rng.choice((1, 1, 2, 5))
    for part in range(parts):
        back = after(day, 150 + 30 * part)
        book.add(
            back,
            lent / parts,
            book.spelt(friend, book.rng.choice(("paying you back", "thanks", ""))),
            name=friend,
        )


def consultants_invoices(book: Book) -> None:
    """A consultant is paid by a few firms and pays tax."""
    live(book, pay=False)
    firms = book.rng.sample(
        [
            "HALCYON SOFTWARE LTD",
            "BRINDLE & SHAW LLP",
            "EASTGATE RAIL PLC",
            "MONKTON FOODS LTD",
            "PELHAM UNIVERSITY",
        ],
        3,
    )
    for number in range(book.rng.randint(12, 20)):
        firm = book.rng.choice(firms)
        book.add(book.day(0, 360), book.pounds(1800, 7200), f"{firm} inv {1040 + number}", name=firm)
    for day in (dt.date(2025, 7, 30), dt.date(2026, 1, 29)):
        book.add(day, -book.pounds(4000, 7000), "HMRC SA PAYMENT")


def shops_returns(book: Book) -> None:
    """Furniture and clothes are bought and some of them go back."""
    live(book)
    for _ in range(book.rng.randint(4, 8)):
        shop = book.rng.choice(
            ("JOHN LEWIS", "IKEA LTD", "ASOS.COM", "NEXT RETAIL", "DFS TRADING", "ZARA UK")
        )
        day, cost = book.day(5, 330), book.pounds(60, 1900)
        book.add(day, -cost, shop, name=shop)
        kept = book.rng.choice((0, 0, 0.4))
        book.add(after(day, book.rng.randint(4, 20)), cost * (1 - kept), f"{shop} refund", name=shop)


def house_purchase(book: Book) -> None:
    """Savings and a gift of the parents become a deposit."""
    live(book)
    book.open("S", "savings")
    day, saved, gift = book.day(120, 320), book.pounds(14000, 30000, 500), book.pounds(8000, 25000, 1000)
    surname = book.holder.split(" ", 1)[1]
    for month in months(27)[:3]:
        book.add(month, -300, f"to savings {book.holder}")
        book.add(month, 300, f"from current {book.holder}", account="S", name=book.holder)
    book.add(day, -saved, f"to {book.holder} current", account="S")
    book.add(day, saved, f"from savings {book.holder}", name=book.holder)
    book.add(after(day, 1), gift, f"Mr & Mrs {surname} house deposit", name=f"M {surname}")
    book.add(after(day, 4), -(saved + gift), "CHAPS LOWRIE CONVEYANCERS", name="LOWRIE CONVEYANCERS")


def bonus_and_saving(book: Book) -> None:
    """A bonus goes to savings the next day."""
    live(book)
    book.open("S", "savings")
    employer = next(line["description_raw"] for line in book.lines if line["amount_minor"] > 100_000)
    payer = employer.rsplit(" ", 1)[0].removesuffix(" NET")
    day, bonus = book.day(200, 290), book.pounds(5000, 15000)
    book.add(day, bonus, f"{payer} bonus", name=payer)
    book.add(after(day, 1), -bonus * 0.95, f"to savings {book.holder}")
    book.add(after(day, 1), bonus * 0.95, f"from {book.holder}", account="S", name=book.holder)


def holiday_sharing(book: Book) -> None:
    """Friends pay their part of a villa that one of them books."""
    live(book)
    share, friends = book.pounds(180, 520, 5), book.people(book.rng.randint(4, 8))
    day = book.day(150, 320)
    book.add(day, -share * (len(friends) + 1), book.rng.choice(("AIRBNB HMX8", "VRBO VILLA", "TUI UK LTD")))
    for friend in friends:
        text = book.spelt(friend, book.rng.choice(("villa", "holiday", "Ibiza", "")))
        book.add(after(day, book.rng.randint(0, 14)), share, text, name=friend)


def market_trader(book: Book) -> None:
    """A stall's takings in odd sums, card payouts beside them, stock and pitch paid from them."""
    live(book, pay=False)
    for week in range(51):
        day = after(dt.date(2025, 7, 7), 7 * week)
        takings = book.pounds(190, 520, 5)
        book.add(day, takings, "CASH PAID IN 22", code="PMNT-CNTR-CDPT")
        book.add(after(day, 1), book.pounds(180, 480), "SUMUP PAYMENTS LTD", name="SUMUP PAYMENTS")
        book.add(
            after(day, 2),
            -book.pounds(150, 330),
            book.rng.choice(("BOOKER WHSLE", "NEW COVENT GDN", "MAKRO")),
        )
        if week % 4 == 0:
            book.add(after(day, 3), -140, "COUNCIL MARKET PITCH")


def wedding_gifts(book: Book) -> None:
    """Many guests send a gift within weeks; the venue is paid."""
    live(book)
    day = book.day(120, 320)
    book.add(after(day, -20), -book.pounds(4000, 9000), "OLD BARN VENUE BALANCE")
    for guest in book.people(book.rng.randint(15, 30)):
        text = book.spelt(guest, book.rng.choice(("wedding", "congratulations", "honeymoon", "love")))
        book.add(after(day, book.rng.randint(-5, 15)), book.pounds(20, 200, 10), text, name=guest)


def student_loan(book: Book) -> None:
    """Three instalments of a student loan, and a job in a cafe."""
    live(book, pay=False)
    for day in (dt.date(2025, 9, 22), dt.date(2026, 1, 12), dt.date(2026, 4, 20)):
        book.add(day, book.pounds(2600, 3900), "SLC SFE MAINTENANCE", name="STUDENT LOANS COMPANY")
    for week in range(0, 50, 2):
        book.add(
            after(dt.date(2025, 7, 4), 7 * week),
            book.pounds(240, 420),
            "BEANERY CAFE LTD WAGES",
            name="BEANERY CAFE",
        )


def car_sale(book: Book) -> None:
    """One car is sold and the next is bought."""
    live(book)
    day, price = book.day(60, 320), book.pounds(3200, 9200, 50)
    buyer = book.rng.choice(("WE BUY ANY CAR", "MOTORWAY DEALER PMT", book.person()))
    book.add(day, price, f"{buyer} {book.rng.choice(('car', 'YK19 golf', 'fiesta'))}", name=buyer)
    book.add(after(day, book.rng.randint(2, 12)), -price * book.rng.uniform(0.9, 1.3), "ARNOLD CLARK AUTOS")


def taxi_driver(book: Book) -> None:
    """Fares by app and card every week, some cash, fuel and the office's rent."""
    live(book, pay=False)
    for week in range(51):
        day = after(dt.date(2025, 7, 8), 7 * week)
        book.add(day, book.pounds(260, 560), book.rng.choice(("UBER BV", "FREENOW PAYOUT", "SUMUP PAYMENTS")))
        if book.rng.random() < 0.6:
            book.add(after(day, 1), book.pounds(60, 240, 5), "CASH PAID IN PO", code="PMNT-CNTR-CDPT")
        book.add(after(day, 1), -book.pounds(70, 120), "BP FUEL")
        book.add(after(day, 2), -95, "CITY CARS OFFICE RENT")


def church_collector(book: Book) -> None:
    """Sunday's plate is paid in on Monday, and handed on every month."""
    live(book)
    collected = 0.0
    for week in range(50):
        day = after(dt.date(2025, 7, 7), 7 * week)
        plate = book.pounds(80, 250)
        collected += plate
        book.add(day, plate, "CASH PAID IN COLLECTION", code="PMNT-CNTR-CDPT")
        if week % 4 == 3:
            book.add(after(day, 2), -collected, "PARISH OF ST BRIDE QUOTA", name="PCC ST BRIDE")
            collected = 0.0


def inheritance_kept(book: Book) -> None:
    """An estate is paid out by solicitors and put into savings."""
    live(book)
    book.open("S", "savings")
    day, amount = book.day(60, 300), book.pounds(18000, 90000)
    book.add(day, amount, "BRAITHWAITE SOLRS EST OF M DALTON", name="BRAITHWAITE SOLICITORS CLIENT AC")
    book.add(after(day, 2), -amount * 0.9, f"to savings {book.holder}")
    book.add(after(day, 2), amount * 0.9, f"from {book.holder}", account="S", name=book.holder)


def moving_between_own_accounts(book: Book) -> None:
    """A tidy person feeds bills, savings and holiday accounts on pay day."""
    live(book)
    for account, kind in (("B", "current"), ("S", "savings")):
        book.open(account, kind)
    parts = {"B": book.pounds(300, 500, 10), "S": book.pounds(100, 300, 10)}
    for day in months(28):
        for account, amount in parts.items():
            book.add(day, -amount, f"to {book.holder}")
            book.add(day, amount, f"from {book.holder}", account=account, name=book.holder)
        book.add(after(day, 3), -parts["B"] * 0.95, "HOUSEHOLD BILLS", account="B")
    book.add(dt.date(2026, 6, 10), -900, f"to {book.holder}", account="S")
    book.add(dt.date(2026, 6, 10), 900, f"from savings {book.holder}", name=book.holder)


PATTERNS = (
    landlord_with_tenants,
    parents_to_student,
    joint_account,
    lead_tenant,
    treasurers_kitty,
    carer,
    friends_repayment,
    consultants_invoices,
    shops_returns,
    house_purchase,
    bonus_and_saving,
    holiday_sharing,
    market_trader,
    wedding_gifts,
    student_loan,
    car_sale,
    taxi_driver,
    church_collector,
    inheritance_kept,
    moving_between_own_accounts,
)
