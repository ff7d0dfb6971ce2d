import CStoreTexts
import Foundation
import Synchronization

/// The file of a language, read: the forms of each text by its key.
///
/// Files are gettext's, with the key as context of a message. They are part of the program.
struct TextCatalog: Sendable {
    private let forms: [String: [String]]
    private let plural: PluralRule

    private static let read = Mutex<[StoreLanguage: TextCatalog]>([:])

    /// Read once.
    static func of(_ language: StoreLanguage) -> TextCatalog {
        if let found = read.withLock({ $0[language] }) { return found }
        let catalog = TextCatalog(
            bytes(of: language), fallback: language == .english ? nil : of(.english))
        read.withLock { $0[language] = catalog }
        return catalog
    }

    /// The form of a text for a count; its first without one.
    func form(of key: String, count: Int?) -> String {
        let all = forms[key] ?? []
        let index = count.map { plural.form(of: $0) } ?? 0
        return all.indices.contains(index) ? all[index] : all.last ?? key
    }

    var keys: Set<String> { Set(forms.keys) }

    /// All forms of a text.
    subscript(key: String) -> [String] { forms[key] ?? [] }

    private static func bytes(of language: StoreLanguage) -> UnsafeRawBufferPointer {
        var count = 0
        let start = cstore_texts(language.rawValue, &count)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    }

    /// - Parameter fallback: has what is not translated; nil for the template, whose messages
    ///   are the texts.
    init(_ file: UnsafeRawBufferPointer, fallback: TextCatalog?) {
        var forms = fallback?.forms ?? [:]
        var header = ""
        for message in TextMessage.all(in: file) {
            if message.context.isEmpty {
                header = message.translations.first ?? ""
                continue
            }
            let own =
                fallback == nil
                ? [message.text] + (message.plural.isEmpty ? [] : [message.plural])
                : message.translations
            if own.contains("") || own.isEmpty { continue }
            forms[message.context] = own
        }
        self.forms = forms
        plural = PluralRule(header: header)
    }
}

/// One message of a file of gettext's.
struct TextMessage {
    var context = ""
    var text = ""
    var plural = ""
    var translations: [String] = []

    private enum Field { case context, text, plural, translation }

    static func all(in file: UnsafeRawBufferPointer) -> [TextMessage] {
        var messages: [TextMessage] = []
        var message = TextMessage()
        var field = Field.translation
        var isBegun = false
        for bytes in file.split(separator: UInt8(ascii: "\n")) {
            guard let first = bytes.first, first != UInt8(ascii: "#"),
                let quote = bytes.firstIndex(of: UInt8(ascii: "\""))
            else { continue }
            let word = String(decoding: bytes[bytes.startIndex..<quote], as: UTF8.self)
            let begins =
                word.hasPrefix(scalars: "msgctxt")
                || (word.hasPrefix(scalars: "msgid ") && field == .translation)
            if begins, isBegun {
                messages.append(message)
                message = TextMessage()
            }
            switch word {
            case "": break
            case "msgctxt ": field = .context
            case "msgid ": field = .text
            case "msgid_plural ": field = .plural
            default:
                field = .translation
                message.translations.append("")
            }
            isBegun = true
            let value = unescaped(bytes[(quote + 1)...].dropLast())
            switch field {
            case .context: message.context += value
            case .text: message.text += value
            case .plural: message.plural += value
            case .translation:
                if let last = message.translations.indices.last {
                    message.translations[last] += value
                }
            }
        }
        if isBegun { messages.append(message) }
        return messages
    }

    private static func unescaped(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        var result: [UInt8] = []
        var isEscaped = false
        for byte in bytes {
            if isEscaped {
                result.append(byte == UInt8(ascii: "n") ? UInt8(ascii: "\n") : byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
