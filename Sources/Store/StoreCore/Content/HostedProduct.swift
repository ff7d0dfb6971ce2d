import Foundation
import StoreModel

/// A product that takes the steps of hosted content, inside one transaction.
///
/// Each step checks the rules, writes, and tells devices where owners get something new.
struct HostedProduct {
    let app: App
    private(set) var product: Product
    private let work: UnitOfWork

    init(_ product: Product, of app: App, _ work: UnitOfWork) {
        self.product = product
        self.app = app
        self.work = work
    }

    /// Reads a product.
    ///
    /// - Parameters:
    ///   - team: whose app it must be; nil for any.
    ///   - includesDeleted: whether it may be one that its publisher deleted.
    /// - Throws: `ContentRefusal` where the store has no such app or product.
    init(
        _ id: ProductID, of bundleID: BundleID, team: Int64? = nil, includesDeleted: Bool = false,
        _ work: UnitOfWork
    ) throws {
        guard let app = try work.catalog.app(bundleID), team == nil || team == app.teamID
        else { throw ContentRefusal.unknownApp(bundleID) }
        guard let product = try work.catalog.product(id, in: app.id),
            includesDeleted || !product.isDeleted
        else {
            throw ContentRefusal.unknownProduct(id, bundleID)
        }
        self.init(product, of: app, work)
    }

    private var id: ProductID { product.details.productID }
    private var state: ProductState { product.details.state }

    // MARK: Hosting

    /// Has the store host the content; changes nothing where it does already.
    mutating func host() throws {
        guard product.details.type == .nonConsumable else {
            throw ContentRefusal.notHostable(id, product.details.type)
        }
        guard !product.hostsContent else { return }
        guard !product.wasOnSale else { throw ContentRefusal.soldUnhosted(id) }
        let next = try productState(after: .host)
        try work.catalog.setHosting(true, of: id, in: app.id)
        product.hostsContent = true
        try set(next)
    }

    /// Takes hosting back; what testers had loaded stays theirs until it is collected.
    mutating func unhost() throws {
        guard product.hostsContent else { return }
        guard !product.wasOnSale else { throw ContentRefusal.soldHosted(id) }
        let next = try productState(after: .unhost)
        try work.catalog.setHosting(false, of: id, in: app.id)
        product.hostsContent = false
        try set(next)
        try settle()
        // What was sent back is not another product for having been hosted in between.
        guard state == .readyToSubmit || state == .missingMetadata,
            let record = try record(), record.openRevision?.state == .rejected,
            let last = try work.submissions.items(of: id, in: app.id, limit: 1).first,
            try work.submissions.snapshot(of: last.id)
                == ProductSnapshot(record, content: nil)
        else { return }
        try set(last.state == .developerActionNeeded ? .developerActionNeeded : .rejected)
    }

    // MARK: Packages

    /// Whether a package may come now.
    func checkReceiving() throws {
        guard product.details.type == .nonConsumable else {
            throw ContentRefusal.notHostable(id, product.details.type)
        }
        guard product.hostsContent else { throw ContentRefusal.notHosted(id) }
        _ = try productState(after: .receive)
    }

    /// A package is there, and is processed from now on.
    mutating func receive() throws {
        try checkReceiving()
        try set(try productState(after: .receive))
    }

    /// A package was refused: the product is what it was before, or what edits of its texts have made of it
    /// meanwhile.
    mutating func restore(_ earlier: ProductState) throws {
        guard state == .processingContent else { return }
        let open = try record()?.openRevision
        let isEdited = open.map { $0.state != .rejected } ?? false
        let next = isEdited ? ProductRules.table[.edit]?[earlier] ?? earlier : earlier
        try set(next)
        if next != earlier || next == .missingMetadata { try settle() }
    }

    /// The package has become a version.
    ///
    /// - Parameter bytes: its bytes, which were seen in the content store.
    /// - Throws: `ContentRefusal`, or `ContentFilesMissing` where not all of its bytes were seen,
    ///   or they are taken away.
    mutating func add(_ release: ContentRelease, bytes: BytePresence) throws {
        guard product.hostsContent else { throw ContentRefusal.notHosted(id) }
        try HostingRules.checkSuccession(of: release.version, to: product.releases, of: id)
        let next = try productState(after: .prepare)
        guard bytes.cover(release.digests) else {
            throw ContentFilesMissing(digests: release.digests)
        }
        try bytes.check(work)
        try work.content.insert(release, of: id, in: app.id, at: work.now)
        product.releases.append(release)
        try set(next)
        try settle()
        try tell(.sandbox)
    }

    private func productState(after step: ProductStep) throws -> ProductState {
        guard let next = ProductRules.table[step]?[state] else {
            throw ContentRefusal.wrongState(id, state, step)
        }
        return next
    }

    private func record() throws -> ProductRecord? {
        try work.products.number(of: id, in: app.id).flatMap {
            try work.products.record($0)
        }
    }

    /// Looks what is missing. What was imported and never edited goes without a picture for
    /// reviewers: whoever imports on the machine needs none.
    private mutating func settle() throws {
        guard let record = try record() else { return }
        let settled = try EditedProduct.settle(
            record.number, needsPicture: record.openRevision != nil, work)
        if let settled { product.details.state = settled.state }
    }

    private mutating func set(_ state: ProductState) throws {
        guard state != self.state else { return }
        try work.catalog.setState(state, of: id, in: app.id)
        product.details.state = state
    }

    /// Lets devices know that owners get another version.
    private func tell(_ environment: StoreEnvironment) throws {
        try work.events.append(
            DeviceEventDraft(
                audience: .everyone(environment), app: app.id, kind: .contentVersion(id)),
            at: work.now)
    }
}
