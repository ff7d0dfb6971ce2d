import Foundation
import StoreCore
import StoreModel

/// `openstore price tiers`
enum PriceTiers: Command {
    static let spec = CommandSpec(
        words: ["price", "tiers"], summary: "List the tiers of the price list.",
        options: [
            .value("territory", "CODE", "The alpha-3 code; USA unless given."),
            .json,
        ])

    private struct Row: Encodable {
        let tier: String
        let name: String
        let price: String
        let proceeds: String
        let currency: String
    }

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let storefront =
            try arguments.value("territory", "a territory such as USA") { Storefront.named($0) }
            ?? .unitedStates
        let rows = PriceTier.all.map { tier in
            let price = tier.price(in: storefront)
            return Row(
                tier: tier.identifier, name: tier.name, price: "\(price.decimal)",
                proceeds: "\(Proceeds.ofOne(at: price).decimal)", currency: price.currency)
        }
        if arguments.has("json") { return try output.json(rows) }
        var table = Table(["TIER", "NAME", "PRICE", "PROCEEDS"], rightAligned: [2, 3])
        table.rows = rows.map {
            [$0.tier, $0.name, "\($0.price) \($0.currency)", "\($0.proceeds) \($0.currency)"]
        }
        output.write(table.text(on: output))
    }
}
