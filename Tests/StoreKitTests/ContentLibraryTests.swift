import CStoreLinux
import Foundation
import FoundationNetworking
@testable import StoreKit
import StoreTestSupport
import Synchronization
import Testing

struct ContentLibraries {
    private static let noise = 2_000_000

    /// A library of a device, which downloads and installs what it has bought or restored.
    private struct Reader {
        let store: TestStore
        let device: TestDevice
        let library: OpenStoreContentLibrary

        init(_ store: TestStore, transport: (any RequestTransport)? = nil) async throws {
            self.store = store
            let device = try await TestDevice(store, transport: transport, listens: true)
            self.device = device
            library = try OpenStoreContentLibrary(directory: device.folder.file("library")) {
                device.device
            }
        }

        func download() async throws -> SKDownload {
            let bought = try await device.buy(SampleShop.chapter)
            device.queue.start(bought.downloads)
            return try await device.recorder.download(.finished)
        }

        /// Installs what was downloaded, and finishes its transaction.
        @discardableResult
        func install(_ download: SKDownload) async throws -> OpenStoreInstalledContent {
            let installed = try library.install(download)
            device.queue.finishTransaction(download.transaction)
            _ = try await device.recorder.next { $0.isRemoval }
            return installed
        }

        /// What restoring gives, downloaded.
        func restored() async throws -> SKDownload {
            device.queue.restoreCompletedTransactions()
            let restored = try await device.recorder.transaction {
                $0.transactionState == .restored
            }
            device.queue.start(restored.downloads)
            return try await device.recorder.download(.finished)
        }

        /// The publisher hands in another version, with other bytes in some places.
        func publish(_ version: String) async throws {
            let folder = try TemporaryFolder()
            let content = try SampleShop.writeContent(
                into: folder, version: version, noiseBytes: ContentLibraries.noise)
            let file = content.appendingPathComponent(
                "\(SampleShop.chapter)/Contents/pictures/noise.bin")
            var bytes = try Data(contentsOf: file)
            bytes.replaceSubrange(1_000_000..<1_000_000, with: Data("inserted".utf8))
            try bytes.write(to: file)
            _ = try await store.store.importCatalog(
                configuration: SampleShop.configuration, content: content,
                bundleID: SampleShop.bundleID, appName: "Sample shop")
        }
    }

    private func reader(_ transport: (any RequestTransport)? = nil) async throws -> Reader {
        try await Reader(try await TestStore(noiseBytes: Self.noise), transport: transport)
    }

    @Test func `an installed download is the current version, and out of the cache`() async throws {
        let reader = try await reader()
        let download = try await reader.download()
        let cached = try #require(download.contentURL)
        let installed = try reader.library.install(download)
        #expect(installed.productIdentifier == SampleShop.chapter && installed.version == "1.0")
        #expect(reader.library.current(for: SampleShop.chapter) == installed)
        #expect(reader.library.versions(of: SampleShop.chapter) == [installed])
        #expect(reader.library.productIdentifiers == [SampleShop.chapter])
        let noise = try Data(
            contentsOf: installed.contents.appendingPathComponent("pictures/noise.bin"))
        #expect(noise == SampleShop.noise(Self.noise, seed: 7))
        #expect(!FileManager.default.fileExists(atPath: cached.path))
    }

    @Test func `the folder is marked as not to be backed up`() async throws {
        let reader = try await reader()
        let tag = try String(
            contentsOf: reader.library.directory.appendingPathComponent("CACHEDIR.TAG"),
            encoding: .utf8)
        #expect(tag.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n"))
        var value = [UInt8](repeating: 0, count: 16)
        let count = getxattr(
            reader.library.directory.path, "user.xdg.robots.backup", &value, value.count)
        // Some file systems have no attributes.
        let isPossible = cstore_set_attribute(reader.library.directory.path, "user.x", "x", 1) == 0
        #expect(!isPossible || value.prefix(max(0, count)) == Array("false".utf8)[...])
    }

    @Test func `Foundation's resource value marks folders and files, and takes the mark away`()
        throws
    {
        let folder = try TemporaryFolder()
        let tag = folder.file("CACHEDIR.TAG").path
        try Data("x".utf8).write(to: folder.file("file"))
        let hasAttributes = cstore_set_attribute(folder.url.path, "user.x", "x", 1) == 0
        #expect(marksBackupExclusion)
        for isExcluded in [true, false] {
            var values = URLResourceValues()
            values.isExcludedFromBackup = isExcluded
            values.contentModificationDate = Date(timeIntervalSince1970: 1000)
            for name in hasAttributes ? ["", "file"] : [""] {
                var url = name.isEmpty ? folder.url : folder.file(name)
                try url.setResourceValues(values)
                let size = getxattr(url.path, "user.xdg.robots.backup", nil, 0)
                #expect(!hasAttributes || (size == 5) == isExcluded)
            }
            #expect(FileManager.default.fileExists(atPath: tag) == isExcluded)
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.url.path)
            #expect(attributes[.modificationDate] as? Date == values.contentModificationDate)
        }
        try (folder.url as NSURL).setResourceValue(true, forKey: .isExcludedFromBackupKey)
        #expect(FileManager.default.fileExists(atPath: tag))
        var gone = folder.file("gone")
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        #expect(throws: CocoaError.self) { try gone.setResourceValues(values) }
    }

    @Test func `a newer version is fetched in part, and stands beside the old one`() async throws {
        let received = Mutex(0)
        let transport = InterferingTransport(change: { path, answer in
            if path.contains("/content/") { received.withLock { $0 += answer.count } }
            return answer
        })
        let reader = try await reader(transport)
        let old = try await reader.install(try await reader.download())
        #expect(received.withLock { $0 } > Self.noise)
        try await reader.publish("1.1")
        received.withLock { $0 = 0 }
        let new = try await reader.install(try await reader.restored())
        #expect(received.withLock { $0 } < Self.noise / 5)
        #expect(new.version == "1.1" && reader.library.current(for: SampleShop.chapter) == new)
        #expect(reader.library.versions(of: SampleShop.chapter) == [new, old])
        var bytes = SampleShop.noise(Self.noise, seed: 7)
        #expect(
            try Data(contentsOf: old.contents.appendingPathComponent("pictures/noise.bin")) == bytes
        )
        bytes.replaceSubrange(1_000_000..<1_000_000, with: Data("inserted".utf8))
        #expect(
            try Data(contentsOf: new.contents.appendingPathComponent("pictures/noise.bin")) == bytes
        )

        try reader.library.use(old)
        #expect(reader.library.current(for: SampleShop.chapter) == old)
        try reader.library.use(new)
        try reader.library.removeOldVersions(of: SampleShop.chapter)
        #expect(reader.library.versions(of: SampleShop.chapter) == [new])
        #expect(throws: OpenStoreContentLibraryError.self) { try reader.library.use(old) }
        try reader.library.removeAll(of: SampleShop.chapter)
        #expect(reader.library.current(for: SampleShop.chapter) == nil)
        #expect(reader.library.productIdentifiers == [])
    }

    @Test func `newer versions are told once each, when the store has them`() async throws {
        let reader = try await reader()
        try reader.library.install(try await reader.download())
        #expect(try await reader.library.newerVersions() == [])
        try await reader.publish("1.1")
        let queued = reader.device.queue.transactions
        let newer = try #require(try await reader.library.newerVersions().first)
        #expect(newer.version == "1.1" && newer.installedVersion == "1.0")
        #expect(newer.productIdentifier == SampleShop.chapter && newer.downloadLength > 1_000_000)
        var updates = reader.library.updates().makeAsyncIterator()
        #expect(await updates.next() == newer)
        try await reader.publish("1.2")
        let next = await updates.next()
        #expect(next?.version == "1.2")
        // Nothing comes by itself to who owns it: neither a transaction nor a download.
        #expect(reader.device.queue.transactions == queued)
        #expect(queued.flatMap(\.downloads).map(\.contentVersion) == ["1.0"])
    }

    @Test func `the same version again takes the place of the old files`() async throws {
        let reader = try await reader()
        let first = try await reader.install(try await reader.download())
        let text = first.contents.appendingPathComponent("text.txt")
        try Data("changed".utf8).write(to: text)
        let again = try reader.library.install(try await reader.restored())
        #expect(again == first)
        #expect(try String(contentsOf: text, encoding: .utf8).hasPrefix("It was a dark night."))
        let names = try FileManager.default.contentsOfDirectory(
            atPath: first.url.deletingLastPathComponent().path)
        #expect(names.sorted() == [".1.0.manifest", ".lock", "1.0", "current"])
    }

    @Test func `what is not finished or not complete is not installed`() async throws {
        let reader = try await reader()
        #expect(throws: OpenStoreContentLibraryError.self) {
            try reader.library.install(SKDownload())
        }
        let download = try await reader.download()
        let content = try #require(download.contentURL)
        try FileManager.default.removeItem(at: content.appendingPathComponent("Contents/text.txt"))
        #expect(throws: OpenStoreContentLibraryError.self) { try reader.library.install(download) }
        #expect(reader.library.current(for: SampleShop.chapter) == nil)
        #expect(reader.library.versions(of: SampleShop.chapter) == [])
    }

    @Test(arguments: ["", ".", "..", "../x", "a/b", "/etc", ".hidden", "no such"])
    func `what is no product has no content`(_ product: String) async throws {
        let reader = try await reader()
        #expect(reader.library.current(for: product) == nil)
        #expect(reader.library.versions(of: product) == [])
        try reader.library.removeAll(of: product)
        #expect(FileManager.default.fileExists(atPath: reader.library.directory.path))
    }

    /// What a process left that ended in the middle of an installation.
    @Test func `an installation that was cut short does not show, and is no obstacle`() async throws
    {
        let reader = try await reader()
        let download = try await reader.download()
        let folder = reader.library.directory.appendingPathComponent(SampleShop.chapter)
        for name in [".1.0.incoming/Contents", ".current.x"] {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        #expect(reader.library.versions(of: SampleShop.chapter) == [])
        #expect(reader.library.current(for: SampleShop.chapter) == nil)
        let installed = try reader.library.install(download)
        #expect(reader.library.current(for: SampleShop.chapter) == installed)
    }
}
