import Foundation
import StoreCore
import StoreServer

/// `openstore offer-code create`
enum OfferCodeCreate: Command {
    static let spec = CommandSpec(
        words: ["offer-code", "create"],
        summary: "Make codes that give a product for nothing, or a subscription by an offer.",
        options: AccountSubject.product + [
            .value("count", "N", "How many codes; 1 unless given."),
            .value("uses", "N", "By how many accounts each can be redeemed; 1 unless given."),
            .value(
                "offer", "NAME",
                "The subscription's offer that it gives: the referenceName of one of codeOffers "
                    + "in its .storekit file, or the name of one made by the API."),
            .value("days", "N", "How long they are good; 30 unless given."),
            StoreOpening.option, StoreOpening.database,
            .json,
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        func number(_ name: String, default missing: Int, upTo limit: Int) throws -> Int {
            try arguments.value(name, "a number from 1 to \(limit)") { text in
                Int(text).flatMap { (1...limit).contains($0) ? $0 : nil }
            } ?? missing
        }
        let count = try number("count", default: 1, upTo: 10_000)
        let uses = try number("uses", default: 1, upTo: 1_000_000)
        let days = try number("days", default: 30, upTo: 3650)
        let codes = try await StoreOpening.with(arguments) { store in
            let (app, product) = try await AccountSubject.product(arguments, in: store)
            let offer = try offer(arguments["offer"], of: product)
            let end = store.clock.now().addingTimeInterval(TimeInterval(days) * 86_400)
            let codes = try (0..<count).map { _ in
                OfferCode(
                    code: try store.makeOfferCode(), app: app.id,
                    productID: product.details.productID, uses: uses, end: end, offer: offer)
            }
            try await store.services.offers.add(codes)
            return codes.map(\.code)
        }
        if arguments.has("json") { return try output.json(codes) }
        for code in codes { output.line(code) }
    }

    /// The offer that codes of a product stand for: one is needed for a subscription, and for nothing
    /// else.
    private static func offer(_ name: String?, of product: Product) throws -> String? {
        let names = Set(
            ((product.details.subscription?.offers ?? []) + product.scheduledOffers.map(\.offer))
                .filter { $0.kind == .code }.compactMap(\.identifier)
        ).sorted()
        guard product.details.type == .autoRenewableSubscription else {
            guard name == nil else {
                throw UsageError(option: "offer", "only subscriptions have offers")
            }
            return nil
        }
        guard let name, names.contains(name) else {
            throw UsageError(
                option: "offer",
                names.isEmpty
                    ? "\(product.details.productID) has no offers for codes"
                    : "a code of a subscription stands for one of its offers: "
                        + names.joined(separator: ", "))
        }
        return name
    }
}
