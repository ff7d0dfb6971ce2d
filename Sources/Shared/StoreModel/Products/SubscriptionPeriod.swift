import StoreKernel

/// A span of calendar time as subscriptions use it, for example one month.
package struct SubscriptionPeriod: Hashable, Sendable, Codable {
    package enum Unit: String, Sendable, Codable, CaseIterable {
        case day = "D"
        case week = "W"
        case month = "M"
        case year = "Y"
    }

    package var unit: Unit
    package var count: Int

    package init(unit: Unit, count: Int) {
        self.unit = unit
        self.count = count
    }

    /// A period from an ISO 8601 duration with one unit, such as `P1W`. Any other text gives nil.
    package init?(iso8601 text: String) {
        let digits = text.dropFirst().dropLast()
        guard text.hasPrefix(scalars: "P"), let last = text.last,
            let unit = Unit(rawValue: String(last)),
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let count = Int(digits), (1...366).contains(count)
        else { return nil }
        self.init(unit: unit, count: count)
    }

    /// The duration as ISO 8601 writes it, such as `P1M`.
    package var iso8601: String { "P\(count)\(unit.rawValue)" }

    /// The periods that a subscription may have, the shortest first: those of App Store Connect.
    package static let ofSubscriptions: [SubscriptionPeriod] = [
        .init(unit: .week, count: 1), .init(unit: .month, count: 1),
        .init(unit: .month, count: 2), .init(unit: .month, count: 3),
        .init(unit: .month, count: 6), .init(unit: .year, count: 1),
    ]

    /// The periods that an offer may have, the shortest first: those of App Store Connect.
    package static let ofOffers: [SubscriptionPeriod] =
        [.init(unit: .day, count: 3), .init(unit: .week, count: 1), .init(unit: .week, count: 2)]
        + ofSubscriptions.dropFirst()
}

extension SubscriptionPeriod {
    /// How long it is, in English: `month`, `3 months`.
    package var words: String {
        let name =
            switch unit {
            case .day: "day"
            case .week: "week"
            case .month: "month"
            case .year: "year"
            }
        return count == 1 ? name : "\(count) \(name)s"
    }
}

extension SubscriptionPeriod {
    /// The units that a statement may name, far beyond any subscription.
    static let counts = 1...10_000

    /// - Throws: `DecodingError`, also for a number of units that no subscription has.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            unit: try container.decode(Unit.self, forKey: .unit),
            count: try container.decode(.count, in: Self.counts))
    }
}

extension KeyedDecodingContainer {
    /// A number within bounds.
    func decode(_ key: Key, in bounds: ClosedRange<Int>) throws -> Int {
        let number = try decode(Int.self, forKey: key)
        guard bounds.contains(number) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "\(number) is not in \(bounds)")
        }
        return number
    }
}
