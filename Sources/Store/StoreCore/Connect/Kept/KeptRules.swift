import Foundation
import StoreModel

/// What kept resources may hold.
package enum KeptRules {
    /// Characters that texts have, by kind and attribute.
    private static let lengths: [String: ClosedRange<Int>] = [
        "referenceName": 1...64, "name": 1...64, "offerCode": 1...64, "customCode": 1...64,
        "customAppName": 1...30,
    ]
    /// Counts by attribute.
    private static let counts: [String: ClosedRange<Int>] = ["numberOfPeriods": 1...12]
    /// As many codes as one request makes, one-time and custom.
    package static let oneTimeUseCodes = 1...25_000
    package static let customCodes = 1...150_000

    /// Attributes that a resource can do without; others stay where a client sends null.
    private static let clearable: Set<String> = [
        "customAppName", "duration", "endDate", "renewalType",
    ]

    /// Gives a resource what a client sends.
    static func apply(_ changes: [String: KeptValue?], to resource: inout KeptResource) {
        for (name, value) in changes where value != nil || clearable.contains(name) {
            resource.attributes[name] = value
        }
    }

    /// - Throws: `ConnectRefusal`.
    package static func check(_ resource: KeptResource) throws {
        for (field, range) in lengths.sorted(by: { $0.key < $1.key }) {
            guard let text = resource.attributes[field]?.text else { continue }
            guard range.contains(text.unicodeScalars.count), ConnectText.isClean(text) else {
                throw ConnectRefusal(
                    .invalid, rule: "textLength", field: field,
                    "The \(field) does not have \(range.lowerBound) to \(range.upperBound) "
                        + "characters that can be shown.", help: "Choose another one.")
            }
        }
        for (field, range) in counts {
            try check(resource.attributes[field]?.number, in: range, field: field)
        }
        if resource.kind.isOneTimeUseCode {
            try check(
                resource.attributes["numberOfCodes"]?.number, in: oneTimeUseCodes,
                field: "numberOfCodes")
        }
        if resource.kind.isCustomCode {
            try check(
                resource.attributes["numberOfCodes"]?.number, in: customCodes,
                field: "numberOfCodes")
            try checkCode(resource.attributes["customCode"]?.text)
        }
        if let locale = resource.attributes["locale"]?.text {
            guard ProductLocale.stored(locale) != nil else {
                throw ConnectRefusal(
                    .invalid, rule: "localeUnknown", field: "locale",
                    "The store has no language \"\(locale.prefix(40))\".",
                    help: "Use one of App Store Connect's, for example en-US.")
            }
        }
        if let territory = resource.territory { try check(territory: territory) }
        try checkDates(resource)
        try checkOffer(resource)
    }

    /// Checks a new resource. An existing one goes through `check` alone: an earlier version of the store may have
    /// taken what is refused here.
    ///
    /// - Throws: `ConnectRefusal`.
    static func checkNew(_ resource: KeptResource) throws {
        try check(resource)
        guard resource.attributes["autoRenewEnabled"] != .flag(false) else {
            throw ConnectRefusal(
                .invalid, rule: "offerRenews", field: "autoRenewEnabled",
                "A subscription that begins with an offer renews; its customer may cancel.",
                help: "Leave autoRenewEnabled out, or true.")
        }
    }

    package static func check(territory: String) throws {
        guard Storefront.named(territory)?.code == territory else {
            throw ConnectRefusal(
                .invalid, rule: "territoryUnknown", field: "territory",
                "The store has no territory \"\(territory.prefix(40))\".",
                help: "Use an alpha-3 code of the store's list, for example USA.")
        }
    }

    private static func check(_ number: Int?, in range: ClosedRange<Int>, field: String) throws {
        guard let number, !range.contains(number) else { return }
        throw ConnectRefusal(
            .invalid, rule: "countRange", field: field,
            "The \(field) is not from \(range.lowerBound) to \(range.upperBound).",
            help: "Choose another number.")
    }

    /// Customers type it.
    private static func checkCode(_ code: String?) throws {
        let isCode =
            code?.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
            } ?? true
        guard !isCode else { return }
        throw ConnectRefusal(
            .invalid, rule: "codeCharacters", field: "customCode",
            "A code consists of letters and digits of ASCII.",
            help: "Use something like SPRING26.")
    }

    /// Days are text in ISO 8601, which sorts as they follow one another.
    private static func checkDates(_ resource: KeptResource) throws {
        if let start = resource.attributes["startDate"]?.text,
            let end = resource.attributes["endDate"]?.text, end <= start
        {
            throw ConnectRefusal(
                .invalid, rule: "endsBeforeStart", field: "endDate",
                "The offer ends before it begins.", help: "Let it end on a later day.")
        }
    }

    /// What is free has no price; everything else has one.
    private static func checkOffer(_ resource: KeptResource) throws {
        guard resource.kind == .subscriptionIntroductoryOffers else { return }
        let isFree = resource.attributes["offerMode"]?.text == "FREE_TRIAL"
        let hasPrice = resource.links["subscriptionPricePoint"]?.isEmpty == false
        guard isFree == hasPrice else { return }
        throw ConnectRefusal(
            .invalid, rule: "offerPrice", field: "subscriptionPricePoint",
            isFree ? "A free trial has no price." : "The offer has no price.",
            help: isFree
                ? "Leave subscriptionPricePoint out." : "Choose a price point of a territory.")
    }
}
