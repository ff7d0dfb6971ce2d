import Foundation
import FoundationNetworking
import StoreDelivery
import StoreKernel
import StoreKit
import StoreModel
import StorePackage
import StoreSecurity
import StoreWire
import Synchronization

/// Brings an app from a store to this device, or a newer version of it.
///
/// Everything happens beside what is there; one rename makes the new version the one that counts.
struct AppInstaller: Sendable {
    private static let profileName = "embedded.storeprofile"

    /// What has become of it.
    struct Outcome: Sendable {
        let app: InstalledApp
        /// The version that counted before; nil where there was none.
        let before: InstalledApp?
        /// Whether a build was fetched: not where it was there already.
        let isNew: Bool
        /// Bytes that were fetched.
        let fetched: Int64
        /// What people should know.
        let notes: [String]
    }

    let folders: AppFolders
    let customer: Customer
    var retry = RetryPolicy.standard
    /// Hears of the bytes that are there, and of all.
    let progress: @Sendable (Int64, Int64) -> Void

    /// Installs what the store delivers of an app, while nobody else changes it.
    ///
    /// - Parameter artwork: the path of a picture, for formats that have none to be read.
    func install(_ number: Int64, _ id: BundleID, name: String?, artwork: String?) async throws
        -> Outcome
    {
        try await folders.whileLocked(id) {
            let app = folders.app(id)
            let before = app.current
            let (delivery, answer, profile) = try await self.delivery(of: number, id, before)
            if delivery.format == .flatpak { try FlatpakProgram.require() }
            app.sweep(keeping: delivery.manifestDigest.text)
            if let before, before.record.manifest == delivery.manifestDigest,
                before.record.version == delivery.version
            {
                try put(profile, into: before, try manifest(of: before))
                let notes = try await finish(before, in: app, profile)
                return Outcome(app: before, before: before, isNew: false, fetched: 0, notes: notes)
            }
            let (version, fetched) = try await fetch(delivery, answer, app, name, artwork, profile)
            try app.makeCurrent(version)
            guard let current = app.current else {
                throw CommandFailure(
                    description: "\(app.url.path) was changed while \(id) was installed; try again")
            }
            let notes = try await finish(current, in: app, profile)
            if let before, before.record.format == .flatpak, current.record.format != .flatpak {
                try await FlatpakProgram.uninstall(before)
            }
            app.sweep(before: before?.folder.lastPathComponent ?? "")
            return Outcome(
                app: current, before: before, isNew: true, fetched: fetched, notes: notes)
        }
    }

    // MARK: What is delivered

    private func delivery(
        of number: Int64, _ id: BundleID, _ before: InstalledApp?
    ) async throws -> (AppDeliveryPayload, AppDeliveryAnswer, DeviceProfile) {
        let answer = try await customer.withSession { session in
            try await customer.api.delivery(of: number, session: session)
        }
        let profile = try DeviceProfile(text: answer.profile, source: "of \(id)")
        guard profile.payload.bundleId == id else {
            throw SecurityError(.untrusted, "the profile is of \(profile.payload.bundleId)")
        }
        // The first app tells which root the store signs by; from then on it counts for all.
        let known = ([before].compactMap(\.self) + folders.installed).first {
            $0.record.store == customer.api.baseURL || $0.record.bundleID == id
        }
        if let known, known.record.root != profile.rootFingerprint {
            throw CommandFailure(
                description: "what answers at \(customer.api.baseURL) signs by another root than "
                    + "the store that \(known.record.bundleID) came from; nothing was changed. If "
                    + "the store says that it has a new root, uninstall its apps and install them "
                    + "again", exitCode: .refused)
        }
        let payload = try Self.verified(answer, profile, number, id)
        try customer.keepSession(for: profile)
        return (payload, answer, profile)
    }

    private static func verified(
        _ answer: AppDeliveryAnswer, _ profile: DeviceProfile, _ number: Int64, _ id: BundleID
    ) throws -> AppDeliveryPayload {
        let data = try profile.verifier.verify(
            answer.signedDelivery, type: SignedKind.appDelivery
        ) { data in
            Date(
                milliseconds: try WireCoding.decode(AppDeliveryPayload.self, from: data).signedDate)
        }
        let payload = try WireCoding.decode(AppDeliveryPayload.self, from: data)
        guard payload.appId == number, payload.bundleId == id.text else {
            throw SecurityError(.untrusted, "the delivery is of another app")
        }
        guard (1...DeliveryFetcher.longestManifest).contains(payload.manifestLength) else {
            throw SecurityError(.malformed, "the delivery has an impossible length")
        }
        return payload
    }

    // MARK: The version

    /// Fetches a build and moves it to its place, or finds it there.
    private func fetch(
        _ delivery: AppDeliveryPayload, _ answer: AppDeliveryAnswer, _ app: AppFolder,
        _ name: String?, _ artwork: String?, _ profile: DeviceProfile
    ) async throws -> (version: URL, fetched: Int64) {
        let folderName = "\(delivery.version)-\(delivery.manifestDigest.text.prefix(12))"
        if let there = app.version(folderName), there.record.manifest == delivery.manifestDigest {
            try put(profile, into: there, try manifest(of: there))
            return (there.folder, 0)
        }
        let grant = AppGrant(answer.grant) { [customer] in
            let renewed = try await customer.withSession { session in
                try await customer.api.delivery(of: delivery.appId, session: session)
            }
            let payload = try Self.verified(renewed, profile, delivery.appId, app.id)
            guard payload.manifestDigest == delivery.manifestDigest else {
                throw CommandFailure(
                    description: "another version of \(app.id) has come out meanwhile; start again",
                    exitCode: .later)
            }
            return renewed.grant
        }
        let first = Mutex<Int64?>(nil)
        let folder = DeliveryFolder(
            root: app.partial.appendingPathComponent(delivery.manifestDigest.text))
        let fetcher = DeliveryFetcher(
            folder: folder, retry: retry,
            // Nobody signs in meanwhile.
            isFinal: { RetryPolicy.isFinal($0) || ($0 as? WireError)?.code == .notSignedIn },
            progress: { [progress] done, total in
                first.withLock { $0 = $0 ?? done }
                progress(done, total)
            },
            transfer: { [api = customer.api] digest, bytes, accept, sink in
                try await grant.using {
                    try await api.content(
                        digest, bytes: bytes, grant: $0, accept: accept, sink: sink)
                }
            })
        let manifest = try await fetch(delivery, by: fetcher, reusing: app.all)
        let record = try await record(
            delivery, manifest, folder.content, app, name, artwork, profile)
        try folder.manifest.copy(
            to: ManifestFolder(url: folder.content.appendingPathComponent("manifest")))
        try put(profile, into: InstalledApp(folder: folder.content, record: record), manifest)
        try DurableFile.write(
            try JSONEncoder().encode(record),
            to: folder.content.appendingPathComponent(AppFolder.recordName), mode: 0o644)
        let place = try app.adopt(folder.content, as: folderName)
        folder.remove()
        return (place, manifest.chunksLength - (first.withLock { $0 } ?? 0))
    }

    private func fetch(
        _ delivery: AppDeliveryPayload, by fetcher: DeliveryFetcher,
        reusing installed: [InstalledApp]
    ) async throws -> DeliveryManifest {
        let outline = try await fetcher.trying {
            try await fetcher.outline(delivery.manifestDigest, length: delivery.manifestLength)
        }
        guard outline.contentIdentifier.text == delivery.bundleId,
            outline.version == delivery.version
        else { throw DeliveryError.manifest("it is the manifest of another app") }
        return try await fetcher.fetch(
            outline, reusing: installed.map { ($0.manifestFolder, $0.folder) },
            allowsExecutables: true)
    }

    /// What is known of a version: what the store has signed, and what its files say.
    private func record(
        _ delivery: AppDeliveryPayload, _ manifest: DeliveryManifest, _ folder: URL,
        _ app: AppFolder, _ name: String?, _ artwork: String?, _ profile: DeviceProfile
    ) async throws -> InstalledApp.Record {
        var record = InstalledApp.Record(
            store: customer.api.baseURL, number: delivery.appId, bundleID: app.id,
            name: name ?? app.id.text, version: delivery.version, build: delivery.build,
            format: delivery.format, manifest: delivery.manifestDigest,
            root: profile.rootFingerprint)
        let entries = manifest.entries.map { AppPackageEntry($0) }
        guard !delivery.format.isSingleFile else {
            record.program = delivery.format == .appImage ? entries.first?.path.text : nil
            // A picture of the storefront comes in the form that its name ends in; icons are PNG.
            let picture = artwork.map { "\($0.dropping(suffix: ".jpg") ?? $0[...])" }
                .map { $0.hasSuffix(scalars: ".png") ? $0 : $0 + ".png" }
            if let picture, let data = await customer.api.picture(picture),
                DesktopFiles.pictureSize(data) != nil
            {
                try DurableFile.write(
                    data, to: folder.appendingPathComponent("icon.png"), mode: 0o644)
                record.icons = ["icon.png"]
            }
            return record
        }
        var texts: [ContentPath: Data] = [:]
        for entry in entries
        where entry.kind == .file && AppDescription.reads(entry.path, bytes: entry.size) {
            texts[entry.path] = try Data(
                contentsOf: folder.appendingPathComponent(entry.path.text))
        }
        var reader = AppDescriptionReader(delivery.format, entries: entries, texts: texts)
        let description = reader.describe(expecting: app.id)
        guard let program = description.program else {
            throw CommandFailure(
                description:
                    "nothing says how \(app.id) is started; its publisher has to mend that",
                exitCode: .refused)
        }
        record.name = name ?? description.name ?? record.name
        record.program = program.text
        record.icons = description.icons.map(\.text)
        record.desktopEntry = description.desktopEntry?.text
        return record
    }

    private func manifest(of installed: InstalledApp) throws -> DeliveryManifest {
        guard let manifest = installed.manifestFolder.load() else {
            throw CommandFailure(
                description:
                    "\(installed.folder.path) is damaged; uninstall the app, and install it "
                    + "again")
        }
        return manifest
    }

    // MARK: The profile

    /// Puts the profile where the framework looks for it: beside the programs, and in the place of
    /// those that came with the package.
    private func put(
        _ profile: DeviceProfile, into installed: InstalledApp, _ manifest: DeliveryManifest
    ) throws {
        var folders: Set<String> = []
        for entry in manifest.entries {
            let isProfile = entry.path.components.last == Self.profileName[...]
            guard entry.isExecutable || isProfile, let parent = entry.path.parent else { continue }
            folders.insert(parent.text)
        }
        // Nobody's app has programs in so many places.
        for path in folders.sorted().prefix(256) {
            let folder = installed.folder.appendingPathComponent(path)
            var status = stat()
            guard lstat(folder.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                continue
            }
            let file = folder.appendingPathComponent(Self.profileName)
            let data = Data(profile.text.utf8)
            if (try? Data(contentsOf: file)) != data {
                try DurableFile.write(data, to: file, mode: 0o644)
            }
        }
    }

    /// What is done when a version counts: it is in the menu, and Flatpak has it.
    private func finish(
        _ installed: InstalledApp, in app: AppFolder, _ profile: DeviceProfile
    ) async throws -> [String] {
        if installed.record.format == .flatpak {
            // Not below the link: flatpak shows the sandbox files by their real places.
            let file = app.url.appendingPathComponent(Self.profileName)
            try DurableFile.write(Data(profile.text.utf8), to: file, mode: 0o644)
            try await FlatpakProgram.install(installed, profile: file)
        }
        return try DesktopFiles(folders: folders, app: app).make(for: installed)
    }
}

extension AppPackageEntry {
    /// What a manifest says of a file, folder or link.
    init(_ entry: DeliveryManifest.Entry) {
        switch entry.kind {
        case .file(let length, _, _):
            self.init(
                path: entry.path, kind: .file, size: length, isExecutable: entry.isExecutable)
        case .directory:
            self.init(path: entry.path, kind: .directory, size: 0, isExecutable: false)
        case .link(let target):
            self.init(path: entry.path, kind: .link(target: target), size: 0, isExecutable: false)
        }
    }
}
