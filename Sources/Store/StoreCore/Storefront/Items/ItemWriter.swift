import Foundation
import StoreModel

/// A step that changes items of a team, in the midst of its transaction.
struct ItemWriter {
    let work: UnitOfWork
    let team: Int64
    /// Whether many items are written in one step: the caller checks what keeps them from being
    /// sold, since their files follow, and the audit log gets one entry, which is the caller's.
    var isQuiet = false

    init(_ work: UnitOfWork, team: Int64) {
        self.work = work
        self.team = team
    }

    // MARK: Items

    /// Adds an item with checked details.
    mutating func create(_ details: ItemDetails, id: ItemID?, state: ItemState) throws -> Item {
        var details = details
        let number = try number(for: &details, id: id)
        try checkSale(state, of: details)
        try check(details, of: number)
        let item = try work.items.insert(details, id: number, of: team, state: state, at: work.now)
        if !isQuiet { try checkObstacle(item) }
        try note("item.create", item, after: "\(details.kind.title) \(quoted(details.title))")
        return item
    }

    /// Gives an item checked details and a state.
    ///
    /// - Parameter state: nil leaves it as it is. A publisher can't put back what the store's staff removed.
    mutating func change(
        _ item: Item, to details: ItemDetails, state: ItemState? = nil
    ) throws -> Item {
        guard details.kind == item.details.kind, details.app == item.details.app else {
            throw ConnectRefusal(
                .invalid, rule: "kindChanged", field: "kind",
                "The item \(item.id) is a \(item.details.kind.title) and stays one.",
                help: "Make a new item instead.")
        }
        try check(details, of: item.id)
        var changed = item
        changed.details = details
        if let state { try set(state, of: &changed) }
        guard changed != item else { return item }
        try work.items.update(changed, at: work.now)
        changed.changed = work.now
        // What is on sale already stays: it is only not sold until the obstacle is gone.
        if !isQuiet, changed.state != item.state || details.prices != item.details.prices {
            try checkObstacle(changed)
        }
        try noteState(of: changed, before: item)
        if details != item.details {
            try note(
                "item.update", changed, before: quoted(item.details.title),
                after: quoted(details.title))
        }
        return changed
    }

    private func set(_ state: ItemState, of item: inout Item) throws {
        // A list that staff import says what its publisher wants: it neither takes down nor puts back.
        if isQuiet, item.takenDown != nil, work.actor.allows(.operate) { return }
        if state != item.state {
            try checkSale(state, of: item.details)
            if item.takenDown != nil, !work.actor.allows(.operate) {
                throw ConnectRefusal(
                    .state, rule: "itemTakenDown", field: "state",
                    "The store has taken the item \(item.id) from sale.",
                    help: "Ask the store's operator to put it back.")
            }
            item.takenDown = nil
        }
        item.state = state
        if state == .removed, work.actor.allows(.operate), !isQuiet {
            item.takenDown = item.takenDown ?? work.now
        }
    }

    private func noteState(of item: Item, before: Item) throws {
        if item.takenDown != before.takenDown {
            try note(
                item.takenDown == nil ? "item.reinstate" : "item.takeDown", item,
                before: before.state.rawValue, after: item.state.rawValue)
        } else if item.state != before.state {
            try note(
                "item.state", item, before: before.state.rawValue, after: item.state.rawValue)
        }
    }

    /// Nobody but the store's staff shows an app that was not reviewed.
    private func checkSale(_ state: ItemState, of details: ItemDetails) throws {
        guard let app = details.app, state == .onSale, !work.actor.allows(.operate),
            try work.catalog.app(app)?.binaryState != .readyForSale
        else { return }
        throw ConnectRefusal(
            .state, rule: "appNotOnSale", field: "state", "No version of the app is on sale.",
            help: "Release a version first.")
    }

    /// Nothing is put on sale that can't be sold.
    func checkObstacle(_ item: Item) throws {
        guard item.state == .onSale, let obstacle = try work.offerObstacle(of: item) else {
            return
        }
        throw obstacle.refusal(of: item.id)
    }

    /// The number of a new item; nil for one that the store gives.
    private func number(for details: inout ItemDetails, id: ItemID?) throws -> ItemID? {
        // An app of this store and its item are one and the same to whoever looks it up.
        if details.kind == .software || details.kind == .macSoftware, details.app == nil,
            let bundleID = details.bundleID.flatMap({ BundleID($0) }),
            let app = try work.catalog.app(bundleID)
        {
            guard app.teamID == team else {
                throw ConnectRefusal(
                    .taken, rule: "bundleIDTaken", field: "bundleId",
                    "\(bundleID) is the app of another team.",
                    help: "Use a bundle identifier of this team.")
            }
            details.app = app.id
        }
        if let app = details.app {
            let number = ItemID(number: app.number)
            guard let known = try work.catalog.app(app), known.teamID == team else {
                throw ConnectRefusal.notFound("app", String(app.number))
            }
            guard try work.items.item(number) == nil else {
                throw ConnectRefusal(
                    .taken, rule: "appListed", field: "bundleId",
                    "\(known.bundleID) stands in the storefront already, as item \(number).",
                    help: "Change that item.")
            }
            details.bundleID = known.bundleID.text
            return number
        }
        guard let id else { return nil }
        guard (1...Self.highestNumber).contains(id.number) else {
            throw ConnectRefusal(
                .invalid, rule: "itemNumber", field: "trackId",
                "\(id) can't be the number of an item.",
                help: "Give 1 to \(Self.highestNumber), or leave it out.")
        }
        if try work.items.isTaken(id.number) {
            throw ConnectRefusal(
                .taken, rule: "itemNumberTaken", field: "trackId",
                "\(id) is the number of something else in this store.",
                help: "Leave it out: the store gives the item another one.")
        }
        return id
    }

    /// As many as fit beside popularity into the numbers of the search's rows.
    static let highestNumber: Int64 = 1 << 40 - 1

    /// What an item refers to.
    private func check(_ details: ItemDetails, of id: ItemID?) throws {
        if let artist = details.artist {
            guard let known = try work.items.artist(artist), known.team == team else {
                throw ConnectRefusal.notFound("artist", artist.description)
            }
        }
        guard let parent = details.parent else { return }
        guard let kind = details.kind.parentKind else {
            throw ItemRules.refusal(
                "noParent", "collectionId",
                "An item of the kind \(details.kind.title) is not a part of another item.",
                "Leave out what it would be a part of.")
        }
        guard let whole = try work.items.item(parent), whole.team == team else {
            throw ConnectRefusal.notFound(kind.title.lowercased(), parent.description)
        }
        guard whole.details.kind == kind, whole.id != id else {
            throw ItemRules.refusal(
                "parentKind", "collectionId",
                "\(parent) is a \(whole.details.kind.title), not a \(kind.title).",
                "Name the \(kind.title.lowercased()) that it belongs to.")
        }
    }

    // MARK: Artists

    /// The artist of a name who makes items of a kind, made where there is none.
    func artist(named name: String, for kind: ItemKind) throws -> ArtistID {
        let type = ArtistType(makerOf: kind)
        let checked = try ItemRules.checked(
            Artist(id: ArtistID(number: 0), team: team, name: name, type: type))
        let known = try work.items.artist(named: checked.name, type: type, of: team)
        return try known?.id ?? create(checked, isNumbered: false).id
    }

    /// Adds a checked artist.
    func create(_ artist: Artist, isNumbered: Bool) throws -> Artist {
        if isNumbered {
            let number = artist.id.number
            guard (1...Self.highestNumber).contains(number),
                try !work.items.isTaken(number)
            else {
                throw ConnectRefusal(
                    .taken, rule: "artistNumberTaken", field: "artistId",
                    "\(number) is the number of something else in this store.",
                    help: "Leave it out: the store gives the artist another one.")
            }
        }
        let saved = try work.items.insert(artist, isNumbered: isNumbered)
        if isQuiet { return saved }
        try work.note("artist.create", on: saved.id.description, of: team, after: saved.name)
        return saved
    }

    private func note(_ action: String, _ item: Item, before: String? = nil, after: String) throws {
        if isQuiet { return }
        try work.note(action, on: item.id.description, of: team, before: before, after: after)
    }
}
