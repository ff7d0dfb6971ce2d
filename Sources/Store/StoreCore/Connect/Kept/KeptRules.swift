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
    /// - Parameter prices: what is made along with it.
    /// - Throws: `ConnectRefusal`.
    static func checkNew(_ resource: KeptResource, prices: [KeptDraft], at date: Date) throws {
        try check(resource)
        let mode = resource.attributes["offerMode"]?.text
        if let mode, mode != payAsYouGo, resource.attributes["numberOfPeriods"]?.number ?? 1 != 1 {
            throw ConnectRefusal(
                .invalid, rule: "offerPeriods", field: "numberOfPeriods",
                "Only an offer that is paid period by period has more than one.",
                help: "Choose a longer duration, and let numberOfPeriods be 1.")
        }
        try checkPrices(of: resource, prices)
        if let last = resource.attributes["expirationDate"]?.text.flatMap({ CalendarDay($0) }),
            let today = CalendarDay(of: date), last < today
        {
            throw ConnectRefusal(
                .invalid, rule: "codeExpired", field: "expirationDate",
                "The last day of the code is in the past.", help: "Choose today or a later day.")
        }
        guard resource.attributes["autoRenewEnabled"] != .flag(false) else {
            throw ConnectRefusal(
                .invalid, rule: "offerRenews", field: "autoRenewEnabled",
                "A subscription that begins with an offer renews; its customer may cancel.",
                help: "Leave autoRenewEnabled out, or true.")
        }
    }

    /// Checks the prices that an offer has beside it, all of which these are.
    static func checkPrices(of offer: KeptResource, _ prices: [KeptDraft]) throws {
        guard let mode = offer.attributes["offerMode"]?.text, mode != freeTrial,
            offer.kind.prices != nil, prices.isEmpty
        else { return }
        throw ConnectRefusal(
            .invalid, rule: "offerPrice", field: "prices", "The offer has no price.",
            help: "Choose a price point of a territory.")
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
            let end = resource.attributes["endDate"]?.text, end < start
        {
            throw ConnectRefusal(
                .invalid, rule: "endsBeforeStart", field: "endDate",
                "The offer ends before it begins.",
                help: "Let it end on the same day or a later one.")
        }
    }

    private static let freeTrial = "FREE_TRIAL"
    private static let payAsYouGo = "PAY_AS_YOU_GO"

    /// Two introductory offers of one territory, or of all, follow one another.
    ///
    /// - Throws: `ConnectRefusal`.
    static func checkOverlap(_ offer: KeptResource, _ other: KeptResource) throws {
        func days(_ offer: KeptResource) -> (first: String, last: String) {
            (
                offer.attributes["startDate"]?.text ?? "",
                offer.attributes["endDate"]?.text ?? "9999-12-31"
            )
        }
        let (own, others) = (days(offer), days(other))
        guard offer.territory == other.territory, own.first <= others.last,
            others.first <= own.last
        else { return }
        throw ConnectRefusal(
            .taken, rule: "offersOverlap", field: "endDate",
            "The introductory offer \(other.id) is in \(offer.territory ?? "all territories") on some "
                + "of these days already.",
            help: "Choose other days, let that one end earlier, or delete it.")
    }

    /// An offer that is paid period by period has the product's periods, at a lower price.
    ///
    /// - Parameter prices: the links of its prices.
    /// - Throws: `ConnectRefusal`.
    static func checkPayAsYouGo(
        _ offer: KeptResource, prices: [[String: [String]]], of product: Product, at date: Date
    ) throws {
        guard offer.attributes["offerMode"]?.text == payAsYouGo,
            let period = product.details.subscription?.period
        else { return }
        guard offer.attributes["duration"]?.text == period.connectOfferName else {
            throw ConnectRefusal(
                .invalid, rule: "offerDuration", field: "duration",
                "An offer that is paid period by period has the subscription's periods, and these "
                    + "are \(period.connectOfferName ?? period.iso8601).",
                help: "Choose this duration, or PAY_UP_FRONT.")
        }
        for links in prices {
            guard let storefront = links["territory"]?.first.flatMap({ Storefront.named($0) }),
                let tier = links[KeptResource.tier]?.first.flatMap({ PriceTier.named($0) }),
                let regular = product.details.prices.price(in: storefront, at: date),
                tier.price(in: storefront).thousandths >= regular.thousandths
            else { continue }
            throw ConnectRefusal(
                .invalid, rule: "offerNotLower", field: "subscriptionPricePoint",
                "The offer does not cost less than the subscription in \(storefront.code).",
                help: "Choose a lower price point.")
        }
    }

    /// What is free has no price; everything else has one.
    private static func checkOffer(_ resource: KeptResource) throws {
        guard resource.kind == .subscriptionIntroductoryOffers else { return }
        let isFree = resource.attributes["offerMode"]?.text == freeTrial
        let hasPrice = resource.links["subscriptionPricePoint"]?.isEmpty == false
        guard isFree == hasPrice else { return }
        throw ConnectRefusal(
            .invalid, rule: "offerPrice", field: "subscriptionPricePoint",
            isFree ? "A free trial has no price." : "The offer has no price.",
            help: isFree
                ? "Leave subscriptionPricePoint out." : "Choose a price point of a territory.")
    }
}
