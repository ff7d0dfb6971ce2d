import StoreModel
import StoreWire

private let type = "subscriptionIntroductoryOffers"
private let whoGetsOne = """
    An account gets an introductory offer once in a group of subscriptions, while it subscribes to
    none of them. It begins with the offer, and goes on at the price.
    """
private let ofFiles =
    "Offers of an imported .storekit file are not listed; one made here takes the place of theirs."

/// `openstore introductory-offer list`
enum IntroductoryOfferList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["introductory-offer", "list"], summary: "List the introductory offers of a subscription.",
        discussion: whoGetsOne + " " + ofFiles, arguments: [.product],
        options: [
            .app, .value("territory", "CODE", "Only those in this one, by its alpha-3 code."),
            .limit,
        ])

    static func run(_ connect: ConnectContext) async throws {
        let subscription = try await connect.subscription()
        let offers = try await connect.api.list(
            "\(subscription.path)/introductoryOffers",
            connect.query(["territory": "filter[territory]"]), limit: connect.limit())
        connect.show.list(
            offers,
            [
                .id, .attribute("MODE", "offerMode"), .attribute("DURATION", "duration"),
                .attribute("PERIODS", "numberOfPeriods"), .link("TERRITORY", "territory"),
                .attribute("FROM", "startDate"), .attribute("UNTIL", "endDate"),
            ], empty: "It has no introductory offers there. \(ofFiles)")
    }
}

/// `openstore introductory-offer create`
enum IntroductoryOfferCreate: ConnectCommand {
    private static let modes = ["FREE_TRIAL", "PAY_AS_YOU_GO", "PAY_UP_FRONT"]
    private static let durations = SubscriptionPeriod.ofOffers.map(\.iso8601).formatted(as: "or")

    static let spec = CommandSpec.connect(
        ["introductory-offer", "create"], summary: "Make an introductory offer of a subscription.",
        discussion: whoGetsOne, arguments: [.product],
        options: [
            .app,
            .value("mode", "MODE", "\(modes.formatted(as: "or")).").asRequired,
            .value(
                "duration", "PERIOD",
                "How long it lasts: \(durations). For PAY_AS_YOU_GO, the subscription's period."
            ).asRequired,
            .value(
                "periods", "NUMBER",
                "How many periods PAY_AS_YOU_GO lasts, 1 to 12; 1 unless given."),
            .value(
                "tier", "TIER",
                "What it costs, unless it is a free trial; openstore price tiers lists the tiers."),
            .value(
                "territory", "CODE",
                "The alpha-3 code of the territory. A free trial is for all unless given; an offer "
                    + "with a price is for one."),
            .value("from", "DAY", "The first day, for example 2027-01-31; at once unless given."),
            .value("until", "DAY", "The last day; without end unless given."),
        ])

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        let mode = try arguments.required("mode", modes.formatted(as: "or")) { text in
            let name = text.uppercased().replacing(scalar: "-", with: "_")
            return modes.contains(name) ? name : nil
        }
        let attributes = try attributes(arguments, mode: mode)
        let territory = try arguments.value("territory", "a territory such as USA") {
            Storefront.named($0)?.code
        }
        let tier = try arguments.value("tier", "a tier of the price list") { PriceTier.named($0) }
        if mode == modes[0] {
            guard tier == nil else {
                throw UsageError(option: "tier", "a free trial has no price")
            }
        } else {
            try arguments.demand(["tier", "territory"])
        }
        let subscription = try await connect.subscription()
        var relationships = ["subscription": (type: "subscriptions", id: subscription.number)]
        if let territory {
            relationships["territory"] = ("territories", territory)
            if let tier {
                relationships["subscriptionPricePoint"] = (
                    "subscriptionPricePoints",
                    try await PricePoints.point(
                        tier, in: territory, at: subscription.path, connect.api)
                )
            }
        }
        let offer = try await connect.api.create(
            type, at: "/v1/\(type)", attributes, relationships: relationships)
        let product = arguments.argument(0)
        connect.show.done(
            offer, "The introductory offer \(offer.id) of \(product) is made.")
    }

    private static func attributes(
        _ arguments: ParsedArguments, mode: String
    ) throws -> [String: JSONValue] {
        let duration = try arguments.required("duration", "one of \(durations)") { text in
            SubscriptionPeriod(iso8601: text)?.connectOfferName
        }
        let periods = try arguments.value("periods", "a number from 1 to 12") { text in
            Int(text).flatMap { (1...12).contains($0) ? $0 : nil }
        }
        func day(_ option: String) throws -> JSONValue {
            let day = try arguments.value(option, "a day such as 2027-01-31") {
                CalendarDay($0)?.description
            }
            return day.map { .string($0) } ?? .null
        }
        return [
            "offerMode": .string(mode), "duration": .string(duration),
            "numberOfPeriods": .integer(periods ?? 1), "startDate": try day("from"),
            "endDate": try day("until"),
        ]
    }
}

/// `openstore introductory-offer delete`
enum IntroductoryOfferDelete: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["introductory-offer", "delete"], summary: "Delete an introductory offer.",
        arguments: [
            .init(name: "ID", help: "The offer, as openstore introductory-offer list shows it.")
        ])

    static func run(_ connect: ConnectContext) async throws {
        let id = connect.arguments.argument(0)
        try await connect.api.delete("/v1/\(type)/\(id)")
        connect.show.done(id: id, "The introductory offer \(id) is deleted.")
    }
}
