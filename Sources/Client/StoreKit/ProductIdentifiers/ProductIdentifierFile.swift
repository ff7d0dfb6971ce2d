import StoreModel
import StoreWire

/// The content of `product_ids.plist` or `products_v1.json`: an array of product
/// identifiers.
struct ProductIdentifierFile {
    /// What is read at most; many times what an app can sell.
    static let byteLimit: Int = 4 << 20
    static let entryLimit: Int = 20_000

    /// In the order of the file, each once.
    let identifiers: [String]

    /// - Parameter source: what messages call the file.
    /// - Throws: ``OpenStoreProductIdentifiersError`` that names each wrong entry.
    init(json data: Data, source: String) throws {
        try Self.checkSize(data, source)
        guard let value = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        else {
            let place = JSONValue.brokenLine(in: data).map { "; line \($0) is broken" } ?? ""
            throw OpenStoreProductIdentifiersError(
                .malformed, "\(source) is not JSON\(place).")
        }
        try self.init(value, source: source)
    }

    /// - Throws: ``OpenStoreProductIdentifiersError`` that names each wrong entry.
    init(propertyList data: Data, source: String) throws {
        try Self.checkSize(data, source)
        let value: Any
        do {
            value = try PropertyListSerialization.propertyList(from: data, format: nil)
        } catch {
            throw OpenStoreProductIdentifiersError(
                .malformed, "\(source) is not a property list.")
        }
        try self.init(value, source: source)
    }

    private init(_ value: Any, source: String) throws {
        guard let entries = value as? [Any] else {
            throw OpenStoreProductIdentifiersError(
                .malformed,
                "\(source) must hold an array of product identifiers; it holds \(Self.kind(value))."
            )
        }
        guard entries.count <= Self.entryLimit else {
            throw OpenStoreProductIdentifiersError(
                .tooLarge,
                "\(source) has \(entries.count) entries; \(Self.entryLimit) are the most.")
        }
        var found: [String] = []
        var seen: Set<String> = []
        var problems: [String] = []
        for (index, entry) in entries.enumerated() {
            if let text = entry as? String, let id = ProductID(text) {
                if seen.insert(id.text).inserted { found.append(id.text) }
            } else {
                problems.append("[\(index)] is \(Self.kind(entry)), not a product identifier")
            }
        }
        guard problems.isEmpty else {
            // A page of them helps nobody.
            let more = problems.count > 5 ? "; and \(problems.count - 5) more" : ""
            throw OpenStoreProductIdentifiersError(
                .malformed, "\(source): \(problems.prefix(5).joined(separator: "; "))\(more).")
        }
        identifiers = found
    }

    private static func checkSize(_ data: Data, _ source: String) throws {
        guard data.count <= byteLimit else { throw tooLarge(source) }
    }

    static func tooLarge(_ source: String) -> OpenStoreProductIdentifiersError {
        OpenStoreProductIdentifiersError(
            .tooLarge, "\(source) has more than \(byteLimit) bytes, and is not read.")
    }

    /// What a value is, in words, with as much of it as helps to find it.
    private static func kind(_ value: Any) -> String {
        switch value {
        case let text as String:
            guard !text.isEmpty else { return "an empty string" }
            let shown = text.prefix(60)
            return "the string \(shown.debugDescription)" + (shown.count < text.count ? "…" : "")
        case let dictionary as [String: Any]:
            guard let key = dictionary.keys.min() else { return "an empty dictionary" }
            return "a dictionary with the key \(key.prefix(60).debugDescription)"
        case is [Any]: return "an array"
        case is NSNull: return "null"
        case is Data: return "data"
        case is Date: return "a date"
        case let number as NSNumber:
            // On Linux 1 also is a Bool, and only the type's code tells them apart.
            let isBool = String(cString: number.objCType) == "c"
            return isBool ? "\(number.boolValue)" : "the number \(number)"
        default: return "something else"
        }
    }
}
