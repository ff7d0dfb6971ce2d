import StoreModel

/// The groups that an app's subscriptions are in, inside one transaction: each of them is a kept
/// resource, which its publisher can rename and give texts.
struct SubscriptionGroups {
    private let app: App
    private let work: UnitOfWork

    init(of app: App, _ work: UnitOfWork) {
        self.app = app
        self.work = work
    }

    /// The group with a name, made where there is none.
    ///
    /// - Parameter id: of the group where it is made; no group has it yet.
    func group(named name: String, id: String) throws -> KeptResource {
        let known = try work.kept.resource(.subscriptionGroups, named: name, of: app.id)
        return try known
            ?? KeptService.insert(
                KeptDraft(
                    kind: .subscriptionGroups, id: id,
                    attributes: ["referenceName": .text(name)]),
                to: app, work)
    }

    /// The terms that a file gives, with the group that the app has for theirs: the one with the
    /// file's identifier, else the one with its name, else a new one.
    func adopt(_ terms: SubscriptionTerms) throws -> SubscriptionTerms {
        let group = try known(terms) ?? group(named: Self.name(of: terms), id: free(terms.groupID))
        var terms = terms
        terms.groupID = group.id
        terms.groupName = group.name
        return terms
    }

    private func known(_ terms: SubscriptionTerms) throws -> KeptResource? {
        let group = try work.kept.resource(.subscriptionGroups, terms.groupID)
        return group?.app == app.id ? group : nil
    }

    private static func name(of terms: SubscriptionTerms) -> String {
        terms.groupName.isEmpty ? terms.groupID : terms.groupName
    }

    /// The identifier that a file gives a group, or one made of it where another app has this
    /// group already: the same file may be imported for both.
    private func free(_ id: String) throws -> String {
        var id = id
        while try work.kept.resource(.subscriptionGroups, id) != nil {
            id += "-\(app.id.number)"
        }
        return id
    }
}
