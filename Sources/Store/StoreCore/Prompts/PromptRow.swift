import Foundation
import StoreDatabase
import StoreModel

/// A prompt as it is kept.
struct PromptRow {
    let id: PromptID
    let environment: StoreEnvironment
    let app: AppID
    let account: AccountID?
    let subject: PromptSubjectColumns
    let address: String
    let start: Date
    let end: Date
    let attempts: Int
    let ending: PromptEndingColumns?
    let collected: Date?
    let absence: Date?

    /// One that nobody has answered yet, without its number.
    init(_ draft: PromptDraft) {
        (id, environment, app) = (PromptID(number: 0), draft.environment, draft.app)
        (account, subject) = (draft.account, PromptSubjectColumns(draft.subject))
        (address, start, end) = (draft.address, draft.start, draft.end)
        (attempts, ending, collected, absence) = (0, nil, nil, nil)
    }

    /// - Throws: `SQLError` where the columns are no prompt: the database was changed by others.
    func prompt() throws -> Prompt {
        Prompt(
            id: id,
            details: PromptDraft(
                environment: environment, app: app, account: account,
                subject: try subject.subject(), address: address, start: start, end: end),
            attempts: attempts, ending: try ending?.ending(), isCollected: collected != nil,
            absence: absence)
    }

    fileprivate static func flaw(_ name: String) -> SQLError {
        SQLError(code: .row, "the database holds \"\(name)\" where it can't be")
    }
}

extension PromptRow: Record {
    static let table: StaticString = "prompt"

    init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        environment = try column("environment", \.environment)
        app = try column("app", \.app)
        account = try column("account", \.account)
        subject = try column.part(\.subject)
        address = try column("address", \.address)
        start = try column("started", \.start)
        end = try column("ends", \.end)
        attempts = try column("attempts", \.attempts)
        ending = try column.part(\.ending)
        collected = try column("collected", \.collected)
        absence = try column("absent", \.absence)
    }
}

/// A subject as columns.
struct PromptSubjectColumns: RecordPart {
    var kind: String
    var email: String?
    var product: ProductID?
    var quantity: Int?
    var price: Int64?
    var newPrice: Int64?
    var currency: String?
    var item: ItemID?
    var affiliateToken: String?
    var campaign: String?
    var provider: String?
    /// JSON.
    var offer: String?

    init(_ column: borrowing RecordColumns<Self>) throws {
        kind = try column("kind", \.kind)
        email = try column("email", \.email)
        product = try column("product_id", \.product)
        quantity = try column("quantity", \.quantity)
        price = try column("price", \.price)
        newPrice = try column("new_price", \.newPrice)
        currency = try column("currency", \.currency)
        item = try column("item", \.item)
        affiliateToken = try column("affiliate_token", \.affiliateToken)
        campaign = try column("campaign", \.campaign)
        provider = try column("provider", \.provider)
        offer = try column("offer", \.offer)
    }

    init(_ subject: PromptSubject) {
        switch subject {
        case .signIn(let wanted):
            kind = "signIn"
            email = wanted
        case .redeem:
            kind = "redeem"
        case .confirm(let id, let count, let one, let chosen):
            kind = "confirm"
            offer = chosen.flatMap { try? JSONEncoder().encode($0) }
                .map { String(decoding: $0, as: UTF8.self) }
            (product, quantity) = (id, count)
            (price, currency) = (one.thousandths, one.currency)
        case .consent(let id, let current, let new):
            kind = "consent"
            product = id
            (price, newPrice, currency) = (current.thousandths, new.thousandths, current.currency)
        case .item(let id, let sender):
            kind = "item"
            item = id
            (affiliateToken, campaign) = (sender.affiliateToken, sender.campaign)
            provider = sender.provider
        }
    }

    fileprivate func subject() throws -> PromptSubject {
        func money(_ thousandths: Int64?) -> Money? {
            guard let thousandths, let currency else { return nil }
            return Money(thousandths: thousandths, currency: currency)
        }
        switch kind {
        case "signIn": return .signIn(email: email)
        case "redeem": return .redeem
        case "confirm":
            if let product, let quantity, let price = money(price) {
                return .confirm(
                    product, quantity: quantity, price: price,
                    offer: try offer.map {
                        try JSONDecoder().decode(SubscriptionOffer.self, from: Data($0.utf8))
                    })
            }
        case "consent":
            if let product, let price = money(price), let newPrice = money(newPrice) {
                return .consent(product, currentPrice: price, newPrice: newPrice)
            }
        case "item":
            if let item {
                return .item(
                    item,
                    Referral(
                        affiliateToken: affiliateToken, campaign: campaign, provider: provider))
            }
        default: break
        }
        throw PromptRow.flaw(kind)
    }
}

/// An ending as columns.
struct PromptEndingColumns: RecordPart {
    var name: String
    /// The offer code that was typed.
    var code: String?
    /// Who has signed in.
    var account: AccountID?

    init(_ column: borrowing RecordColumns<Self>) throws {
        name = try column("ending", \.name)
        code = try column("code", \.code)
        account = try column("signed_in", \.account)
    }

    init(_ ending: Prompt.Ending) {
        switch ending {
        case .abandoned: name = "abandoned"
        case .exhausted: name = "exhausted"
        case .decided(.yes): name = "yes"
        case .decided(.no): name = "no"
        case .decided(.later): name = "later"
        case .decided(.done): name = "done"
        case .decided(.code(let typed)): (name, code) = ("code", typed)
        case .decided(.signedIn(let id)): (name, account) = ("signedIn", id)
        }
    }

    fileprivate func ending() throws -> Prompt.Ending {
        switch name {
        case "yes": .decided(.yes)
        case "no": .decided(.no)
        case "later": .decided(.later)
        case "done": .decided(.done)
        case "code": .decided(.code(code ?? ""))
        case "signedIn": try account.map { .decided(.signedIn($0)) }.orMissing("account")
        case "abandoned": .abandoned
        case "exhausted": .exhausted
        default: throw PromptRow.flaw(name)
        }
    }
}
