import Foundation
import StoreModel

/// Body of `POST /device/v1/quotes`.
package struct QuoteRequest: Codable, Sendable, Hashable {
    package var productId: String

    package init(productId: String) {
        self.productId = productId
    }
}

/// Answer of `POST /device/v1/quotes`: when a purchase would charge the account.
package struct QuoteAnswer: Codable, Sendable, Hashable {
    /// The names of `ChargeNotice`. What is unknown counts as `now`.
    package struct Charge: RawRepresentable, Codable, Sendable, Hashable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let now = Charge(rawValue: "now")
        package static let owned = Charge(rawValue: "owned")
        package static let running = Charge(rawValue: "running")
        /// With `startDate`.
        package static let later = Charge(rawValue: "later")
    }

    package var charge: Charge
    /// When the product that is paid for later begins, milliseconds since 1970.
    package var startDate: Int64?

    package init(_ notice: ChargeNotice) {
        switch notice {
        case .now: charge = .now
        case .owned: charge = .owned
        case .running: charge = .running
        case .later(let date):
            charge = .later
            startDate = date.milliseconds
        }
    }

    package var notice: ChargeNotice {
        switch (charge, startDate) {
        case (.owned, _): .owned
        case (.running, _): .running
        case (.later, let date?): .later(Date(milliseconds: date))
        default: .now
        }
    }
}
