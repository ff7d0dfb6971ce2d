import StoreModel

/// A product that takes the steps of review and sale, inside one transaction.
///
/// A step moves the product, the revision of its texts and the version of its content that
/// go through review together, writes the audit log, and tells devices where owners get
/// something new.
struct ReviewedProduct {
    let app: App
    private(set) var record: ProductRecord
    private let work: UnitOfWork

    /// Reads a product.
    ///
    /// - Throws: `ConnectRefusal.notFound` where the app has no such product.
    init(_ id: ProductID, of app: App, in work: UnitOfWork) throws {
        guard let number = try work.products.number(of: id, in: app.id),
            let record = try work.products.record(number), !record.product.isDeleted
        else { throw ConnectRefusal.notFound("product", id.text) }
        self.app = app
        self.record = record
        self.work = work
    }

    private var id: ProductID { record.id }
    private var state: ProductState { record.product.details.state }

    /// Whether only its next revision and its next content go through review.
    private var isSettled: Bool { state == .approved || state.isRemovedFromSale }

    // MARK: Submitting

    /// Sends what there is to be reviewed on its way.
    ///
    /// - Returns: what goes with it, for the submission.
    /// - Throws: `ConnectRefusal` with the rules `productState`, `reviewPending`,
    ///   `productIncomplete`, `contentMissing` or `nothingToSubmit`.
    mutating func submit(checksCompleteness: Bool = true) throws -> SubmissionItemDraft {
        if let open = try work.submissions.openItem(of: id, in: app.id) {
            throw ConnectRefusal(
                .state, rule: "reviewPending", field: "state",
                "\(id) is with the reviewers already, in submission \(open.submission).",
                help: "Wait for the decision, or take that submission back.")
        }
        if state == .missingMetadata || state == .waitingForUpload && checksCompleteness {
            // Names all that is missing; the state says only that something is.
            try checkCompleteness()
            // For the machine all of it was the picture, which it can do without.
            if work.actor.kind == .machine, state == .missingMetadata {
                try set(ProductRules.state(after: state, isComplete: true))
                try reload()
            }
        }
        let next = try ProductRules.state(of: id, after: .submit, from: state)
        if checksCompleteness { try checkCompleteness() }
        let content = try contentToSubmit()
        let revision = try revisionToSubmit(with: content)
        guard content != nil || revision != nil else {
            throw ConnectRefusal(
                .state, rule: "nothingToSubmit",
                "Everything of \(id) is approved: there is nothing new to review.",
                help: "Change its texts, or upload a newer version of its content.")
        }
        if let content { try move(content, .submit, message: nil) }
        if let revision {
            try work.revisions.setTexts(record.product.details.texts, of: revision.id)
            try work.revisions.setState(.waitingForReview, of: revision.id, at: work.now)
        }
        let earlier = state
        try set(next)
        try log(.submit, from: earlier)
        try reload()
        return SubmissionItemDraft(
            subject: .product(id), product: record.number, name: id.text,
            content: content?.version, revision: revision?.number,
            snapshot: ProductSnapshot(record, content: content))
    }

    private func checkCompleteness() throws {
        // Whoever owns the store's machine can do without a picture of where the app offers it.
        let missing = ProductCompleteness.missing(in: record, at: work.now)
            .filter { work.actor.kind != .machine || !$0.isForReview }
        guard !missing.isEmpty else { return }
        throw ConnectRefusal(
            .state, rule: "productIncomplete", field: missing.first?.section.rawValue,
            "\(id) is not complete.", help: missing.map(\.sentence).joined(separator: " "))
    }

    /// The newest version that is ready. A product that was never approved is not submitted
    /// without one, where the store hosts its content.
    private func contentToSubmit() throws -> ContentRelease? {
        guard record.product.hostsContent else { return nil }
        let ready = record.product.releases
            .filter { $0.state == .readyToSubmit && !$0.isRetired }
            .max { $0.version < $1.version }
        // An older one than what customers have is not worth a review.
        let approved = record.product.currentRelease(in: .production)?.version
        if let ready, approved.map({ $0 < ready.version }) ?? true { return ready }
        guard isSettled else {
            throw ConnectRefusal(
                .state, rule: "contentMissing", field: "content",
                "\(id) has no version of its content that is ready to be submitted.",
                help: "Upload one first (openstore content upload).")
        }
        return nil
    }

    /// The revision of the texts; the first one begins here.
    ///
    /// - Parameter content: the version of its content that goes along.
    private func revisionToSubmit(with content: ContentRelease?) throws -> ProductRevision? {
        guard let open = record.openRevision else {
            guard !isSettled else { return nil }
            return try work.revisions.insert(
                of: record.number, state: .readyForReview, texts: [:], at: work.now)
        }
        // What was rejected must have changed: that a product is ready to submit shows it.
        let state =
            try isSettled && !wasChanged(with: content)
            ? open.state : RevisionRules.table[.edit]?[open.state] ?? open.state
        // Complete, or nobody would have come here.
        let ready = RevisionRules.table[.complete]?[state] ?? state
        if RevisionRules.table[.submit]?[ready] != nil { return open }
        // Rejected texts stay as they are while newer content goes alone.
        guard content == nil else { return nil }
        _ = try RevisionRules.state(of: id.text, after: .submit, from: ready)
        return nil
    }

    /// Whether reviewers would see another revision than the last time.
    private func wasChanged(with content: ContentRelease?) throws -> Bool {
        guard
            let last = try work.submissions.items(of: id, in: app.id, limit: 1).first
        else { return true }
        let now = ProductSnapshot(record, content: content)
        return try work.submissions.snapshot(of: last.id)?.hasRevision(of: now) != true
    }

    /// Gets a product to where it can be submitted, whatever reviewers would miss: what was
    /// rejected counts as changed.
    ///
    /// - Returns: whether there is something new to submit.
    mutating func becomeReady() throws -> Bool {
        if let edited = ProductRules.table[.edit]?[state], edited != state { try set(edited) }
        try reload()
        if let open = record.openRevision,
            let edited = RevisionRules.table[.edit]?[open.state], open.state == .rejected
        {
            try work.revisions.setState(edited, of: open.id, at: work.now)
        }
        try set(ProductRules.state(after: state, isComplete: true))
        try reload()
        guard isSettled else { return true }
        return try contentToSubmit() != nil || record.openRevision != nil
    }

    // MARK: Deciding

    /// Moves what was submitted one step on.
    ///
    /// - Parameters:
    ///   - item: what was submitted of the product.
    ///   - message: what the reviewer said.
    mutating func take(_ step: ProductStep, _ item: SubmissionItem, message: String? = nil) throws {
        let earlier = state
        // What its publisher deleted or changed meanwhile can't have been submitted.
        let next = try ProductRules.state(of: id, after: step, from: earlier)
        let content = item.content.flatMap { version in
            record.product.releases.first { $0.version == version }
        }
        if let content { try move(content, step, message: message) }
        if let number = item.revision,
            let revision = try work.revisions.revisions(of: record.number)
                .first(where: { $0.number == number })
        {
            try move(revision, step)
        }
        try set(next)
        try log(step, from: earlier, note: message)
        try reload()
        if content != nil, step == .approve || step == .approveBinary { try tell() }
    }

    private func move(_ content: ContentRelease, _ step: ProductStep, message: String?) throws {
        guard let next = HostingRules.releases[step]?[content.state] else {
            throw ConnectRefusal(
                .state, rule: "contentState", field: "content",
                "Version \(content.version) of the content of \(id) is in the state "
                    + "\(content.state.rawValue) and can't be \(step.participle) now.",
                help: "Submit its newest version.")
        }
        try work.content.setState(
            next, message: message, of: content.version, of: id, in: app.id, at: work.now)
    }

    private func move(_ revision: ProductRevision, _ step: ProductStep) throws {
        let next = try RevisionRules.state(of: id.text, after: step, from: revision.state)
        if next == .approved, let onSale = try work.revisions.onSale(of: record.number),
            let replaced = RevisionRules.superseded[onSale.state]
        {
            try work.revisions.setState(replaced, of: onSale.id, at: work.now)
        }
        try work.revisions.setState(next, of: revision.id, at: work.now)
    }

    // MARK: Sale

    /// Takes it from sale, or puts it back.
    ///
    /// - Parameter reason: what the store tells the publisher; empty for the publisher's own
    ///   changes.
    mutating func change(sale step: ProductStep, reason: String) throws {
        let earlier = state
        var next = try ProductRules.state(of: id, after: step, from: earlier)
        // What its publisher had off sale before the store took it goes back there.
        if step == .reinstate,
            let takenDown = try work.submissions.saleChanges(of: id, in: app.id, limit: 1)
                .first, takenDown.step == .takeDown
        {
            next = takenDown.before
        }
        try set(next)
        try work.submissions.insert(
            SaleChange(
                step: step, before: earlier, after: next, reason: reason,
                actor: ReviewParty(work.actor), date: work.now), of: record.number)
        try log(step, from: earlier, note: reason.isEmpty ? nil : reason)
        try reload()
    }

    // MARK: Writing

    private func set(_ next: ProductState) throws {
        guard next != state else { return }
        try work.catalog.setState(next, of: id, in: app.id)
    }

    private mutating func reload() throws {
        guard let record = try work.products.record(record.number) else { return }
        self.record = record
    }

    private func log(_ step: ProductStep, from earlier: ProductState, note: String? = nil) throws {
        let after = try work.products.summary(record.number)?.state ?? earlier
        try work.note(
            "product.\(step.rawValue)", on: id.text, of: app.teamID, before: earlier.rawValue,
            after: note.map { "\(after.rawValue): \($0)" } ?? after.rawValue)
    }

    /// Lets devices know that owners get another version.
    private func tell() throws {
        try work.events.append(
            DeviceEventDraft(
                audience: .everyone(.production), app: app.id, kind: .contentVersion(id)),
            at: work.now)
    }
}
