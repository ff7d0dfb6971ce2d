import Foundation

@testable import StoreAPI
@testable import StoreCommands
@testable import StoreCore
@testable import StoreDatabase
@testable import StoreKernel
@testable import StoreModel
@testable import StorePages
@testable import StoreMetadata
@testable import StoreTexts
@testable import StoreWire

/// Gives a text from outside to whatever writes such texts into something else, and reads it there.
/// By the first byte the others are a text (`t`), JSON (`j`), or a `.storekit` file (`k`).
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzText(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = Input(bytes, count)
    let kind = input.byte()
    let data = input.all()
    switch kind {
    case UInt8(ascii: "j"): readJSON(data)
    case UInt8(ascii: "k"):
        _ = try? StoreKitConfiguration(data: data)
        _ = JSONValue.brokenLine(in: data)
    default:
        let text = String(decoding: data.prefix(4096), as: UTF8.self)
        search(text)
        writeTable(text)
        writeShell(text)
        writeMarkup(text)
        writeJSON(text)
        writeTerminal(text)
        moderate(text)
        readLanguages(text)
    }
    return 0
}

private func demandSame(_ left: String, _ right: String, _ what: String) {
    demand(
        left.unicodeScalars.elementsEqual(right.unicodeScalars),
        "\(what): \(left.debugDescription) became \(right.debugDescription)")
}

// MARK: Languages

/// As a browser's header, a device's variable, a value of a text, and the rule of a file.
private func readLanguages(_ text: String) {
    demand(StoreLanguage.ranges(of: text).count <= 16, "a header has too many languages")
    let texts = Texts(.of(acceptLanguage: text))
    _ = StoreLanguage.of(environment: ["LANGUAGE": text, "LANG": text])
    demandSame(
        Texts.english.rateApp(app: text), "Rate “\(text)”", "what is put into a text")
    _ = texts.price(Money(thousandths: 1990, currency: text), in: text)
    demand(
        PluralRule(header: "Plural-Forms: nplurals=2; plural=\(text);").form(of: 5) >= 0,
        "a form is below the first")
}

// MARK: Searches

nonisolated(unsafe) private let database: SQLiteConnection = must {
    let path = scratchFolder("text").appendingPathComponent("store.sqlite").path
    try SQLiteDatabase(path: path).close()
    return try SQLiteConnection(path: path)
}

private func search(_ text: String) {
    let words = SearchText.words(text)
    demand(words.allSatisfy { !$0.text.isEmpty }, "a word is empty")
    demandSame(
        words.flatMap(\.tokens).joined(separator: " "), SearchText.indexed(text), "what is indexed")
    // A database's tokenizer must see the words as they are.
    for token in words.flatMap(\.tokens) {
        demand(
            token.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && $0.value > 0x20 },
            "a word has \(token.debugDescription)")
    }
    let repository = ItemSearchRepository(
        connection: database, index: ItemSearchIndex(connection: database))
    for attribute in [nil, ItemAttribute.title, .artist, .description, .releaseYear] {
        let query = ItemQuery(
            term: text, kinds: [], attribute: attribute, storefront: .unitedStates)
        _ = must { try repository.items(query) }
    }
    // A term is read so far only.
    let term = SearchTerm(text)
    let match = MatchPhrase(term)
    if !term.isEmpty {
        let conditions = [match.beginning, match.allWords, match.begunBeginning, match.begunWords]
        for condition in conditions.compactMap({ $0 }) {
            let query = PostgresTextSearch(connection: database).text(of: condition, in: .names)
            checkPostgres(query)
        }
    }
    _ = must {
        try FTS5Search(connection: database).products(
            of: AppID(number: 1), containing: text, limit: 10)
    }
    guard !text.unicodeScalars.contains("\0") else { return }
    let found = must {
        try database.rows(
            "SELECT 'x' || ?1 || 'y' LIKE ?2 ESCAPE '\\'",
            [.text(text), .text(LikePattern.containing(text))]
        ) { $0.integer(0) }
    }
    demand(found == [1], "a pattern does not find its own text")
}

/// Outside of its quoted words a query of PostgreSQL has operators only, and no word is empty
/// (PostgreSQL's manual, 8.11.2).
private func checkPostgres(_ query: String) {
    var rest = query.unicodeScalars[...]
    var outside = ""
    while let scalar = rest.popFirst() {
        guard scalar == "'" else {
            outside.unicodeScalars.append(scalar)
            continue
        }
        var word = ""
        while true {
            guard let next = rest.popFirst() else { fail("a word of \(query) has no end") }
            if next == "\\" {
                guard let escaped = rest.popFirst() else { fail("\(query) ends with an escape") }
                word.unicodeScalars.append(escaped)
            } else if next == "'" {
                guard rest.first == "'" else { break }
                rest = rest.dropFirst()
                word += "'"
            } else {
                word.unicodeScalars.append(next)
            }
        }
        demand(!word.isEmpty, "an empty word in \(query)")
        outside += "w"
    }
    demand(
        outside.unicodeScalars.allSatisfy("w ()|&<->:*".unicodeScalars.contains)
            && !outside.contains("()"), "\(query) is no query: \(outside)")
}

private func moderate(_ text: String) {
    _ = try? ConnectText.checked(text, field: "a", name: "a", in: 0...100, allowsLines: true)
    _ = (ProductID(text), BundleID(text), ContentVersion(text), PurchaseKey(text))
    _ = (CalendarDay(text), HTTPDate.parse(text), Money.thousandths(text))
    _ = (PictureSize(text), ContentPath(text), SubscriptionPeriod(iso8601: text))
    let folded = HoldRules.folded(text)
    demandSame(HoldRules.folded(folded), folded, "a text that is compared with held words")
    demand(
        ModerationWordList([folded]).first(in: folded) != nil || folded.isEmpty,
        "a word does not hold itself")
    _ = HoldRules.hasAddress(text)
    let formatted = Money(thousandths: 990, currency: "USD").formatted(locale: text)
    demand(!formatted.isEmpty, "an amount is not written")
    _ = Money(thousandths: .min, currency: text).formatted(locale: "en_US")
}

// MARK: Tables, shells

private func writeTable(_ text: String) {
    let line = CSVRow.text([text, "b"])
    let (field, rest) = csvField(line)
    demandSame(rest, "b\r\n", "what stands behind a field")
    let isMarked = !field.unicodeScalars.elementsEqual(text.unicodeScalars)
    if isMarked { demandSame(field, "'" + text, "a field of a table") }
    let first = field.unicodeScalars.first {
        !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint
            && ![.control, .format].contains($0.properties.generalCategory)
    }
    guard let first, "=+-@＝＋－＠".unicodeScalars.contains(first) else { return }
    demand(
        field.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?/) != nil,
        "\(field.debugDescription) is a formula")
}

/// The first field of a line (RFC 4180), and what stands behind its comma.
private func csvField(_ line: String) -> (String, String) {
    var rest = line.unicodeScalars[...]
    var field = String.UnicodeScalarView()
    if rest.first == "\"" {
        rest = rest.dropFirst()
        while let scalar = rest.popFirst() {
            if scalar == "\"" {
                guard rest.first == "\"" else { break }
                rest = rest.dropFirst()
            }
            field.append(scalar)
        }
    } else {
        field.append(contentsOf: rest.prefix { $0 != "," })
        rest = rest.dropFirst(field.count)
        demand(!field.contains { "\"\r\n".unicodeScalars.contains($0) }, "a bare field has marks")
    }
    demand(rest.popFirst() == ",", "no comma behind a field of \(line.debugDescription)")
    return (String(field), String(rest))
}

/// Reads one word as a POSIX shell does: single quotes, unquoted text, and `\` before a character.
private func writeShell(_ text: String) {
    var read = String.UnicodeScalarView()
    var rest = shellWord(text).unicodeScalars[...]
    while let scalar = rest.popFirst() {
        switch scalar {
        case "'":
            read.append(contentsOf: rest.prefix { $0 != "'" })
            rest = rest.drop { $0 != "'" }
            demand(rest.popFirst() != nil, "a quote has no end")
        case "\\": if let next = rest.popFirst() { read.append(next) }
        default:
            demand(
                scalar.isASCII && !" \t\n|&;<>()$`\"*?[#~!{}".unicodeScalars.contains(scalar),
                "a shell sees \(scalar.debugDescription)")
            read.append(scalar)
        }
    }
    demandSame(text, String(read), "a word of a shell")
}

// MARK: Markup, JSON, terminals

private func writeMarkup(_ text: String) {
    var written = Data()
    must {
        var writer = MarkupWriter { written += $0 }
        try writer.begin("a", [("b", text)])
        try writer.comment(text)
        try writer.text("c", text)
        try writer.end()
        try writer.finish()
    }
    let plain = String(
        String.UnicodeScalarView(
            text.unicodeScalars.map { MarkupText.isCharacter($0) ? $0 : "\u{FFFD}" }))
    let (attribute, element) = readMarkup(Array(written))
    demandSame(plain, attribute, "an attribute")
    demandSame(plain, element, "an element")
    guard !text.isEmpty else { return }
    // What HTML escapes is read by XML's rules too, where every character may be there.
    let inner = HTML.element("c", [], plain)
    let page = HTML.element("a", [HTML.Attribute("b", plain)], [inner]).markup()
    let seen = String(
        String.UnicodeScalarView(
            plain.unicodeScalars.map {
                $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t"
                    ? "\u{FFFD}" : $0
            }))
    let (value, content) = readMarkup(Array(page.utf8))
    demandSame(
        seen.replacing(scalar: "\n", with: " ").replacing(scalar: "\t", with: " "), value,
        "an attribute of a page")
    demandSame(seen, content, "an element of a page")
}

/// The attribute `b` of the first element, and the text of the element `c` in it.
private func readMarkup(_ bytes: [UInt8]) -> (attribute: String, text: String) {
    let reader = MarkupReader(bytes: bytes)
    var (attribute, text, isInside) = ("", "", false)
    must {
        while let event = try reader.next() {
            switch event {
            case .start(let tag):
                if tag.name == "a" { attribute = tag["b"] ?? "" }
                isInside = tag.name == "c"
            case .text(let piece): if isInside { text += piece }
            case .end: isInside = false
            }
        }
    }
    return (attribute, text)
}

private func writeJSON(_ text: String) {
    let script = String(decoding: ScriptJSON.list([.text(text)]).bytes, as: UTF8.self)
    demand(!script.utf8.contains { "<>&".utf8.contains($0) }, "a script has a tag")
    var members = JSONText()
    members.member("a", text)
    let list = String(decoding: JSONValue.array([.string(text)]).encoded(), as: UTF8.self)
    for json in [script, list] {
        let read = must { try JSONValue(reading: Data(json.utf8)) }
        demandSame(text, read.elements?.first?.text ?? "", "a text in JSON")
        demandSame(json, json.terminalOnly, "JSON on one line")
    }
    let json = members.finished()
    let read = must { try JSONValue(reading: json) }
    demandSame(text, read["a"]?.text ?? "", "a member in JSON")
    let shown = Output.escaped(json: String(decoding: json, as: UTF8.self))
    let again = must { try JSONValue(reading: Data(shown.utf8)) }
    demandSame(text, again["a"]?.text ?? "", "a member on a terminal")
}

extension String {
    /// The text without ends of lines.
    fileprivate var terminalOnly: String { replacing(scalar: "\n", with: "") }
}

private func readJSON(_ data: Data) {
    let foundation = try? JSONDecoder().decode(JSONValue.self, from: data)
    if let value = try? JSONValue(reading: data) {
        let again = must { try JSONValue(reading: value.encoded()) }
        demand(again == value, "a document changed")
        demand(JSONValue.brokenLine(in: data) == nil, "JSON is broken in a line")
        if let foundation {
            demand(foundation == value, "Foundation reads another document")
        }
    }
    var rest = data[...]
    var reader = JSONListReader(list: "a", depth: 1) {
        defer { rest = rest.dropFirst(3) }
        return Data(rest.prefix(3))
    }
    do {
        while try reader.next() != nil {}
        _ = try reader.rest()
    } catch {}
}

private func writeTerminal(_ text: String) {
    let lines = text.terminalText(keepingLines: true)
    let line = text.terminalText()
    for (shown, kept) in [(line, ""), (lines, "\n\t")] {
        let steering = shown.unicodeScalars.first {
            $0.steersTerminals && !kept.unicodeScalars.contains($0)
        }
        demand(steering == nil, "a terminal gets \(steering.debugDescription)")
    }
    demandSame(line, line.terminalText(), "a text for terminals")
    demand(line.terminalWidth >= 0, "a width below zero")
    let output = Output(isTerminal: true, hasColor: true)
    let styled = output.rendered(output.styled(text, .bold))
    demandSame("\u{1b}[1m\(lines)\u{1b}[0m", styled, "a styled text")
}
