import Foundation

/// The texts that customers read, in one language.
///
/// Each text of `texts.pot` is a property, or a function of its values, which
/// `Scripts/texts.py` writes: a text that is not there, or a value that it lacks, does not
/// compile. Developers and operators read English; what they read is not here.
package struct Texts: Sendable {
    package let language: StoreLanguage
    private let catalog: TextCatalog

    package init(_ language: StoreLanguage) {
        self.language = language
        catalog = TextCatalog.of(language)
    }

    /// In the language of this process.
    package static let device = Texts(.device)

    /// A text without values.
    func text(_ key: String) -> String {
        text(key, count: nil)
    }

    /// A text with its values in their places.
    ///
    /// - Parameter count: which of the language's forms it has; the value `count` as well.
    func text<Part: TextPart>(
        _ key: String, count: Int? = nil, _ values: KeyValuePairs<String, Part> = [:]
    ) -> Part {
        let form = catalog.form(of: key, count: count)
        return Part(
            parts: TextTemplate.segments(of: form).map { segment in
                switch segment {
                case .words(let words): Part(text: words)
                case .value("count") where count != nil: Part(text: number(count ?? 0))
                case .value(let name):
                    values.first { $0.key == name }?.value ?? Part(text: "{\(name)}")
                }
            })
    }

    /// A number with so many digits behind the point, as the language writes it.
    package func number(_ number: Double, digits: Int) -> String {
        number.formatted(
            .number.precision(.fractionLength(digits))
                .locale(Locale(identifier: language.rawValue)))
    }

    /// A whole number as the language writes it.
    package func number(_ number: Int) -> String {
        number.formatted(.number.locale(Locale(identifier: language.rawValue)))
    }
}

/// A text taken apart at its values: `{price}` is one, `{{` and `}}` are braces.
enum TextTemplate {
    enum Segment: Equatable {
        case words(String)
        case value(String)
    }

    static func segments(of text: String) -> [Segment] {
        var segments: [Segment] = []
        var words = String.UnicodeScalarView()
        var rest = Substring(text).unicodeScalars
        while let scalar = rest.popFirst() {
            guard scalar == "{" || scalar == "}" else {
                words.append(scalar)
                continue
            }
            if rest.first == scalar {
                rest.removeFirst()
                words.append(scalar)
            } else if scalar == "{", let end = rest.firstIndex(where: { $0 == "}" }) {
                if !words.isEmpty { segments.append(.words(String(words))) }
                words = String.UnicodeScalarView()
                segments.append(.value(String(rest[..<end])))
                rest = rest[rest.index(after: end)...]
            }
        }
        if !words.isEmpty { segments.append(.words(String(words))) }
        return segments
    }
}
