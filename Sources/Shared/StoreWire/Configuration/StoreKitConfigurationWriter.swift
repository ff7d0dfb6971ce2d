import Foundation
import StoreModel

/// Writes a `.storekit` file of version 3.0, item by item. `StoreKitConfiguration` reads it.
///
///     var writer = try StoreKitConfigurationWriter(storefront: .unitedStates, locale: "en_US") {
///         try file.append($0)
///     }
///     try writer.begin(.nonRenewingSubscriptions)
///     for item in seasons { try writer.add(item) }
///     try writer.begin(.products)
///     …
///     try writer.finish(subscriptions: subscriptions)
package struct StoreKitConfigurationWriter {
    /// A list of the file; each begins once at most.
    package enum List: String, Sendable {
        case products
        case nonRenewingSubscriptions
    }

    private let sink: (Data) throws -> Void
    private let settings: JSONValue
    private var isOpen = false
    private var count = 0

    package init(
        storefront: Storefront, locale: String, sink: @escaping (Data) throws -> Void
    ) throws {
        self.sink = sink
        settings = ["_locale": .string(locale), "_storefront": .string(storefront.code)]
        try sink(Data("{".utf8))
    }

    package mutating func begin(_ list: List) throws {
        try sink(Data("\(isOpen ? "\n],\n" : "\n")\"\(list.rawValue)\": [".utf8))
        isOpen = true
        count = 0
    }

    package mutating func add(_ item: StoreKitConfiguration.Item) throws {
        try sink(Data((count == 0 ? "\n" : ",\n").utf8) + Self.json(item).encoded())
        count += 1
    }

    /// Ends the file.
    ///
    /// - Parameter subscriptions: in their groups, of which each is whole.
    package mutating func finish(subscriptions: [StoreKitConfiguration.Item]) throws {
        var groups: [String: [StoreKitConfiguration.Item]] = [:]
        var names: [String: String] = [:]
        for item in subscriptions {
            guard let terms = item.subscription else { continue }
            groups[terms.groupID, default: []].append(item)
            names[terms.groupID] = names[terms.groupID] ?? terms.groupName
        }
        let lists: [JSONValue] = groups.sorted { $0.key < $1.key }.map { id, items in
            [
                "id": .string(id), "name": .string(names[id] ?? id), "localizations": [],
                "subscriptions": .array(items.map(Self.json)),
            ]
        }
        let version: JSONValue = ["major": 3, "minor": 0]
        try sink(Data("\(isOpen ? "\n]," : "")\n\"settings\": ".utf8) + settings.encoded())
        try sink(Data(",\n\"subscriptionGroups\": ".utf8) + JSONValue.array(lists).encoded())
        try sink(Data(",\n\"version\": ".utf8) + version.encoded() + Data("\n}\n".utf8))
    }

    // MARK: Items

    private static let types: [ProductType: String] = [
        .consumable: "Consumable", .nonConsumable: "NonConsumable",
        .nonRenewingSubscription: "NonRenewingSubscription",
        .autoRenewableSubscription: "RecurringSubscription",
    ]

    private static func json(_ item: StoreKitConfiguration.Item) -> JSONValue {
        var members: [String: JSONValue] = [
            "productID": .string(item.productID.text),
            "type": .string(types[item.type] ?? item.type.rawValue),
            "referenceName": .string(item.referenceName),
            "familyShareable": .bool(item.isFamilyShareable),
            "displayPrice": .string(price(item.thousandths)),
            "internalID": .string(internalID(item.productID.text)),
            "localizations": .array(
                item.texts.map { text in
                    [
                        "locale": .string(text.locale), "displayName": .string(text.title),
                        "description": .string(text.description),
                    ]
                }),
        ]
        if let terms = item.subscription {
            members["groupNumber"] = .integer(terms.level)
            members["recurringSubscriptionPeriod"] = .string(terms.period.iso8601)
            members["subscriptionGroupID"] = .string(terms.groupID)
            add(terms.offers, to: &members)
        }
        return .object(members)
    }

    private static func add(_ offers: [SubscriptionOffer], to members: inout [String: JSONValue]) {
        func list(_ kind: SubscriptionOffer.Kind) -> [JSONValue] {
            offers.filter { $0.kind == kind }.map(json)
        }
        members["introductoryOffers"] = .array(list(.introductory))
        members["adHocOffers"] = .array(list(.promotional))
        members["codeOffers"] = .array(list(.code))
        members["winbackOffers"] = .array(list(.winBack))
    }

    private static func json(_ offer: SubscriptionOffer) -> JSONValue {
        var members: [String: JSONValue] = [
            "paymentMode": .string(offer.paymentMode.rawValue),
            "subscriptionPeriod": .string(offer.period.iso8601),
            "numberOfPeriods": .integer(offer.periodCount),
            "internalID": .string(
                internalID("\(offer.kind.rawValue) \(offer.identifier ?? "")")),
        ]
        if offer.paymentMode != .freeTrial {
            members["displayPrice"] = .string(price(offer.thousandths))
        }
        switch offer.kind {
        case .introductory: break
        case .code:
            members["referenceName"] = .string(offer.identifier ?? "")
            members["eligibility"] = offer.customers.map { .texts($0.map(\.rawValue)) }
            members["isStackable"] = .bool(offer.isStackable == true)
        case .promotional: members["offerID"] = .string(offer.identifier ?? "")
        case .winBack:
            members["offerID"] = .string(offer.identifier ?? "")
            members["isEligible"] = .bool(offer.customers != [])
        }
        return .object(members)
    }

    /// Thousandths as a plain decimal number.
    private static func price(_ thousandths: Int64) -> String {
        let fraction = String(thousandths % 1000 + 1000).dropFirst()
        let digits = fraction.hasSuffix(scalars: "0") ? fraction.dropLast() : fraction
        return "\(thousandths / 1000).\(digits)"
    }

    /// Eight hexadecimal digits that stay the same from file to file (FNV-1a).
    private static func internalID(_ text: String) -> String {
        let hash = text.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        let digits = String(hash, radix: 16, uppercase: true)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
