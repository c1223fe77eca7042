"""Writes hard-mails.jsonl: mailboxes with hard mails, and what Python's modules mailbox and email read of them.

Run it in its directory: python3 hard-mails.py > hard-mails.jsonl

Each case is a mailbox. "python" is what Python reads. "expected" is the same, or what is right if Python differs; then
"why" has the reason. HardMailsTest imports each case and compares.
"""

import base64
import email.header
import email.utils
import html
import json
import mailbox
import os
import re
import sys
import tempfile

CASES = []
FROM = "From ann@example.com Tue Jun  3 11:05:30 2008\n"
SPLITS_MORE = "Python begins a mail at each line that begins with From"
SPLITS_SAME = "Python keeps the first character of >From"


def case(name, mail, why=None, *ours, count=None):
    """Adds a mailbox. `ours` has the values that differ from Python's, for each mail; or all values, if `count` differs."""
    if isinstance(mail, str):
        mail = mail.encode("utf-8")
    CASES.append((name, mail, why, ours, count))


def one(name, head, body, why=None, **ours):
    """Adds a mailbox with one mail."""
    parts = [each.encode("utf-8") if isinstance(each, str) else each for each in (FROM, head, "\n", body)]
    if parts[1] and not parts[1].endswith(b"\n"):
        parts[1] += b"\n"
    case(name, b"".join(parts), why, *([ours] if ours else []))


def decoded(text):
    if text is None:
        return None
    if not isinstance(text, str):
        text = str(text)
    try:
        text = str(email.header.make_header(email.header.decode_header(text)))
    except Exception:
        pass
    return re.sub(r"[\r\n]+", "", text).strip() or None


def visible(page):
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


def text_of(part):
    payload = part.get_payload(decode=True)
    if payload is None:
        return ""
    try:
        text = payload.decode(part.get_content_charset("ascii"), "replace")
    except LookupError:
        text = payload.decode("ascii", "replace")
    return text.replace("\r\n", "\n")


def read(mail):
    plain, pages, names = [], [], []
    for part in mail.walk():
        name = decoded(part.get_filename())
        if name:
            names.append(name)
        if part.is_multipart():
            continue
        shown = not (part.get_content_disposition() == "attachment" and name)
        if part.get_content_type() == "text/html" and shown:
            pages.append(text_of(part))
        elif part.get_content_maintype() in ("text", "multipart") and shown:
            plain.append(text_of(part))
    text = "\n".join(plain)
    if not text.strip():
        text = " ".join(visible(each) for each in pages)
    date = None
    try:
        date = email.utils.parsedate_to_datetime(mail["date"])
        date = int((date if date.tzinfo else date.replace(tzinfo=email.utils.datetime.timezone.utc)).timestamp())
    except Exception:
        pass

    def addresses(*headers):
        values = [str(each) for header in headers for each in mail.get_all(header, [])]
        found = [(decoded(name), address) for name, address in email.utils.getaddresses(values)]
        return ["%s <%s>" % each if each[0] else each[1] for each in found if any(each)]

    return {
        "subject": decoded(mail["subject"]),
        "sender": ", ".join(addresses("from")) or None,
        "recipients": addresses("to", "cc"),
        "date": date,
        "text": text.strip(),
        "attachments": names,
    }


def python(mail):
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "a.mbox")
        with open(path, "wb") as out:
            out.write(mail)
        box = mailbox.mbox(path)
        try:
            return [read(box[key]) for key in box.keys()]
        except UnicodeDecodeError:
            return []
        finally:
            box.close()


def expected(values, ours, count):
    if count is not None:
        empty = {"subject": None, "sender": None, "recipients": [], "date": None, "text": "", "attachments": []}
        return [{**empty, **(ours[i] if i < len(ours) else {})} for i in range(count)]
    return [{**value, **(ours[i] if i < len(ours) else {})} for i, value in enumerate(values)]


def b64(text, charset="utf-8", padded=True):
    raw = text if isinstance(text, bytes) else text.encode(charset)
    word = base64.b64encode(raw).decode()
    return word if padded else word.rstrip("=")


# 1. Lines that separate mails.
SEPARATORS = {
    "asctime": "From ann@example.com Tue Jun  3 11:05:30 2008",
    "two-digit-day": "From ann@example.com Thu Jun 12 11:05:30 2008",
    "day-with-zero": "From ann@example.com Tue Jun 03 11:05:30 2008",
    "day-with-one-blank": "From ann@example.com Tue Jun 3 11:05:30 2008",
    "hour-of-one-digit": "From ann@example.com Tue Jun  3 9:05:30 2008",
    "without-seconds": "From ann@example.com Tue Jun  3 11:05 2008",
    "leap-second": "From ann@example.com Wed Dec 31 23:59:60 2008",
    "zone-name": "From ann@example.com Tue Jun  3 11:05:30 CEST 2008",
    "zone-of-two-words": "From ann@example.com Tue Jun  3 11:05:30 MET DST 2008",
    "zone-offset-before-year": "From 1470000000000000000@xxx Tue Jun 03 11:05:30 +0000 2008",
    "zone-offset-after-year": "From ann@example.com Tue Jun  3 11:05:30 2008 +0200",
    "zone-name-after-year": "From ann@example.com Tue Jun  3 11:05:30 2008 GMT",
    "zone-offset-with-colon": "From ann@example.com Tue Jun  3 11:05:30 2008 +02:00",
    "zone-with-offset": "From ann@example.com Tue Jun  3 11:05:30 GMT+1 2008",
    "zone-in-brackets": "From ann@example.com Tue Jun  3 11:05:30 2008 +0200 (CEST)",
    "mailer-daemon": "From MAILER-DAEMON Tue Jun  3 11:05:30 2008",
    "mailer-daemon-two-blanks": "From MAILER-DAEMON  Tue Jun  3 11:05:30 2008",
    "hyphen": "From - Tue Jun 03 11:05:30 2008",
    "question-marks": "From ???@??? Tue Jun 03 11:05:30 2008",
    "local-user": "From root Tue Jun  3 11:05:30 2008",
    "uucp-path": "From host!gate!ann Tue Jun  3 11:05:30 2008 remote from host",
    "uucp": "From ann Tue Jun  3 11:05:30 2008 remote from host",
    "address-with-plus": "From ann+list=x.y@example.com Tue Jun  3 11:05:30 2008",
    "address-in-brackets": "From <ann@example.com> Tue Jun  3 11:05:30 2008",
    "empty-address-in-brackets": "From <> Tue Jun  3 11:05:30 2008",
    "quoted-local-part": 'From "ann m"@example.com Tue Jun  3 11:05:30 2008',
    "address-with-at": "From ann at example.com  Tue Jun  3 11:05:30 2008",
    "two-blanks-before-address": "From  ann@example.com Tue Jun  3 11:05:30 2008",
    "tabs": "From ann@example.com\tTue Jun  3 11:05:30 2008",
    "blanks-at-the-end": "From ann@example.com Tue Jun  3 11:05:30 2008   ",
    "last-century": "From ann@example.com Fri Sep 17 08:00:00 1993",
}
for name, line in SEPARATORS.items():
    case("separator-" + name, FROM + "Subject: one\n\nfirst\n\n" + line + "\nSubject: two\n\nsecond\n")
case("separator-international-address", FROM + "Subject: one\n\nfirst\n\nFrom \u00e4nn@\u00f6rt.example Tue Jun  3 11:05:30 2008\nSubject: two\n\nsecond\n",
     "Python fails at a separator with bytes beyond ASCII", {"subject": "one", "text": "first"}, {"subject": "two", "text": "second"}, count=2)
case("separator-first-with-zone", SEPARATORS["zone-offset-before-year"] + "\nSubject: one\n\nfirst\n\n" + FROM + "Subject: two\n\nsecond\n")
case("separator-without-empty-line", FROM + "Subject: one\n\nfirst\n" + FROM + "Subject: two\n\nsecond\n")
case("separator-after-headers", FROM + "Subject: one\n" + FROM + "Subject: two\n\nsecond\n")
case("separator-twice", FROM + FROM + "Subject: two\n\nsecond\n")
case("separator-at-the-end", FROM + "Subject: one\n\nfirst\n\n" + FROM)
case("separator-at-the-end-without-line-break", FROM + "Subject: one\n\nfirst\n\n" + FROM.strip())
case("separator-crlf", (FROM + "Subject: one\n\nfirst\nline\n\n" + FROM + "Subject: two\n\nsecond\n").replace("\n", "\r\n"))
case("separator-crlf-without-empty-line", (FROM + "Subject: one\n\nfirst\n" + FROM + "Subject: two\n\nsecond\n").replace("\n", "\r\n"))
case("separator-mixed-line-ends", FROM + "Subject: one\r\n\r\nfirst\r\n\r\n" + FROM + "Subject: two\n\nsecond\n")
case("separator-after-empty-lines", "\n\n" + FROM + "Subject: one\n\nfirst\n")
case("separator-after-byte-order-mark", b"\xef\xbb\xbf" + (FROM + "Subject: one\n\nfirst\n").encode(),
     "Python finds no separator after a byte order mark", {"subject": "one", "text": "first"}, count=1)
case("empty-mails", FROM + "\n" + FROM + "\n" + FROM + "\n")
case("no-body", FROM + "Subject: one\n")
case("no-line-break-at-the-end", FROM + "Subject: one\n\nfirst")
case("own-form", "From ann\nSubject: one\n\nFrom the kitchen\nto the garden\n\nFrom ben\nSubject: two\n\nsecond\n",
     SPLITS_MORE, {"subject": "one", "text": "From the kitchen\nto the garden"}, {"subject": "two", "text": "second"}, count=2)
case("own-form-iso", "From ann@example.com 2008-06-03T11:05:30Z\nSubject: one\n\nfirst\n\nFrom ben@example.com 2008-06-03T11:06:30Z\nSubject: two\n\nsecond\n")

# 2. Lines that do not.
SENTENCES = {
    "kitchen": "From the kitchen comes a smell of bread.",
    "colon": "From the kitchen: a smell of bread.",
    "date-in-words": "From Monday June 3 to Friday we are closed.",
    "address": "From ann@example.com you got this.",
    "address-alone": "From ann@example.com",
    "hyphen-alone": "From -",
    "daemon-alone": "From MAILER-DAEMON",
    "date-without-address": "From Tue Jun  3 11:05:30 2008",
    "weekday-only": "From ann Tue",
    "no-time": "From ann@example.com Tue Jun  3 2008",
    "no-year": "From ann@example.com Tue Jun  3 11:05:30",
    "no-weekday": "From ann@example.com Jun  3 11:05:30 2008",
    "no-day": "From ann@example.com Tue Jun 11:05:30 2008",
    "wrong-weekday": "From ann@example.com Tux Jun  3 11:05:30 2008",
    "wrong-month": "From ann@example.com Tue Juni  3 11:05:30 2008",
    "wrong-day": "From ann@example.com Tue Jun 33 11:05:30 2008",
    "wrong-hour": "From ann@example.com Tue Jun  3 24:05:30 2008",
    "wrong-minute": "From ann@example.com Tue Jun  3 11:60:30 2008",
    "year-of-two-digits": "From ann@example.com Tue Jun  3 11:05:30 08",
    "words-after": "From ann@example.com Tue Jun  3 11:05:30 2008 we go on",
    "two-words-before": "From Ann Miller Tue Jun  3 11:05:30 2008",
    "comma": "From ann@example.com, Tue, Jun 3, 11:05:30 2008",
    "iso-date": "From ann@example.com 2008-06-03 11:05:30",
    "rfc-date": "From ann@example.com Tue, 3 Jun 2008 11:05:30 +0200",
}
for name, line in SENTENCES.items():
    for place, before in (("after-empty-line", "\n\n"), ("after-text", "\n")):
        text = "Hello," + before + line + "\nX-Line: it is text\n\nBye"
        case("sentence-%s-%s" % (name, place), FROM + "Subject: one\n\n" + text + "\n\n" + FROM + "Subject: two\n\nsecond\n",
             SPLITS_MORE, {"subject": "one", "text": text}, {"subject": "two", "text": "second"}, count=2)
case("sentence-first", FROM + "Subject: one\n\nFrom the kitchen\n", SPLITS_MORE, {"subject": "one", "text": "From the kitchen"}, count=1)
for name, line in (("lower-case", "from ann@example.com Tue Jun  3 11:05:30 2008"), ("indented", " From ann@example.com Tue Jun  3 11:05:30 2008"),
                   ("colon-form", "From: ann@example.com Tue Jun  3 11:05:30 2008"), ("no-blank", "Fromage"), ("alone", "From")):
    one("sentence-" + name, "Subject: one", "Hello\n\n" + line + "\n\nBye\n")
one("quoted-separator", "Subject: one", "Hello\n\n>" + FROM + "Bye\n", SPLITS_SAME, text="Hello\n\n" + FROM + "Bye")
one("quoted-sentence", "Subject: one", ">From the kitchen\n", SPLITS_SAME, text="From the kitchen")
one("quoted-twice", "Subject: one", ">>From the kitchen\n", SPLITS_SAME, text=">From the kitchen")
one("quoted-other", "Subject: one", "> From the kitchen\n>Fromage\n>from here\n")
one("quoted-separator-in-headers", "Subject: one\n>" + FROM + "To: ben@example.com", "text\n",
    "Python ends the headers at such a line, and loses the recipients", recipients=["ben@example.com"], text="text")

# 3. Names of character sets, as browsers take them.
WIDER = "Python takes the name literally, browsers take the larger set"
UNKNOWN = "Python does not know the name"


def charset(label, text, codec, why=None):
    raw = text.encode(codec)
    one("charset-" + label.lower(), "Subject: one\nContent-Type: text/plain; charset=" + label, raw + b"\n", why,
        **({"text": text} if why else {}))


QUOTES = "\u201egr\u00fcn\u201c \u2013 5 \u20ac"
for label in ("latin1", "iso-8859-1", "iso8859-1", "iso88591", "iso_8859-1", "iso_8859-1:1987", "iso-ir-100", "l1", "cp819", "ibm819", "csisolatin1"):
    charset(label, QUOTES, "cp1252", WIDER)
for label in ("us-ascii", "ascii", "ansi_x3.4-1968"):
    charset(label, "gr\u00fcn \u2713", "utf-8", "Python replaces the bytes of a wrong us-ascii")
    one("charset-" + label + "-1252", "Subject: one\nContent-Type: text/plain; charset=" + label, QUOTES.encode("cp1252"),
        "Python replaces the bytes of a wrong us-ascii", text=QUOTES)
for label in ("windows-1252", "cp1252"):
    charset(label, QUOTES, "cp1252")
charset("x-cp1252", QUOTES, "cp1252", UNKNOWN)
CHINESE = "\u4f60\u597d \u9555\u5586"
for label in ("gb2312", "gb_2312-80", "iso-ir-58", "csiso58gb231280", "chinese", "gbk", "gb18030", "x-gbk", "gb_2312"):
    charset(label, CHINESE, "gbk", None if label in ("gbk", "gb18030") else UNKNOWN if label in ("x-gbk", "gb_2312") else WIDER)
KOREAN = "\uc548\ub155 \ub620\ubc29\uac01\ud558"
for label in ("ks_c_5601-1987", "ks_c_5601-1989", "ks_c_5601", "euc-kr", "ksc5601", "ksc_5601", "korean", "iso-ir-149", "windows-949", "cp949", "cseuckr", "ms949"):
    charset(label, KOREAN, "cp949", None if label in ("cp949", "ms949") else UNKNOWN if label in ("windows-949", "cseuckr", "ks_c_5601-1989", "iso-ir-149") else WIDER)
JAPANESE = "\u65e5\u672c\u8a9e \u2460 \u30c6\u30b9\u30c8 \uff76\uff85"
for label in ("shift_jis", "shift-jis", "sjis", "ms_kanji", "windows-31j", "x-sjis", "csshiftjis", "cp932", "ms932"):
    charset(label, JAPANESE, "cp932", None if label in ("cp932", "ms932", "ms_kanji") else UNKNOWN if label in ("x-sjis", "windows-31j") else WIDER)
charset("iso-2022-jp", "\u65e5\u672c\u8a9e", "iso-2022-jp")
charset("euc-jp", "\u65e5\u672c\u8a9e", "euc-jp")
charset("x-euc-jp", "\u65e5\u672c\u8a9e", "euc-jp", UNKNOWN)
charset("iso-2022-kr", "\uc548\ub155", "iso-2022-kr")
charset("big5", "\u4f60\u597d", "big5")
charset("big5-hkscs", "\u4f60\u597d \u5497", "big5-hkscs")
charset("x-x-big5", "\u4f60\u597d", "big5", UNKNOWN)
charset("iso-8859-9", "\u0130stanbul \u20ac", "cp1254", WIDER)
charset("latin5", "\u0130stanbul \u20ac", "cp1254", WIDER)
charset("iso-8859-11", "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35 \u20ac", "cp874", WIDER)
charset("tis-620", "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35 \u20ac", "cp874", WIDER)
charset("iso-8859-8-i", "\u05e9\u05dc\u05d5\u05dd", "iso-8859-8", UNKNOWN)
charset("logical", "\u05e9\u05dc\u05d5\u05dd", "iso-8859-8", UNKNOWN)
charset("visual", "\u05e9\u05dc\u05d5\u05dd", "iso-8859-8", UNKNOWN)
for number, text in ((2, "\u0159e\u010d"), (3, "\u0127a\u0121a"), (4, "\u0137\u0137\u0101"), (5, "\u043f\u0440\u0438"), (6, "\u0633\u0644\u0627\u0645"),
                     (7, "\u03ba\u03b1\u03bb"), (8, "\u05e9\u05dc"), (10, "\u0173\u0146\u00fe"), (13, "\u0105\u010d\u0119"), (14, "\u0175\u1e41"), (15, "5 \u20ac \u0153"), (16, "\u021b\u0219")):
    charset("iso-8859-%d" % number, text, "iso-8859-%d" % number)
for codec, text in (("koi8-r", "\u043f\u0440\u0438\u0432\u0435\u0442"), ("koi8-u", "\u043f\u0440\u0438\u0432\u0456\u0442"), ("windows-1250", "\u0159e\u010d"),
                    ("windows-1251", "\u043f\u0440\u0438\u0432\u0435\u0442"), ("windows-1253", "\u03ba\u03b1\u03bb\u03ae"), ("windows-1254", "\u015fe\u011f"), ("windows-1255", "\u05e9\u05dc\u05d5\u05dd"),
                    ("windows-1256", "\u0633\u0644\u0627\u0645"), ("windows-1257", "\u0105\u010d\u0119"), ("windows-1258", "\u01a1n"), ("windows-874", "\u0e2a\u0e27\u0e31"),
                    ("ibm866", "\u043f\u0440\u0438"), ("macintosh", "gr\u00fcn"), ("cp850", "gr\u00fcn")):
    charset(codec, text, {"macintosh": "mac_roman", "windows-874": "cp874"}.get(codec, codec), UNKNOWN if codec in ("windows-874",) else None)
charset("ibm-850", "gr\u00fcn", "cp850", UNKNOWN)
charset("x-mac-cyrillic", "\u043f\u0440\u0438", "mac_cyrillic", UNKNOWN)
charset("x-mac-roman", "gr\u00fcn", "mac_roman", UNKNOWN)
charset("sun_eu_greek", "\u03ba\u03b1\u03bb\u03ae", "iso-8859-7", UNKNOWN)
charset("dos-874", "\u0e2a\u0e27\u0e31", "cp874", UNKNOWN)
charset("utf8", "gr\u00fcn \u2713", "utf-8")
charset("Utf-8", "gr\u00fcn \u2713", "utf-8")
charset('"utf-8"', "gr\u00fcn \u2713", "utf-8")
charset("'utf-8'", "gr\u00fcn \u2713", "utf-8")
charset("unicode-1-1-utf-8", "gr\u00fcn \u2713", "utf-8", UNKNOWN)
charset("x-unknown", "gr\u00fcn \u2713", "utf-8", UNKNOWN)
charset("unknown-8bit", "gr\u00fcn", "cp1252", UNKNOWN)
charset("default_charset", "gr\u00fcn", "cp1252", UNKNOWN)
charset("_iso-2022-jp$ESC", "\u65e5", "utf-8", UNKNOWN)
charset("latin-1", QUOTES, "cp1252", WIDER)
charset("utf-8 (Unicode)", "gr\u00fcn", "utf-8", "Python takes the comment as a part of the name")
for label, codec in (("utf-16le", "utf-16-le"), ("utf-16be", "utf-16-be")):
    one("charset-" + label, "Subject: one\nContent-Transfer-Encoding: base64\nContent-Type: text/plain; charset=" + label, b64("gr\u00fcn \u2713", codec))
one("charset-utf-16-marked", "Content-Transfer-Encoding: base64\nContent-Type: text/plain; charset=utf-16", b64("gr\u00fcn \u2713", "utf-16"))
one("charset-utf-16", "Content-Transfer-Encoding: base64\nContent-Type: text/plain; charset=utf-16", b64("gr\u00fcn \u2713", "utf-16-le"))
one("charset-utf-8-marked", "Content-Type: text/plain; charset=utf-8", b"\xef\xbb\xbfgr\xc3\xbcn\n", "Python keeps the byte order mark", text="gr\u00fcn")
one("charset-latin1-with-mark-of-utf-8", "Content-Type: text/plain; charset=iso-8859-1", b"\xef\xbb\xbfgr\xc3\xbcn\n", "Browsers believe the byte order mark", text="gr\u00fcn")
one("charset-utf-8-wrong", "Content-Type: text/plain; charset=utf-8", b"gr\xfcn\n")
one("charset-utf-7", "Content-Type: text/plain; charset=utf-7", "gr+APw-n\n", "Browsers do not know UTF-7; the text is as it is written", text="gr+APw-n")
one("charset-hz", "Content-Type: text/plain; charset=hz-gb-2312", "~{Dc:C~}\n", "Browsers do not know HZ; the text is as it is written", text="~{Dc:C~}")
NONE = "Python replaces bytes beyond ASCII if no character set is named"
one("charset-none-utf-8", "Subject: one", "gr\u00fcn \u2713\n", NONE, text="gr\u00fcn \u2713")
one("charset-none-1252", "Subject: one", QUOTES.encode("cp1252"), NONE, text=QUOTES)
one("charset-none-type", "Content-Type: text/plain", "gr\u00fcn\n", NONE, text="gr\u00fcn")
one("charset-empty", "Content-Type: text/plain; charset=", "gr\u00fcn\n", NONE, text="gr\u00fcn")
one("charset-none-html", "Content-Type: text/html", "<p>gr\u00fcn</p>\n", NONE, text="gr\u00fcn")
one("charset-none-html-1252", "Content-Type: text/html", "<p>gr\u00fcn</p>\n".encode("cp1252"), NONE, text="gr\u00fcn")
one("charset-of-page", "Content-Type: text/html", '<html><head><meta http-equiv="Content-Type" content="text/html; charset=gb2312"></head><body>\u4f60\u597d</body></html>'.encode("gbk"),
    "Python does not look at the page", text="\u4f60\u597d")
one("charset-of-page-short", "Content-Type: text/html", "<meta charset=koi8-r><p>\u043f\u0440\u0438</p>".encode("koi8-r"), "Python does not look at the page", text="\u043f\u0440\u0438")
one("charset-wins-over-page", "Content-Type: text/html; charset=koi8-r", "<meta charset=utf-8><p>\u043f\u0440\u0438</p>".encode("koi8-r"))
one("charset-c1", "Content-Type: text/plain; charset=windows-1252", b"a\x81b\n", "Browsers map the five unused bytes to controls", text="a\x81b")

# 4. Encoded words in headers.
WORDS = {
    "q": "=?UTF-8?Q?Gr=C3=BC=C3=9Fe_an_alle?=",
    "q-lower-case": "=?utf-8?q?Gr=c3=bc=c3=9fe?=",
    "b": "=?UTF-8?B?%s?=" % b64("Gr\u00fc\u00dfe"),
    "b-without-padding-one": "=?UTF-8?B?%s?=" % b64("Gr\u00fc\u00dfe!", padded=False),
    "b-without-padding-two": "=?utf-8?b?%s?=" % b64("Gr\u00fc\u00dfe", padded=False),
    "b-without-padding-ascii": "=?utf-8?b?%s?=" % b64("ab", padded=False),
    "latin1-quotes": "=?iso-8859-1?Q?=84gr=FCn=93?=",
    "gb2312-wider": "=?gb2312?B?%s?=" % b64(CHINESE, "gbk"),
    "ks-c-5601": "=?ks_c_5601-1987?B?%s?=" % b64(KOREAN, "cp949"),
    "shift-jis-wider": "=?shift_jis?B?%s?=" % b64(JAPANESE, "cp932"),
    "iso-2022-jp": "=?iso-2022-jp?B?%s?=" % b64("\u65e5\u672c\u8a9e", "iso-2022-jp"),
    "two-words": "=?UTF-8?Q?Gr=C3=BC=C3=9Fe?= =?UTF-8?Q?_an_alle?=",
    "two-words-folded": "=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=\n =?UTF-8?Q?_an_alle?=",
    "two-sets": "=?UTF-8?Q?Gr=C3=BC?= =?ISO-8859-1?Q?=DFe?=",
    "two-encodings": "=?UTF-8?Q?Gr=C3=BC?= =?UTF-8?B?%s?=" % b64("\u00dfe"),
    "character-in-two-words": "=?UTF-8?Q?Gr=C3?= =?UTF-8?Q?=BCn?=",
    "character-in-two-words-b": "=?UTF-8?B?%s?= =?UTF-8?B?%s?=" % (b64(b"Gr\xc3"), b64(b"\xbcn")),
    "word-and-text": "Re: =?UTF-8?Q?Gr=C3=BCn?= and blue",
    "text-without-blank": "Re:=?UTF-8?Q?Gr=C3=BCn?=!",
    "blanks-inside": "=?UTF-8?Q?Gr=C3=BCn und blau?=",
    "question-mark-inside": "=?UTF-8?Q?Gr=C3=BCn?_Nein?=",
    "underscore": "=?UTF-8?Q?a=5Fb_c?=",
    "equals-inside": "=?UTF-8?Q?a=3Db?=",
    "malformed-q": "=?UTF-8?Q?50=_off?=",
    "unknown-encoding": "=?UTF-8?X?abc?=",
    "not-ended": "=?UTF-8?Q?abc",
    "empty-word": "=?UTF-8?Q??= abc",
    "language": "=?utf-8*de?Q?Gr=C3=BCn?=",
    "us-ascii-wrong": "=?us-ascii?Q?gr=C3=BCn?=",
    "unknown-set": "=?x-unknown?Q?gr=C3=BCn?=",
    "line-break-inside": "=?UTF-8?Q?one=0Atwo?=",
    "plain-folded": "one\n two\n\tthree",
    "only-marks": "=? ?= ??",
}
PADDING = "Python cannot decode it"
WORD_NOTES = {
    "latin1-quotes": (WIDER, "\u201egr\u00fcn\u201c"),
    "gb2312-wider": (WIDER, CHINESE),
    "ks-c-5601": (WIDER, KOREAN),
    "shift-jis-wider": (WIDER, JAPANESE),
    "language": ("Python does not know languages of RFC 2231", "Gr\u00fcn"),
    "us-ascii-wrong": (PADDING, "gr\u00fcn"),
    "unknown-set": (PADDING, "gr\u00fcn"),
    "text-without-blank": ("Python adds blanks", "Re:Gr\u00fcn!"),
    "line-break-inside": ("A line break in a word is a blank here", "one two"),
}
for name, word in WORDS.items():
    why, value = WORD_NOTES.get(name, (None, None))
    one("word-" + name, "Subject: " + word, "text\n", why, **({"subject": value} if why else {}))
one("word-raw-utf-8", "Subject: Gr\u00fc\u00dfe", "text\n", "Python replaces bytes beyond ASCII in headers", subject="Gr\u00fc\u00dfe")
one("word-raw-1252", "Subject: Gr\u00fc\u00dfe \u20ac".encode("cp1252"), "text\n", "Python replaces bytes beyond ASCII in headers", subject="Gr\u00fc\u00dfe \u20ac")
one("word-in-name", "From: =?UTF-8?Q?Ann_M=C3=BCller?= <ann@example.com>", "text\n")
one("word-in-name-without-padding", "From: =?UTF-8?B?%s?= <ann@example.com>" % b64("Ann M\u00fcll", padded=False), "text\n")
one("word-in-quoted-name", 'From: "=?UTF-8?Q?Ann_M=C3=BCller?=" <ann@example.com>', "text\n")
one("word-in-quoted-name-without-padding", 'From: "=?UTF-8?B?%s?=" <ann@example.com>' % b64("Ann M\u00fcll", padded=False), "text\n")
one("word-with-comma-in-name", "From: =?UTF-8?Q?M=C3=BCller=2C_Ann?= <ann@example.com>", "text\n")
one("word-in-recipients", "To: =?iso-8859-1?Q?J=F6rg?= <j@example.com>, =?utf-8?B?%s?= <k@example.com>" % b64("K\u00e4the", padded=False), "text\n")
one("word-raw-name", "From: Ann M\u00fcller <ann@example.com>", "text\n", "Python replaces bytes beyond ASCII in headers", sender="Ann M\u00fcller <ann@example.com>")
one("two-senders", "From: Ann <ann@example.com>, ben@example.com\nSender: ben@example.com\n", "text\n")

# 5. Names of attachments.


def attachment(name, head, why=None, *names, body="AAAA"):
    one("name-" + name, "Subject: one\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=xx",
        "--xx\nContent-Type: text/plain\n\ntext\n--xx\n%s\nContent-Transfer-Encoding: base64\n\n%s\n--xx--\n" % (head, body),
        why, **({"attachments": list(names)} if why else {}))


PDF = "Content-Type: application/pdf; "
DISPOSITION = "Content-Type: application/pdf\nContent-Disposition: attachment; "
attachment("filename", DISPOSITION + 'filename="plan.pdf"')
attachment("name-only", PDF + 'name="plan.pdf"')
attachment("name-only-without-quotes", PDF + "name=plan.pdf")
attachment("name-only-with-blank", PDF + "name=my plan.pdf")
attachment("name-only-upper-case", "CONTENT-TYPE: Application/PDF; NAME=plan.pdf")
attachment("name-only-folded", "Content-Type: application/pdf;\n\tname=\"plan.pdf\"")
attachment("name-only-encoded", PDF + 'name="=?UTF-8?Q?Pl=C3=A4ne.pdf?="')
attachment("name-only-encoded-b", PDF + 'name="=?UTF-8?B?%s?="' % b64("Pl\u00e4ne.pdf"))
attachment("name-only-encoded-without-padding", PDF + 'name="=?UTF-8?B?%s?="' % b64("Pl\u00e4n.pdf", padded=False))
attachment("name-only-encoded-without-quotes", PDF + "name==?UTF-8?Q?Pl=C3=A4ne.pdf?=")
attachment("name-only-encoded-two-words", PDF + 'name="=?UTF-8?Q?Pl=C3=A4?=\n =?UTF-8?Q?ne.pdf?="')
attachment("name-only-2231", PDF + "name*=UTF-8''Pl%C3%A4ne.pdf")
attachment("name-only-2231-language", PDF + "name*=utf-8'de'Pl%C3%A4ne.pdf")
attachment("name-only-2231-latin1", PDF + "name*=iso-8859-1''Pl%E4ne.pdf")
attachment("name-only-2231-gb2312", PDF + "name*=gb2312''%C4%E3.pdf")
attachment("name-only-2231-pieces", PDF + 'name*0="long "; name*1="plan"; name*2=".pdf"')
attachment("name-only-2231-encoded-pieces", PDF + "name*0*=UTF-8''Pl%C3; name*1*=%A4ne; name*2=\"%20.pdf\"")
attachment("name-only-2231-pieces-in-disorder", PDF + "name*1*=%C3%A4ne.pdf; name*0*=UTF-8''Pl")
attachment("name-only-2231-ten-pieces", PDF + "; ".join('name*%d="%d"' % (i, i) for i in range(11)))
attachment("name-only-2231-and-plain", PDF + "name=old.pdf; name*=UTF-8''Pl%C3%A4ne.pdf", "RFC 6266 prefers the extended name", "Pl\u00e4ne.pdf")
attachment("filename-2231", DISPOSITION + "filename*=UTF-8''Pl%C3%A4ne.pdf")
attachment("filename-encoded", DISPOSITION + 'filename="=?UTF-8?Q?Pl=C3=A4ne.pdf?="')
attachment("filename-2231-plus", DISPOSITION + "filename*=UTF-8''a+b%20c.pdf")
attachment("filename-and-name", "Content-Type: application/pdf; name=old.pdf\nContent-Disposition: attachment; filename=new.pdf")
attachment("filename-inline", "Content-Type: image/png\nContent-Disposition: inline; filename=a.png")
attachment("filename-apostrophes", DISPOSITION + "filename=\"Bob's dad's.pdf\"")
attachment("filename-brackets", DISPOSITION + "filename=plan(1).pdf")
attachment("filename-semicolon", DISPOSITION + 'filename="a;b.pdf"')
attachment("filename-escapes", DISPOSITION + 'filename="a\\"b\\\\c.pdf"')
attachment("filename-raw-utf-8", DISPOSITION + 'filename="Pl\u00e4ne.pdf"', "Python replaces bytes beyond ASCII in headers", "Pl\u00e4ne.pdf")
attachment("filename-empty", DISPOSITION + 'filename=""')
attachment("filename-twice", DISPOSITION + "filename=a.pdf; filename=b.pdf")
attachment("without-name", "Content-Type: application/pdf")
attachment("text-name-only", 'Content-Type: text/plain; name="note.txt"', body=b64("a note"))
attachment("text-attached", 'Content-Type: text/plain\nContent-Disposition: attachment; filename="note.txt"', body=b64("a note"))
attachment("text-attached-without-name", "Content-Type: text/plain\nContent-Disposition: attachment", body=b64("a note"))
attachment("octets", "Content-Type: application/octet-stream; name=a.bin")
one("name-of-whole-mail", 'Content-Type: application/pdf; name="plan.pdf"\nContent-Transfer-Encoding: base64', "AAAA\n")

# 6. Encodings of bodies.


def encoded(name, encoding, body, why=None, text=None, charset="utf-8"):
    one("body-" + name, "Content-Type: text/plain; charset=%s\nContent-Transfer-Encoding: %s" % (charset, encoding), body, why, **({"text": text} if why else {}))


encoded("base64", "base64", b64("gr\u00fcn \u2713") + "\n")
encoded("base64-lines", "base64", "\n".join(re.findall(".{1,20}", b64("gr\u00fcn und blau, " * 20))) + "\n")
encoded("base64-upper-case", "BASE64", b64("gr\u00fcn") + "\n")
encoded("base64-without-padding", "base64", b64("gr\u00fcn", padded=False) + "\n")
encoded("base64-without-padding-two", "base64", b64("gr\u00fcne", padded=False) + "\n")
encoded("base64-pieces", "base64", b64("gr\u00fcn ") + "\n" + b64("blau") + "\n")
encoded("base64-other-characters", "base64", "* " + b64("gr\u00fcn") + " !\n")
encoded("base64-footer", "base64", b64("gr\u00fcne B\u00e4ume") + "\n\n-- \n")
encoded("quoted-printable", "quoted-printable", "gr=C3=BCn =\nund =E2=9C=93\n")
encoded("quoted-printable-lower-case", "Quoted-Printable", "gr=c3=bcn\n")
encoded("quoted-printable-malformed", "quoted-printable", "50=% =zz =3\n")
encoded("quoted-printable-end", "quoted-printable", "gr=C3=BCn =")
encoded("quoted-printable-blanks", "quoted-printable", "a  \nb=20\nc= \nd\n", "RFC 2045 drops blanks at the end of lines", "a\nb \ncd")
encoded("quoted-printable-crlf", "quoted-printable", "a=\r\nb\r\nc\r\n")
encoded("quoted-printable-from", "quoted-printable", "=46rom the kitchen\n")
encoded("8bit", "8bit", "gr\u00fcn\n")
encoded("binary", "binary", "gr\u00fcn\n")
encoded("unknown", "x-own", "gr\u00fcn\n")
encoded("empty", "", "gr\u00fcn\n")
encoded("comment", "base64 (as usual)", b64("gr\u00fcn") + "\n", "Python takes the comment as a part of the name", "gr\u00fcn")

# 7. Parts, whole and broken.
MIXED = "MIME-Version: 1.0\nContent-Type: multipart/%s; boundary=%s"
one("parts-alternative", MIXED % ("alternative", "b"), "--b\nContent-Type: text/plain\n\nplain\n--b\nContent-Type: text/html\n\n<p>page</p>\n--b--\n")
one("parts-html-only", MIXED % ("alternative", "b"), "--b\nContent-Type: text/html\n\n<p>a &amp; b</p>\n--b--\n")
one("parts-nested", MIXED % ("mixed", "a"), "--a\nContent-Type: multipart/alternative; boundary=b\n\n--b\n\ninner\n--b--\n--a\n\nouter\n--a--\n")
one("parts-same-prefix", MIXED % ("mixed", "b"), "--b\nContent-Type: multipart/mixed; boundary=bb\n\n--bb\n\ninner\n--bb--\n--b\n\nouter\n--b--\n")
one("parts-not-ended", MIXED % ("mixed", "b"), "--b\n\none\n--b\n\ntwo\n")
one("parts-ended-by-outer", MIXED % ("mixed", "a"), "--a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\ninner\n--a\n\nouter\n--a--\n")
one("parts-without-boundary", "Content-Type: multipart/mixed", "--b\n\none\n--b--\n")
one("parts-with-empty-boundary", 'Content-Type: multipart/mixed; boundary=""', "--\n\none\n----\n", "An empty boundary is none, as in RFC 2046", text="--\n\none\n----")
one("parts-without-parts", MIXED % ("mixed", "b"), "no part at all\n")
one("parts-preamble", MIXED % ("mixed", "b"), "This is a mail in parts.\n--b\n\none\n--b--\nThe end.\n")
one("parts-quoted-boundary", 'Content-Type: multipart/mixed; boundary="a b;c"', "--a b;c\n\none\n--a b;c--\n")
one("parts-2231-boundary", "Content-Type: multipart/mixed; boundary*0=\"ab\"; boundary*1=\"cd\"", "--abcd\n\none\n--abcd--\n")
one("parts-blanks-after-boundary", MIXED % ("mixed", "b"), "--b  \n\none\n--b--  \n")
case("parts-crlf", (FROM + MIXED % ("mixed", "b") + "\n\n--b\n\none\n--b\n\ntwo\n--b--\n").replace("\n", "\r\n"))
one("parts-empty-part", MIXED % ("mixed", "b"), "--b\n--b\n\ntwo\n--b--\n")
one("parts-no-header-end", MIXED % ("mixed", "b"), "--b\nHello there\nand more\n--b--\n")
one("parts-separator-inside", MIXED % ("mixed", "b"), "--b\n\none\n--b\nContent-Type: message/rfc822\n\nSubject: inner\n\ninner text\n--b--\n")
one("parts-message-named", MIXED % ("mixed", "b"), "--b\n\none\n--b\nContent-Type: message/rfc822; name=\"old.eml\"\n\nSubject: inner\n\ninner text\n--b--\n")
one("parts-message-attached", MIXED % ("mixed", "b"), "--b\n\none\n--b\nContent-Type: message/rfc822\nContent-Disposition: attachment; filename=old.eml\n\nSubject: inner\n\ninner text\n--b--\n")
one("parts-message-global", MIXED % ("mixed", "b"), "--b\n\none\n--b\nContent-Type: message/global\n\nSubject: inner\n\ninner text\n--b--\n")
one("parts-digest", MIXED % ("digest", "b"), "--b\n\nSubject: inner\n\nfirst\n--b\n\nSubject: inner\n\nsecond\n--b--\n")
one("parts-report", MIXED % ("report", "b"), "--b\n\nIt failed.\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; a\n\nAction: failed\n--b--\n")
one("parts-signed", MIXED % ("signed", "b"), "--b\n\nsigned\n--b\nContent-Type: application/pgp-signature; name=signature.asc\n\nxx\n--b--\n")
one("parts-calendar", MIXED % ("mixed", "b"), "--b\n\ncome\n--b\nContent-Type: text/calendar; charset=utf-8\n\nBEGIN:VCALENDAR\nEND:VCALENDAR\n--b--\n")
one("parts-unknown-subtype", MIXED % ("x-own", "b"), "--b\n\none\n--b--\n")
one("type-broken", "Content-Type: text", "one\n")
one("type-of-words", "Content-Type: this is no type", "one\n")
one("type-twice", "Content-Type: text/plain; charset=koi8-r\nContent-Type: text/plain; charset=utf-8", "\u043f\u0440\u0438\n".encode("koi8-r"))
one("header-without-colon", "Subject: one\nthis is text\nand: more", "text\n")
one("header-first-continued", " continued\nSubject: one", "text\n", "Python drops a first line that continues nothing", text="continued\n\ntext")
one("header-blank-before-colon", "Subject : one", "text\n", "Python takes a blank before the colon as the end of the headers", subject="one", text="text")
one("header-empty", "Subject:\nTo: ben@example.com", "text\n")
one("header-folded-empty-line", "Subject: one\n \n two", "text\n")
one("headers-none", "", "only text\n")

# 8. Dates and addresses.
DATES = {
    "rfc": "Tue, 3 Jun 2008 11:05:30 +0200",
    "comment": "Tue, 3 Jun 2008 11:05:30 +0200 (CEST)",
    "no-weekday": "3 Jun 2008 11:05:30 -0330",
    "no-seconds": "Tue, 3 Jun 2008 11:05 +0000",
    "gmt": "Tue, 03 Jun 2008 11:05:30 GMT",
    "ut": "Tue, 03 Jun 2008 11:05:30 UT",
    "est": "Tue, 3 Jun 2008 11:05:30 EST",
    "pdt": "Tue, 3 Jun 2008 11:05:30 PDT",
    "military": "Tue, 3 Jun 2008 11:05:30 Z",
    "unknown-zone": "Tue, 3 Jun 2008 11:05:30 XYZ",
    "no-zone": "Tue, 3 Jun 2008 11:05:30",
    "minus-zero": "Tue, 3 Jun 2008 11:05:30 -0000",
    "two-digit-year": "Tue, 3 Jun 08 11:05:30 +0200",
    "last-century": "Fri, 17 Sep 93 08:00:00 GMT",
    "asctime": "Tue Jun  3 11:05:30 2008",
    "asctime-zone": "Tue Jun  3 11:05:30 2008 +0200",
    "hyphens": "Tue, 03-Jun-2008 11:05:30 +0200",
    "lower-case": "tue, 3 jun 2008 11:05:30 +0200",
    "full-month": "3 June 2008 11:05:30 +0200",
    "no-comma": "Tue 3 Jun 2008 11:05:30 +0200",
    "folded": "Tue, 3 Jun 2008\n 11:05:30 +0200",
    "blanks": "Tue,  3  Jun  2008  11:05:30  +0200",
    "dots": "Tue, 3 Jun 2008 11.05.30 +0200",
    "wrong-weekday": "Mon, 3 Jun 2008 11:05:30 +0200",
    "wrong-day": "Tue, 33 Jun 2008 11:05:30 +0200",
    "words": "yesterday",
}
for name, date in DATES.items():
    one("date-" + name, "Date: " + date, "text\n")
one("date-cet", "Date: Tue, 3 Jun 2008 11:05:30 CET", "text\n", "Python takes unknown zones as UTC", date=1212487530)
ADDRESSES = {
    "plain": "ann@example.com",
    "name": "Ann Miller <ann@example.com>",
    "quoted-name": '"Miller, Ann" <ann@example.com>',
    "quoted-local-part": '"ann miller"@example.com',
    "several": "ann@example.com, Ben <ben@example.com>,carl@example.com",
    "folded": "ann@example.com,\n Ben <ben@example.com>",
    "group": "Friends: ann@example.com, ben@example.com;",
    "empty-group": "undisclosed-recipients:;",
    "no-domain": "ann",
    "literal": "ann@[127.0.0.1]",
    "empty-brackets": "Ann <>",
    "escaped": '"Ann \\"A\\" Miller" <ann@example.com>',
}
for name, address in ADDRESSES.items():
    if name == "quoted-local-part":
        one("address-" + name, "To: " + address, "text\n", "Python keeps the quotes", recipients=["ann miller@example.com"])
    else:
        one("address-" + name, "To: " + address, "text\n")
one("address-comment", "To: ann@example.com (Ann Miller)", "text\n")
one("address-comments", "To: ann@example.com (Ann Miller), Ben <ben@example.com> (at home),\n carl@example.com (=?utf-8?Q?Carl_M=C3=BCller?=)", "text\n")
one("address-twice", "To: ann@example.com\nTo: ben@example.com\nCc: carl@example.com", "text\n")


def main():
    seen = set()
    for name, mail, why, ours, count in CASES:
        assert name not in seen, name
        seen.add(name)
        values = python(mail)
        right = expected(values, ours, count)
        line = {"name": name, "mail": mail.decode("latin-1"), "python": values}
        if right != values:
            line["expected"] = right
            line["why"] = why
        elif why:
            raise ValueError("no difference: " + name)
        print(json.dumps(line, ensure_ascii=True))
    print(len(CASES), "cases", file=sys.stderr)


main()
