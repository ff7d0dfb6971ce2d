import Foundation
import StoreDatabase
import StoreModel

/// That a product was taken from sale, or put back.
package struct SaleChange: Sendable, Hashable {
    package let step: ProductStep
    package let before: ProductState
    package let after: ProductState
    /// What the store tells the publisher; empty where it is the publisher's own change.
    package let reason: String
    package let actor: ReviewParty
    package let date: Date
}

extension SaleChange: Record {
    package static let table: StaticString = "product_sale_change"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        step = try column("step", \.step)
        before = try column("before", \.before)
        after = try column("after", \.after)
        reason = try column("reason", \.reason)
        actor = try column.part(\.actor, prefix: "actor")
        date = try column("date", \.date)
    }
}
