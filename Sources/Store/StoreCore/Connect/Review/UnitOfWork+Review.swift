import StoreModel

// Submissions and what is decided about them.
//
// Who may take a step at all is the caller's to check; that nobody reviews what they have submitted
// themself is checked here.
extension UnitOfWork {
    // MARK: The publisher's side

    /// Submits products of an app together, alone or with a version of the app.
    ///
    /// - Throws: `ConnectRefusal`, with nothing submitted.
    func submit(
        _ products: [ProductID], version: AppVersionID?, of app: App,
        checksCompleteness: Bool = true
    ) throws -> Submission {
        guard !products.isEmpty || version != nil else {
            throw SubmissionRules.nothingChosen
        }
        guard products.count <= SubmissionRules.largestSubmission else {
            throw ConnectRefusal(
                .tooMany, rule: "submissionSize", field: "items",
                "\(products.count) products are too many for one submission.",
                help: "Submit at most \(SubmissionRules.largestSubmission) at a time.")
        }
        guard Set(products).count == products.count else {
            throw ConnectRefusal(
                .invalid, rule: "submissionTwice", field: "items", "A product was chosen twice.",
                help: "Name each product once.")
        }
        var items: [SubmissionItemDraft] = []
        var refusals: [ConnectRefusal] = []
        func add(_ item: () throws -> SubmissionItemDraft) throws {
            do { items.append(try item()) } catch let refusal as ConnectRefusal {
                refusals.append(refusal)
            }
        }
        if let version { try add { try submit(version, of: app) } }
        for id in products {
            try add {
                var product = try reviewed(id, of: app)
                return try product.submit(checksCompleteness: checksCompleteness)
            }
        }
        if let refusal = Self.joined(refusals) { throw refusal }
        let id = try submissions.insert(items, of: app, by: ReviewParty(actor), at: now)
        return try submission(id)
    }

    /// All that keeps a submission from being made, so that it can be put right at once; nil where
    /// nothing does.
    private static func joined(_ refusals: [ConnectRefusal]) -> ConnectRefusal? {
        guard let first = refusals.first, refusals.count > 1 else { return refusals.first }
        let shown = refusals.prefix(20).map { "\($0.problem) \($0.help)" }
        let more = refusals.count - shown.count
        return ConnectRefusal(
            first.kind, rule: first.rule, field: first.field,
            "\(refusals.count) parts of the submission are not ready, and nothing was submitted.",
            help: shown.joined(separator: " ") + (more > 0 ? " And \(more) more." : ""))
    }

    private func submit(_ id: AppVersionID, of app: App) throws -> SubmissionItemDraft {
        var version = try self.version(id)
        guard version.app.id == app.id else {
            throw ConnectRefusal.notFound("version", id.text)
        }
        let earlier = version.version
        try version.submit()
        let name = "Version \(version.version.version)"
        try log(.submit, version, from: earlier)
        return SubmissionItemDraft(subject: .version(id), name: name)
    }

    /// Takes back a submission that nobody looks at yet.
    func withdraw(_ id: SubmissionID) throws -> Submission {
        let submission = try submission(id)
        _ = try SubmissionRules.state(after: .withdraw, from: submission.state)
        for item in submission.items where item.state.isOpen {
            try take(.withdraw, item, in: submission)
        }
        return try completed(id)
    }

    /// Takes back one thing out of a submission. Products that came with a version go back
    /// with it.
    func withdraw(_ item: SubmissionItem) throws -> Submission {
        let submission = try submission(item.submission)
        try take(.withdraw, item, in: submission)
        if item.isVersion { try follow(item, .rejectBinary, in: submission) }
        return try completed(submission.id)
    }

    /// Takes back a version of an app, also while it is reviewed; cancels the release of one
    /// that is approved.
    func withdraw(version id: AppVersionID) throws -> AppVersion {
        var version = try self.version(id)
        if let item = try submissions.openItem(of: id) {
            _ = try withdraw(item)
            return try self.version(id).version
        }
        let earlier = version.version
        try version.withdraw()
        try log(.withdraw, version, from: earlier)
        return version.version
    }

    // MARK: The reviewer's side

    /// Takes a submission on: its review begins, or goes on by somebody else.
    func claim(_ id: SubmissionID) throws -> Submission {
        var submission = try submission(id)
        try checkReviewer(of: submission)
        submission.state = try SubmissionRules.state(after: .claim, from: submission.state)
        submission.claimant = ReviewParty(actor)
        submission.changed = now
        for item in submission.items where item.state == .waitingForReview {
            try take(.beginReview, item, in: submission)
        }
        try submissions.update(submission)
        return try self.submission(id)
    }

    /// Decides about one of the things in a submission.
    ///
    /// A product beside a version that is not decided yet waits for it. When the version is
    /// approved, so are the products that wait; when it is rejected, products that are not
    /// decided go back to their publisher as they are.
    func decide(_ decision: ReviewDecision, on id: SubmissionItemID) throws -> Submission {
        let submission = try submission(with: id)
        guard let item = submission.items.first(where: { $0.id == id }) else {
            throw ConnectRefusal.notFound("review item", id.description)
        }
        try checkReviewer(of: submission)
        _ = try SubmissionRules.state(after: .decide, from: submission.state)
        try checkClaim(of: submission)
        let message = try decision.message()
        let step = try step(of: decision, on: item, in: submission)
        try take(step, item, in: submission, message: message)
        if item.isVersion {
            try follow(item, step == .approve ? .approveBinary : .rejectBinary, in: submission)
        }
        return try completed(submission.id)
    }

    /// Approves what of a product is with the reviewers.
    ///
    /// - Returns: whether there was something.
    func approvePending(_ id: ProductID, of app: App) throws -> Bool {
        guard let item = try submissions.openItem(of: id, in: app.id) else {
            return false
        }
        let submission = try claim(item.submission)
        guard let item = submission.items.first(where: { $0.id == item.id }),
            item.state == .inReview
        else { return false }
        _ = try decide(.approve, on: item.id)
        return true
    }

    /// Approves products without anybody's review, as an import by the store's owner does.
    ///
    /// What has nothing new is passed over.
    func approveAtOnce(_ products: [ProductID], of app: App) throws {
        var fresh: [ProductID] = []
        for id in products {
            var product = try reviewed(id, of: app)
            if try product.becomeReady() { fresh.append(id) }
        }
        for start in stride(from: 0, to: fresh.count, by: SubmissionRules.largestSubmission) {
            let part = fresh[start..<min(fresh.count, start + SubmissionRules.largestSubmission)]
            let submission = try claim(
                try submit(Array(part), version: nil, of: app, checksCompleteness: false).id)
            for item in submission.items { try take(.approve, item, in: submission) }
            try complete(submission.id)
        }
    }

    private func step(
        of decision: ReviewDecision, on item: SubmissionItem, in submission: Submission
    ) throws -> ProductStep {
        switch decision {
        case .approve:
            let waits = submission.items.contains { $0.isVersion && $0.state.isOpen }
            return !item.isVersion && waits ? .awaitBinary : .approve
        case .reject: return .reject
        case .askDeveloper:
            guard !item.isVersion else {
                throw ConnectRefusal(
                    .invalid, rule: "versionDecision", field: "decision",
                    "A version of an app is approved or rejected.",
                    help: "Reject it with a message that says what to do.")
            }
            return .askDeveloper
        }
    }

    /// Moves the products that came with a version.
    private func follow(
        _ version: SubmissionItem, _ step: ProductStep, in submission: Submission
    ) throws {
        for other in submission.items where other.id != version.id {
            guard SubmissionRules.items[step]?[other.state] != nil else { continue }
            try take(step, other, in: submission)
        }
    }

    /// Moves an item, and what it stands for.
    private func take(
        _ step: ProductStep, _ item: SubmissionItem, in submission: Submission,
        message: String? = nil
    ) throws {
        let next = try SubmissionRules.state(of: item.name, after: step, from: item.state)
        switch item.subject {
        case .product(let id):
            var product = try reviewed(id, of: try app(submission.app))
            try product.take(step, item, message: message)
        case .version(let id):
            var version = try self.version(id)
            let earlier = version.version
            switch step {
            case .withdraw: try version.withdraw()
            case .beginReview: try version.beginReview()
            case .approve: try version.approve()
            default: try version.reject()
            }
            try log(step, version, from: earlier, message: message)
        }
        let isDecision = step != .withdraw && step != .beginReview
        var item = item
        item.state = next
        item.message = message
        item.decider = isDecision ? ReviewParty(actor) : nil
        item.decided = isDecision ? now : nil
        try submissions.update(item)
    }

    private func completed(_ id: SubmissionID) throws -> Submission {
        let submission = try submission(id)
        guard submission.items.allSatisfy({ !$0.state.isOpen }) else { return submission }
        return try complete(id)
    }

    @discardableResult
    private func complete(_ id: SubmissionID) throws -> Submission {
        var submission = try submission(id)
        submission.state = try SubmissionRules.state(after: .complete, from: submission.state)
        submission.changed = now
        try submissions.update(submission)
        return try self.submission(id)
    }

    // MARK: Who

    /// Nobody reviews what they have submitted themself: other eyes see more. Whoever owns the
    /// store's machine may, and the only person of its staff, because nobody else could.
    private func checkReviewer(of submission: Submission) throws {
        let party = ReviewParty(actor)
        guard submission.submitter == party, actor.kind != .machine,
            try submissions.reviewers(otherThan: party) > 0
        else { return }
        throw ConnectRefusal(
            .forbidden, rule: "ownSubmission",
            "\(party.name) has submitted this, and can't review it too.",
            help: actor.isKey
                ? "Sign in as a person of the store's staff (openstore login), and decide."
                : "Ask somebody else of the store's staff.")
    }

    private func checkClaim(of submission: Submission) throws {
        guard let claimant = submission.claimant, claimant != ReviewParty(actor),
            actor.kind != .machine
        else { return }
        throw ConnectRefusal(
            .state, rule: "claimedByOther", field: "state",
            "The submission is being reviewed by \(claimant.name).",
            help: "Take it over by claiming it, then decide.")
    }

    // MARK: Reading

    /// - Throws: `ConnectRefusal.notFound`, also for what the actor does not see.
    func submission(_ id: SubmissionID) throws -> Submission {
        guard let submission = try submissions.submission(id),
            actor.sees(team: submission.team)
        else { throw ConnectRefusal.notFound("submission", id.description) }
        return submission
    }

    /// The submission that something is in.
    ///
    /// - Throws: `ConnectRefusal.notFound`, also for what the actor does not see.
    func submission(with item: SubmissionItemID) throws -> Submission {
        guard let submission = try submissions.submission(with: item),
            actor.sees(team: submission.team)
        else { throw ConnectRefusal.notFound("review item", item.description) }
        return submission
    }

    private func reviewed(_ id: ProductID, of app: App) throws -> ReviewedProduct {
        try ReviewedProduct(id, of: app, in: self)
    }

    private func log(
        _ step: ProductStep, _ version: VersionInProgress, from earlier: AppVersion,
        message: String? = nil
    ) throws {
        let after = version.version.summary
        try note(
            "version.\(step.rawValue)", on: version.version.subject(in: version.app),
            of: version.app.teamID, before: earlier.summary,
            after: message.map { "\(after): \($0)" } ?? after)
    }
}
