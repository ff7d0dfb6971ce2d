import Foundation
import StoreModel

/// A product that its publisher works on, inside one transaction.
struct EditedProduct {
    private(set) var record: ProductRecord
    let app: App
    let work: UnitOfWork

    fileprivate init(_ record: ProductRecord, of app: App, _ work: UnitOfWork) {
        self.record = record
        self.app = app
        self.work = work
    }

    var number: ProductNumber { record.number }

    // MARK: Editing

    /// Something that reviewers look at is about to change.
    ///
    /// - Throws: `ConnectRefusal` with the rule `productState` while they have it.
    func beginEdit() throws {
        let next = try ProductRules.state(of: record.id, after: .edit, from: record.state)
        try setState(next)
    }

    /// - Throws: `ConnectRefusal` with the rule `role` where the product is on sale and the actor
    ///   may not change that.
    func checkAvailabilityChange() throws {
        if record.state == .approved { try work.actor.require(.changeSale) }
    }

    /// Prices or availability are about to change: nobody reviews them, but where the product was
    /// sent back, that may be what was asked for.
    func beginSaleEdit() throws {
        guard record.state == .rejected || record.state == .developerActionNeeded else { return }
        try beginEdit()
        if let open = record.openRevision, let next = RevisionRules.table[.edit]?[open.state] {
            try work.revisions.setState(next, of: open.id, at: work.now)
        }
    }

    /// Texts are about to change.
    ///
    /// - Throws: `ConnectRefusal` with the rules `productState` or `revisionState`.
    func beginTextEdit() throws {
        try beginEdit()
        try TextRevisions(work).willChange(record.product, number: number)
    }

    /// Looks what is missing after a change, and moves product and revision accordingly.
    mutating func settle() throws {
        record = try Self.settle(number, work) ?? record
    }

    /// - Parameters:
    ///   - needsPicture: whether it is incomplete without the picture for reviewers.
    ///   - spoils: whether a product that lacks something becomes incomplete. False: it stays as it is.
    /// - Returns: the product as it is then; nil where there is none.
    static func settle(
        _ number: ProductNumber, needsPicture: Bool = true, spoils: Bool = true, _ work: UnitOfWork
    ) throws -> ProductRecord? {
        guard let record = try work.products.record(number) else { return nil }
        let isComplete = ProductCompleteness.missing(in: record, at: work.now)
            .allSatisfy { !needsPicture && $0.isForReview }
        guard isComplete || spoils else { return record }
        if let open = record.openRevision,
            let next = RevisionRules.table[isComplete ? .complete : .spoil]?[open.state]
        {
            try work.revisions.setState(next, of: open.id, at: work.now)
        }
        let state = ProductRules.state(after: record.state, isComplete: isComplete)
        if state != record.state {
            try work.catalog.setState(state, of: record.id, in: record.summary.app)
        }
        return try work.products.record(number)
    }

    private func setState(_ state: ProductState) throws {
        guard state != record.state else { return }
        try work.catalog.setState(state, of: record.id, in: app.id)
    }

    // MARK: Notes

    /// Writes into the audit log what was done to the product.
    func note(_ action: String, before: String? = nil, after: String? = nil) throws {
        try work.note(action, on: record.id.text, of: app.teamID, before: before, after: after)
    }
}

extension UnitOfWork {
    /// - Throws: `ConnectRefusal.notFound`, also for what the actor does not see, and for what its
    ///   publisher has deleted.
    func product(_ number: ProductNumber) throws -> EditedProduct {
        try productIfSeen(number).orNotFound("product", number.description)
    }

    /// As `product`, but gives nil where `product` throws `notFound`.
    func productIfSeen(_ number: ProductNumber) throws -> EditedProduct? {
        guard let record = try products.record(number), !record.product.isDeleted,
            let app = try catalog.app(record.summary.app), actor.sees(team: app.teamID)
        else { return nil }
        return EditedProduct(record, of: app, self)
    }
}
