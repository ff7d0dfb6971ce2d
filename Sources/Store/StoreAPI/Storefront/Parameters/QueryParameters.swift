import StoreCore
import StoreModel

/// The parameters of an address, with what most answers have in common. One that is there and
/// empty is as good as none; of several with a name, the first one counts.
struct QueryParameters: Sendable {
    private var values: [String: String] = [:]

    init(_ query: [(name: String, value: String)]) {
        for (name, value) in query where !value.isEmpty && values[name] == nil {
            values[name] = value
        }
    }

    subscript(name: String) -> String? { values[name] }

    /// The storefront of `country`, in any case.
    ///
    /// - Parameter path: the country that stands in the path, which wins.
    func storefront(path: String?, name: String = "country") throws -> Storefront {
        guard let code = path ?? self[name] else { return .unitedStates }
        guard let storefront = Self.storefront(code) else {
            // What has no two letters is no country but another part of the store.
            let isCountry = path == nil || code.utf8.count == 2
            throw ParameterRefusal(key: name, status: isCountry ? 400 : 404)
        }
        return storefront
    }

    /// The storefront of a two-letter code.
    static func storefront(_ code: String) -> Storefront? {
        guard code.utf8.count == 2 else { return nil }
        return Storefront.named(code)
    }

    /// The locale of `lang`; nil for the storefront's own.
    func locale() throws -> String? {
        guard let text = self["lang"] else { return nil }
        guard let locale = RequestedLanguage.locale(text) else {
            throw ParameterRefusal(key: "language")
        }
        return locale
    }

    func callback() throws -> CallbackName? {
        guard let text = self["callback"] else { return nil }
        guard let name = CallbackName(text) else { throw ParameterRefusal(key: "callback") }
        return name
    }

    /// `limit`: as many as are asked for, and 200 where more are.
    func limit(default missing: Int = 50, most: Int = 200) throws -> Int {
        guard let text = self["limit"] else { return missing }
        return min(try Self.count(text, key: "limit"), most)
    }

    /// A positive number; the largest one where the digits are too many.
    static func count(_ text: String, key: String) throws -> Int {
        guard isDigits(text) else { throw ParameterRefusal(key: key) }
        let count = Int(text) ?? .max
        guard count > 0 else { throw ParameterRefusal(key: key) }
        return count
    }

    static func isDigits(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// `version`: 1 and 2 are answered alike; another number is a version that there is not.
    func checkVersion() throws {
        guard let text = self["version"] else { return }
        guard Self.isDigits(text) else { throw ParameterRefusal(key: "version") }
        guard text == "1" || text == "2" else {
            throw ParameterRefusal(key: "version", status: 404)
        }
    }

    /// `output`: there is JSON only.
    func checkOutput() throws {
        if let text = self["output"], text != "json" { throw ParameterRefusal(key: "output") }
    }

    func medium() throws -> SearchMedium {
        guard let text = self["media"] else { return .all }
        guard let medium = SearchMedium(rawValue: text) else {
            throw ParameterRefusal(key: "mediaType")
        }
        return medium
    }

    /// `entity`: one, or several with commas between them; nil for none.
    func entities(of medium: SearchMedium) throws -> [SearchEntity]? {
        guard let text = self["entity"] else { return nil }
        return try text.split(scalar: ",", omittingEmptySubsequences: false).map { name in
            guard let entity = SearchEntity(rawValue: String(name)),
                medium.entities.contains(entity)
            else { throw ParameterRefusal(key: "resultEntity") }
            return entity
        }
    }

    /// `sort` and `order`.
    func order() throws -> ItemOrder {
        var order = ItemOrder.popular
        for name in ["order", "sort"] {
            switch self[name] {
            case nil, "rank", "popular": continue
            case "recent": order = .recent
            default: throw ParameterRefusal(key: name)
            }
        }
        return order
    }
}
