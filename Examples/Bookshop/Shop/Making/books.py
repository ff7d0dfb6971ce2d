"""What buyers of books and apps download."""

import zipfile
from io import BytesIO

EPOCH = (2024, 1, 1, 0, 0, 0)


def archive(files):
    """A ZIP whose bytes depend on the files only: (name, text) in their order."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, text in files:
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = 0o644 << 16
            entry.create_system = 3
            # EPUB has its first file as it is (OCF 3.3, section 4.3).
            stored = name == "mimetype"
            entry.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
            file.writestr(entry, text)
    return buffer.getvalue()


def epub(identifier, title, author, language, chapters):
    pages = [(f"chapter{n + 1}.xhtml", heading, paragraphs) for n, (heading, paragraphs) in enumerate(chapters)]
    manifest = "".join(f'<item id="c{n}" href="{name}" media-type="application/xhtml+xml"/>' for n, (name, _, _) in enumerate(pages))
    spine = "".join(f'<itemref idref="c{n}"/>' for n in range(len(pages)))
    links = "".join(f'<li><a href="{name}">{heading}</a></li>' for name, heading, _ in pages)
    files = [
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'),
        ("book/package.opf", f'<?xml version="1.0" encoding="utf-8"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="{language}"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">{identifier}</dc:identifier><dc:title>{title}</dc:title><dc:creator>{author}</dc:creator><dc:language>{language}</dc:language><meta property="dcterms:modified">2024-01-01T00:00:00Z</meta></metadata><manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>{manifest}</manifest><spine>{spine}</spine></package>'),
        ("book/nav.xhtml", f'<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" xml:lang="{language}"><head><title>{title}</title></head><body><nav epub:type="toc"><ol>{links}</ol></nav></body></html>'),
    ]
    for name, heading, paragraphs in pages:
        text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
        files.append((f"book/{name}", f'<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="{language}"><head><title>{heading}</title></head><body><h1>{heading}</h1>{text}</body></html>'))
    return archive(files)


ATLAS = [
    ("The First Lamp", [
        "There are four hundred and eleven lamps in the town of Verrin, and in the year of the long fog Tomas Lind drew each of them on a map.",
        "He was not asked to. The council had asked for a map of the streets, and had got one, with a handsome scale of paces in the corner. But nobody in Verrin had seen a street for nine weeks. What they saw, if they held still, was a yellow smear, and then, further off, another.",
        "“So that is what I will draw,” said Tomas to his ladder. “What can be seen.”",
    ]),
    ("A Scale of Smears", [
        "The difficulty with fog is that it has no corners. Tomas measured in lamps: the baker was three lamps from the bridge, the bridge five lamps from the school, the school one lamp and a cough from the house in which Edda Marn kept her geese.",
        "By the second month people had begun to give their addresses that way. By the third they had forgotten the others.",
    ]),
]
WALD = [
    ("Gleis 3", [
        "Hinter dem Bahnhof fing der Wald an, und zwar sofort: Wer auf Gleis 3 einen Schritt zu weit zurücktrat, stand zwischen Fichten.",
        "Der Fahrdienstleiter hieß Brodersen und trug auch im August eine Weste. „Im Wald“, sagte er, „gilt der Sommerfahrplan nicht.“ Er sagte es so, wie andere Leute sagen, dass es gleich regnen wird.",
    ]),
    ("Das Signal", [
        "Zwischen den Stämmen stand ein Signal, an dem nie ein Zug vorbeigekommen war. Es zeigte Rot. Lene ging trotzdem weiter, aber sie ging langsamer, und sie sah nach beiden Seiten.",
    ]),
]
AME = [
    ("一　雨宿り", [
        "その図書館は、雨の日にだけ開く。",
        "晴れた日に前を通っても、古い石段と、鍵のかかった扉があるだけだ。けれども最初の一滴が落ちると、どこかで小さな鐘が鳴って、窓に灯がともる。",
        "「傘はそちらへ」と、カウンターの人が言った。「濡れた本は、こちらへ」",
    ]),
    ("二　貸出票", [
        "貸出票には、日付の代わりに雨の名前を書く。小雨、霧雨、夕立、狐の嫁入り。返す日は決まっていない。次に同じ雨が降る日まで、である。",
    ]),
]

DOWNLOADS = {
    "lamplighters-atlas.epub": lambda: epub("urn:example:atlas", "The Lamplighter’s Atlas", "Marit Solbakken", "en", ATLAS),
    "wald-hinter-dem-bahnhof.epub": lambda: epub("urn:example:wald", "Der Wald hinter dem Bahnhof", "Jonas Ahrend", "de", WALD),
    "ame-no-toshokan.epub": lambda: epub("urn:example:ame", "雨の図書館", "香田みのり", "ja", AME),
    "tidewatch.zip": lambda: archive([("Tidewatch/READ ME.txt", "A sample of a download: an app would be here.\n"), ("Tidewatch/harbours.txt", "Ormsund Quay\nKestrel Point\n")]),
    "little-ledger.zip": lambda: archive([("Little Ledger/READ ME.txt", "A sample of a download: an app would be here.\n"), ("Little Ledger/accounts.txt", "Bread\nRent\nTea\n")]),
    "paper-lathe.zip": lambda: archive([("Paper Lathe/READ ME.txt", "A sample of a download: an app would be here.\n"), ("Paper Lathe/rosette.txt", "petals 13, depth 0.42, turns 5, drift 0.5\n")]),
}
