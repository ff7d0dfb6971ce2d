import StoreModel

/// Keeps what customers read apart from what a publisher is writing, inside one transaction.
///
/// The publisher's texts are the working copy. While there is an open revision, customers read
/// those of the revision on sale instead.
struct TextRevisions {
    private let work: UnitOfWork

    init(_ work: UnitOfWork) {
        self.work = work
    }

    /// The texts of a product are about to change: opens the revision that the change belongs
    /// to.
    ///
    /// - Throws: `ConnectRefusal` with the rule `revisionState` while reviewers have it.
    func willChange(_ product: Product, number: ProductNumber) throws {
        let revisions = work.revisions
        let open = try revisions.open(of: number)
        if product.wasOnSale, try revisions.onSale(of: number) == nil {
            // It was approved before there were revisions, or without review: what is there is
            // what customers read.
            if let open {
                try revisions.setTexts(product.details.texts, of: open.id)
                try revisions.setState(.approved, of: open.id, at: work.now)
            } else {
                _ = try revisions.insert(
                    of: number, state: .approved, texts: product.details.texts, at: work.now)
            }
        } else if let open {
            let next = try RevisionRules.state(
                of: product.details.productID.text, after: .edit, from: open.state)
            if next != open.state { try revisions.setState(next, of: open.id, at: work.now) }
            return
        }
        _ = try revisions.insert(of: number, state: .prepareForSubmission, texts: [:], at: work.now)
    }

    /// The texts of a product are about to be replaced by an import. It begins no revision of a product that was
    /// never on sale.
    func willChange(_ product: Product, in app: AppID) throws {
        guard let number = try work.products.number(of: product.details.productID, in: app)
        else { return }
        guard try product.wasOnSale || work.revisions.open(of: number) != nil else { return }
        try willChange(product, number: number)
    }
}
