import Foundation
import StoreCore
import StoreModel
import StoreServer

/// `openstore price-consent request`
enum PriceConsentRequest: Command {
    static let spec = CommandSpec(
        words: ["price-consent", "request"],
        summary: "Ask a customer whether they agree to a higher price.",
        discussion: """
            The app decides when the question is shown (paymentQueueShouldShowPriceConsent). The
            answer is recorded.
            """,
        options: [AccountSubject.email, AccountSubject.environment] + AccountSubject.product + [
            .value(
                "price", "AMOUNT", "The new price, in the currency of the account's storefront."
            ).asRequired,
            StoreOpening.option, StoreOpening.database,
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let price = try arguments.required("price", "an amount such as 1.99") {
            Money.thousandths($0)
        }
        let (email, id) = try await StoreOpening.with(arguments) { store in
            let account = try await AccountSubject.account(arguments, in: store)
            let (app, product) = try await AccountSubject.product(arguments, in: store)
            let offers = store.services.offers
            guard
                let current = try await offers.fullPrice(
                    of: product.details.productID, for: account, in: app.id)
            else {
                throw CommandFailure(
                    description: "\(product.details.productID) is not sold in "
                        + account.storefront.name, exitCode: .refused)
            }
            let asked = Money(thousandths: price, currency: current.currency)
            if let problem = asked.priceProblem {
                throw CommandFailure(
                    description: "--price \(asked.decimal): \(problem)", exitCode: .refused)
            }
            guard price > current.thousandths else {
                throw CommandFailure(
                    description: "the customer pays \(current.decimal) \(current.currency) now; "
                        + "only a higher price needs consent", exitCode: .refused)
            }
            _ = try await offers.askConsent(
                PriceConsentDraft(
                    account: account.id, app: app.id, productID: product.details.productID,
                    currentPrice: current, newPrice: price))
            return (account.email, product.details.productID)
        }
        output.line("\(email) is asked about the price of \(id)")
    }
}
