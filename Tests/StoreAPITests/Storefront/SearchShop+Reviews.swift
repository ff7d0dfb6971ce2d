import Foundation
import StoreModel
import StoreTestSupport

@testable import StoreCore

extension SearchShop {
    /// Adds reviews of an item by as many customers, a day apart; the newest one has the highest
    /// number.
    ///
    /// - Parameter count: stars go round from one to five, and the last one gives five where the
    ///   count is a multiple of five.
    func review(_ item: ItemID, count: Int) async throws {
        let model = try await shop.store.services.accounts.account(
            email: TestStore.american, environment: .production)
        try await shop.store.database.write { repositories in
            for number in 1...count {
                let date = Self.date(item).addingTimeInterval(Double(number) * 86_400)
                let account = try repositories.accounts.insert(
                    AccountDraft(
                        environment: .production, email: "reader-\(number)@example.com",
                        passwordHash: model.passwordHash, storefront: .unitedStates),
                    at: date)
                _ = try repositories.customerReviews.insert(
                    CustomerReview(
                        id: ReviewID(number: 0), item: item, account: account.id,
                        nickname: "Reader \(number)", storefront: .unitedStates,
                        rating: (number - 1) % 5 + 1, title: "Title \(number)",
                        body: "Body \(number)", version: "1.0", state: .published, created: date,
                        changed: date, environment: .production))
            }
        }
    }
}
