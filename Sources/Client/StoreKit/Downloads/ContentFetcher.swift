import StoreDelivery
import StoreModel
import StoreWire

/// Fetches a version of content for a transaction.
struct ContentFetcher: Sendable {
    private let folder: DownloadFolder
    private let grants: DownloadGrants
    /// Folders with installed versions, which may have chunks already.
    private let libraries: [String]
    private let retry: RetryPolicy
    private let fetcher: DeliveryFetcher

    /// - Parameter report: hears how many bytes are there, of how many.
    init(
        folder: DownloadFolder, client: StoreClient, grants: DownloadGrants,
        libraries: [String], retry: RetryPolicy, log: @escaping @Sendable (String) -> Void,
        report: @escaping @Sendable (Int64, Int64) -> Void
    ) {
        self.folder = folder
        self.grants = grants
        self.libraries = libraries
        self.retry = retry
        fetcher = DeliveryFetcher(
            folder: folder.files, retry: retry, log: log, progress: report
        ) { digest, bytes, accept, sink in
            let grant = try await grants.current()
            do {
                try await client.content(
                    digest, bytes: bytes, grant: grant, accept: accept, sink: sink)
            } catch let error as WireError where error.code == .grantExpired {
                grants.forget(grant)
                throw error
            }
        }
    }

    /// Brings the content to its place in the folder.
    ///
    /// What was fetched stays for the next time, whatever happens.
    ///
    /// - Throws: what no further attempt helps against, or what none of them in a row has.
    func run() async throws {
        try folder.files.make()
        try await folder.whileAlone(retry) { try await fetch() }
    }

    /// The same for who holds the folder's lock.
    func fetch() async throws {
        let (delivery, outline) = try await fetcher.trying { () async throws in
            let delivery = try await grants.ask()
            return (
                delivery,
                try await fetcher.outline(
                    delivery.manifestDigest, length: delivery.manifestLength)
            )
        }
        guard outline.contentIdentifier.text == delivery.contentIdentifier,
            outline.version == delivery.version
        else { throw DeliveryError.manifest("it is the manifest of other content") }
        let installed = InstalledContent.versions(of: outline.contentIdentifier, in: libraries)
        _ = try await fetcher.fetch(
            outline, reusing: installed.map { ($0.manifestFolder, $0.folder) })
    }
}
