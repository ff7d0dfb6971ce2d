import StoreModel

/// A version that takes steps, inside one transaction.
///
/// Each step checks the rules and writes; what follows for other versions and for the state
/// of the app's binary is written with it. Who may take the step is the caller's to check.
package struct VersionInProgress {
    package private(set) var version: AppVersion
    package let app: App
    private let work: UnitOfWork

    fileprivate init(_ version: AppVersion, of app: App, _ work: UnitOfWork) {
        self.version = version
        self.app = app
        self.work = work
    }

    /// Sends it to review.
    ///
    /// - Throws: `ConnectRefusal` with the rules `versionState`, `buildMissing`,
    ///   `whatsNewMissing` or `versionIncomplete`.
    package mutating func submit() throws {
        let next = try state(after: .submit)
        guard version.build != nil else {
            throw ConnectRefusal(
                .state, rule: "buildMissing", field: "build",
                "Version \(version.version) has no build.",
                help: "Upload a build (openstore build upload) and choose it.")
        }
        let isUpdate = try others().contains { $0.released != nil }
        guard !isUpdate || !version.whatsNew.isEmpty else {
            throw ConnectRefusal(
                .state, rule: "whatsNewMissing", field: "whatsNew",
                "Version \(version.version) does not say what is new.",
                help: "Customers of earlier versions read it: write it down.")
        }
        try checkReadiness()
        version.submitted = work.now
        try write(next)
    }

    /// Takes it out of review, or cancels the release.
    package mutating func withdraw() throws { try write(try state(after: .withdraw)) }

    package mutating func beginReview() throws { try write(try state(after: .beginReview)) }

    /// Approves it; it goes on sale unless the publisher wants to release it themself.
    ///
    /// - Throws: `ConnectRefusal` with the rules `versionState` or `versionIncomplete`.
    package mutating func approve() throws {
        let next = try state(after: .approve)
        try checkReadiness()
        try write(next)
        if version.releaseType == .afterApproval { try release() }
    }

    package mutating func reject() throws { try write(try state(after: .reject)) }

    /// Puts it on sale, in the place of the version before it.
    ///
    /// - Throws: `ConnectRefusal` with the rules `versionState` or `versionIncomplete`.
    package mutating func release() throws {
        let next = try state(after: .release)
        try checkReadiness()
        for var other in try others() where !other.state.isAhead {
            guard let replaced = AppVersionRules.steps[.replace]?[other.state] else { continue }
            other.state = replaced
            other.stateBeforeTakeDown = nil
            try work.appVersions.update(other)
        }
        version.released = work.now
        try write(next)
    }

    /// - Throws: `ConnectRefusal` with the rule `versionTakenDown` where the store has taken another version
    ///   from sale.
    func checkNotTakenDown() throws {
        guard let other = try others().first(where: { $0.state == .removedFromSale }) else {
            return
        }
        throw ConnectRefusal(
            .state, rule: "versionTakenDown", field: "state",
            "The store has taken version \(other.version) from sale.",
            help: "Ask the store's operator to release version \(version.version); or withdraw it, "
                + "let it be released after approval, and submit it again.")
    }

    package mutating func removeFromSale() throws { try write(try state(after: .removeFromSale)) }

    /// Puts it on sale again.
    ///
    /// - Throws: `ConnectRefusal` with the rules `versionState` or `versionIncomplete`.
    package mutating func returnToSale() throws {
        let next = try state(after: .returnToSale)
        try checkReadiness()
        try write(next)
    }

    package mutating func takeDown() throws {
        let next = try state(after: .takeDown)
        version.stateBeforeTakeDown = version.state
        try write(next)
    }

    /// Lets it be sold again; what its publisher had off sale goes back there.
    package mutating func reinstate() throws {
        let next = try state(after: .reinstate)
        let earlier = version.stateBeforeTakeDown
        version.stateBeforeTakeDown = nil
        try write(earlier ?? next)
    }

    /// Changes number, texts or the way of release.
    mutating func edit(_ change: (inout AppVersion) -> Void) throws {
        let next = try state(after: .edit)
        change(&version)
        try write(next)
    }

    /// Makes one of its builds the one that is reviewed and sold.
    mutating func choose(_ build: AppBuildID?) throws {
        let next = try state(after: .chooseBuild)
        version.build = build
        try write(next)
    }

    /// Takes it away with its builds.
    mutating func delete() throws {
        _ = try state(after: .delete)
        try work.appVersions.delete(version.id)
        try deriveBinaryState()
    }

    /// What is missing before it can go on sale.
    func missing() throws -> [ReleaseRequirement] {
        try work.releaseReadiness(of: version, app).missing
    }

    private func checkReadiness() throws {
        try work.releaseReadiness(of: version, app).check(version.version)
    }

    func state(after step: AppVersionStep) throws -> AppVersionState {
        try AppVersionRules.state(of: version.version.text, in: version.state, after: step)
    }

    /// The other versions of its platform.
    func others() throws -> [AppVersion] {
        try work.appVersions.versions(of: app.id).filter {
            $0.platform == version.platform && $0.id != version.id
        }
    }

    private mutating func write(_ state: AppVersionState) throws {
        version.state = state
        try work.appVersions.update(version)
        try deriveBinaryState()
    }

    private func deriveBinaryState() throws {
        let versions = try work.appVersions.versions(of: app.id)
        let state = AppVersionRules.binaryState(of: versions.map(\.state))
        // Each change of the app makes devices' part of the catalog be read again.
        let earlier = try work.catalog.app(app.id)?.binaryState
        let isChanged = earlier != state
        if isChanged { try work.apps.setBinaryState(state, of: app.id) }
        guard isChanged || version.released != nil,
            let app = try work.catalog.app(app.id)
        else { return }
        try AppListing(of: app, work).follow(
            isSaleChanged: (earlier == .readyForSale) != (state == .readyForSale))
    }
}

extension UnitOfWork {
    /// A version of an app.
    ///
    /// - Throws: `ConnectRefusal.notFound`, also where the actor does not see its team.
    package func version(_ id: AppVersionID) throws -> VersionInProgress {
        guard let version = try appVersions.version(id), let app = try catalog.app(version.app),
            actor.sees(team: app.teamID)
        else { throw ConnectRefusal.notFound("version", id.text) }
        return VersionInProgress(version, of: app, self)
    }
}
