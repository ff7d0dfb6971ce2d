import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

/// The query of a request: each parameter with the number of the error that a bad value of it is.
struct ServerQuery: Sendable {
    private let fields: [(name: String, value: String)]

    init(_ request: HTTPRequest) {
        fields = request.query
    }

    /// The values of a parameter that may be repeated.
    func all(_ name: String) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    /// The value of a parameter that may be there once.
    func one(_ name: String, _ error: ServerErrorCode) throws -> String? {
        let values = all(name)
        guard values.count <= 1 else {
            throw ServerAPIError(error, "The parameter \(name) is there more than once.")
        }
        return values.first
    }

    /// A flag in any case: Python writes `True`.
    func flag(_ name: String, _ error: ServerErrorCode) throws -> Bool? {
        guard let text = try one(name, error) else { return nil }
        switch text.lowercased() {
        case "true": return true
        case "false": return false
        default: throw ServerAPIError(error)
        }
    }

    /// A time in milliseconds since 1970.
    func date(_ name: String, _ error: ServerErrorCode) throws -> Date? {
        guard let text = try one(name, error) else { return nil }
        guard let date = Date(serverMilliseconds: Int64(text)) else { throw ServerAPIError(error) }
        return date
    }
}

extension Date {
    /// Nil for what is no time between 1970 and the year 9999.
    init?(serverMilliseconds: Int64?) {
        guard let serverMilliseconds, (0...253_402_300_799_999).contains(serverMilliseconds) else {
            return nil
        }
        self.init(milliseconds: serverMilliseconds)
    }
}

extension HistoryQuery {
    /// So many values of one parameter are taken.
    private static let valueLimit = 200

    /// - Throws: `ServerAPIError`.
    init(_ query: ServerQuery) throws {
        self.init()
        start = try query.date("startDate", .invalidStartDate)
        end = try query.date("endDate", .invalidEndDate)
        if let start, let end, start >= end { throw ServerAPIError(.startDateAfterEndDate) }
        products = try Self.values("productId", query, .invalidProductID) { ProductID($0)?.text }
        types = try Self.values("productType", query, .invalidProductType) {
            ProductType(serverName: $0)
        }
        groups = try Self.values(
            "subscriptionGroupIdentifier", query, .invalidSubscriptionGroup
        ) { $0.isEmpty || $0.utf8.count > 255 ? nil : $0 }
        switch try query.one("inAppOwnershipType", .invalidOwnershipType) {
        case nil: break
        case "PURCHASED": isShared = false
        case "FAMILY_SHARED": isShared = true
        default: throw ServerAPIError(.invalidOwnershipType)
        }
        isRevoked = try query.flag("revoked", .invalidRevoked)
        // What Apple's first clients sent instead.
        if try query.flag("excludeRevoked", .invalidExcludeRevoked) == true {
            guard isRevoked != true else { throw ServerAPIError(.invalidExcludeRevoked) }
            isRevoked = false
        }
        if let text = try query.one("sort", .invalidSort) {
            guard let order = Order(rawValue: text) else { throw ServerAPIError(.invalidSort) }
            self.order = order
        }
    }

    private static func values<Value>(
        _ name: String, _ query: ServerQuery, _ error: ServerErrorCode,
        _ read: (String) -> Value?
    ) throws -> [Value] {
        let texts = query.all(name)
        guard texts.count <= valueLimit else {
            throw ServerAPIError(error, "\(name) is there more than \(valueLimit) times.")
        }
        return try texts.map { text in
            guard let value = read(text) else { throw ServerAPIError(error) }
            return value
        }
    }
}

extension ProductType {
    /// The name by which filters know it.
    var serverName: String {
        switch self {
        case .consumable: "CONSUMABLE"
        case .nonConsumable: "NON_CONSUMABLE"
        case .nonRenewingSubscription: "NON_RENEWABLE"
        case .autoRenewableSubscription: "AUTO_RENEWABLE"
        }
    }

    init?(serverName: String) {
        guard let found = Self.allCases.first(where: { $0.serverName == serverName }) else {
            return nil
        }
        self = found
    }
}
