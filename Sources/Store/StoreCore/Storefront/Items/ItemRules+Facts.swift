import Foundation
import StoreModel

extension ItemRules {
    static func checkFacts(_ facts: inout ItemFacts, of kind: ItemKind) throws {
        facts.sellerName = try word(facts.sellerName, "sellerName")
        facts.sellerURL = try link(facts.sellerURL, "sellerUrl")
        facts.supportURL = try link(facts.supportURL, "supportUrl")
        facts.feedURL = try link(facts.feedURL, "feedUrl")
        facts.copyright = try word(facts.copyright, "copyright")
        facts.publisher = try word(facts.publisher, "publisher")
        facts.advisoryRating = try word(facts.advisoryRating, "contentAdvisoryRating")
        facts.version = try word(facts.version, "version")
        facts.minimumOS = try word(facts.minimumOS, "minimumOsVersion")
        facts.composer = try word(facts.composer, "composer")
        facts.director = try word(facts.director, "director")
        facts.advisories = try list(facts.advisories, "advisories")
        facts.supportedDevices = try list(facts.supportedDevices, "supportedDevices")
        facts.features = try list(facts.features, "features")
        facts.producers = try list(facts.producers, "producers")
        facts.actors = try list(facts.actors, "actors")
        facts.keywords = try list(facts.keywords, "keywords")
        facts.languages = try list(facts.languages, "languageCodesISO2A").map { code in
            guard code.utf8.count == 2, code.utf8.allSatisfy({ $0 < 0x80 && $0 > 0x40 }) else {
                throw refusal(
                    "language", "languageCodesISO2A", "\(quoted(code)) is not a language.",
                    "Use the two letters of ISO 639-1, for example EN.")
            }
            return code.uppercased()
        }
        try checkNumbers(facts)
    }

    private static func checkNumbers(_ facts: ItemFacts) throws {
        let counts: [(Int64?, String, Int64)] = [
            (facts.fileSize, "fileSizeBytes", 1 << 50),
            (facts.duration, "trackTimeMillis", 10_000_000_000),
            (facts.discNumber.map(Int64.init), "discNumber", 10_000),
            (facts.discCount.map(Int64.init), "discCount", 10_000),
            (facts.trackNumber.map(Int64.init), "trackNumber", 100_000),
            (facts.trackCount.map(Int64.init), "trackCount", 100_000),
        ]
        for (number, field, highest) in counts {
            if let number, !(0...highest).contains(number) {
                throw refusal(
                    "number", field, "\(number) is out of range.", "Give 0 to \(highest).")
            }
        }
    }

    /// Addresses are shown as links: nothing but web pages.
    static func link(_ text: String?, _ field: String) throws -> String? {
        guard let text = try word(text, field) else { return nil }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), let url = URL(string: text),
            let scheme = url.scheme?.lowercased(), scheme == "https" || scheme == "http",
            url.host()?.isEmpty == false
        else {
            throw refusal(
                "url", field, "\(quoted(text)) is not the address of a web page.",
                "Give one that begins with https://.")
        }
        return text
    }

    private static func list(_ texts: [String], _ field: String) throws -> [String] {
        guard texts.count <= mostListed else {
            throw refusal(
                "tooMany", field, "The list has \(texts.count) entries.",
                "Give at most \(mostListed).")
        }
        return try texts.compactMap { try word($0, field) }
    }
}
