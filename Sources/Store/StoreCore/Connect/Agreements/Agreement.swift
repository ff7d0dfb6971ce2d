import Foundation
import StoreDatabase

/// What a publisher agrees to with the store.
package struct Agreement: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable, TextColumnValue {
        case freeApps = "FREE_APPS"
        case paidApps = "PAID_APPS"

        package var title: String {
            switch self {
            case .freeApps: "Free Apps"
            case .paidApps: "Paid Apps"
            }
        }
    }

    package enum State: String, Sendable, Hashable, CaseIterable, TextColumnValue {
        /// Offered, not accepted.
        case new = "NEW"
        /// Accepted; bank account or tax form are missing.
        case pendingUserInfo = "PENDING_USER_INFO"
        /// In force.
        case active = "ACTIVE"
        /// Ended by the store.
        case terminated = "TERMINATED"

        package var title: String {
            switch self {
            case .new: "New"
            case .pendingUserInfo: "Pending User Info"
            case .active: "Active"
            case .terminated: "Terminated"
            }
        }
    }

    package let team: Int64
    package let kind: Kind
    package var state: State
    /// Who accepted it, as the audit log names actors. Nobody where it is in force without:
    /// teams that an import on the store's machine made, and those of earlier programs.
    package var acceptedBy: String?
    package var accepted: Date?
    package var changed: Date?
}

extension Agreement: Record {
    package static let table: StaticString = "agreement"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        team = try column("team", \.team, .key)
        kind = try column("kind", \.kind, .key)
        state = try column("state", \.state)
        acceptedBy = try column("accepted_by", \.acceptedBy)
        accepted = try column("accepted", \.accepted)
        changed = try column("changed", \.changed)
    }
}

/// What a publisher is paid to.
package struct BankAccount: Sendable, Hashable {
    package var holder: String
    package var bank: String
    /// The territory's code of three letters.
    package var territory: String
    /// An IBAN or another number, without spaces, in capitals.
    package var number: String
    package var bic: String?
    /// The currency's code of three letters.
    package var currency: String

    package init(
        holder: String, bank: String, territory: String, number: String, bic: String?,
        currency: String
    ) {
        self.holder = holder
        self.bank = bank
        self.territory = territory
        self.number = number
        self.bic = bic
        self.currency = currency
    }

    /// The number with its last four signs only.
    package var maskedNumber: String { Masking.lastFour(of: number) }
}

extension BankAccount: Record {
    package static let table: StaticString = "bank_account"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        holder = try column("holder", \.holder)
        bank = try column("bank", \.bank)
        territory = try column("territory", \.territory)
        number = try column("number", \.number)
        bic = try column("bic", \.bic)
        currency = try column("currency", \.currency)
    }
}

/// Who pays the taxes.
package struct TaxForm: Sendable, Hashable {
    package var legalName: String
    package var territory: String
    package var taxID: String
    package var address: String

    package init(legalName: String, territory: String, taxID: String, address: String) {
        self.legalName = legalName
        self.territory = territory
        self.taxID = taxID
        self.address = address
    }

    package var maskedTaxID: String { Masking.lastFour(of: taxID) }
}

extension TaxForm: Record {
    package static let table: StaticString = "tax_form"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        legalName = try column("legal_name", \.legalName)
        territory = try column("territory", \.territory)
        taxID = try column("tax_id", \.taxID)
        address = try column("address", \.address)
    }
}

/// How numbers are shown that not everybody is to read.
private enum Masking {
    /// The last four signs; fewer of a short one, so that most of it stays hidden.
    static func lastFour(of text: String) -> String {
        "••••" + text.suffix(min(4, text.count / 2))
    }
}
