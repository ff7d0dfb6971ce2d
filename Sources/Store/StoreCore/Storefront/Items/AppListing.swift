import Foundation
import StoreModel

/// Keeps the item of an app in step with the app: the storefront, searches and lookups know apps
/// by their items only.
///
/// Its publisher makes the item, as a draft, before the first version is submitted, and goes on
/// maintaining it. The item goes on sale with the version; version, release notes, size and bundle
/// identifier follow the app. An app that was on sale before the store had a storefront gets an
/// item of what the app and its version say.
struct AppListing {
    private let app: App
    private let work: UnitOfWork

    init(of app: App, _ work: UnitOfWork) {
        self.app = app
        self.work = work
    }

    /// - Parameters:
    ///   - isSaleChanged: whether the app went on or from sale just now. Only then does a draft go on
    ///     sale, does an item come back that its publisher removed, and does an imported item go from
    ///     sale whose app was never sold. An item that the store's staff took down stays down.
    ///   - formerName: what the app was called before; an item of that title is renamed too.
    func follow(isSaleChanged: Bool, formerName: String? = nil) throws {
        let known = try work.items.item(ItemID(number: app.id.number))
        guard app.binaryState == .readyForSale else {
            guard isSaleChanged, var item = known, item.state == .onSale else { return }
            item.state = .removed
            return try work.items.update(item, at: work.now)
        }
        guard var item = known else { return try list() }
        let before = item
        try describe(&item.details)
        if isSaleChanged, item.takenDown == nil { item.state = .onSale }
        if let formerName {
            for (locale, text) in item.details.texts where text.title == formerName {
                item.details.texts[locale]?.title = app.name
            }
        }
        if item != before { try work.items.update(item, at: work.now) }
    }

    private func list() throws {
        let versions = try onSale()
        let isForMac = !versions.isEmpty && versions.allSatisfy { $0.platform == .macOS }
        let kind: ItemKind = isForMac ? .macSoftware : .software
        let locale = try work.apps.record(app.id)?.primaryLocale ?? .americanEnglish
        var details = ItemDetails(
            kind: kind, title: app.name, genres: [], primaryLocale: locale.catalogSpelling)
        details.app = app.id
        details.facts.languages = [String(locale.text.prefix { $0 != "-" }).uppercased()]
        try describe(&details)
        _ = try work.items.insert(
            details, id: ItemID(number: app.id.number), of: app.teamID, state: .onSale, at: work.now
        )
    }

    /// What the app and the version on sale say.
    private func describe(_ details: inout ItemDetails) throws {
        details.bundleID = app.bundleID.text
        if details.artist == nil { details.artist = try developer().id }
        guard let version = try onSale().first else { return }
        let versions = try work.appVersions.versions(of: app.id)
        details.releaseDate =
            details.releaseDate ?? versions.compactMap(\.released).min() ?? work.now
        details.facts.version = version.version.text
        details.facts.versionDate = version.released
        details.texts[details.primaryLocale]?.releaseNotes = version.whatsNew
        if let build = try version.build.flatMap({ try work.appVersions.build($0) }) {
            details.facts.fileSize = build.size
        }
    }

    /// Versions that customers get, the one for Linux first.
    private func onSale() throws -> [AppVersion] {
        try work.appVersions.versions(of: app.id)
            .filter { $0.state == .readyForSale }
            .sorted { $0.platform == .linux && $1.platform != .linux }
    }

    private func developer() throws -> Artist {
        let name = try work.catalog.team(app.teamID)?.name ?? app.name
        if let known = try work.items.artist(
            named: name, type: .softwareArtist, of: app.teamID)
        {
            return known
        }
        let artist = Artist(
            id: ArtistID(number: 0), team: app.teamID, name: name, type: .softwareArtist)
        return try work.items.insert(artist, isNumbered: false)
    }
}

extension ItemService {
    /// Lists apps that were on sale before the store had a storefront.
    ///
    /// - Returns: how many there were.
    package func listApps() async throws -> Int {
        var count = 0
        while true {
            let listed = try await shop.write { work in
                let apps = try work.items.unlistedApps(limit: 100)
                for id in apps {
                    guard let app = try work.catalog.app(id) else { continue }
                    try AppListing(of: app, work).follow(isSaleChanged: true)
                }
                return apps.count
            }
            count += listed
            if listed == 0 { return count }
        }
    }
}
