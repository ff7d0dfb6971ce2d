import FoundationNetworking
import Synchronization

/// An addition of OpenStoreKit: the identifiers of an app's products, from the app itself or
/// from a server.
///
/// ```swift
/// let builtIn = try OpenStoreProductIdentifiers.builtIn()
///
/// let list = OpenStoreProductIdentifiers(
///     serverURL: URL(string: "https://example.com/products_v1.json")!)
/// let request = SKProductsRequest(productIdentifiers: Set(try await list.load().identifiers))
/// ```
///
/// The file on the server is a JSON array of strings. Its name carries the version of its
/// structure, so that apps which expect another structure keep their own file.
///
/// What was loaded is kept in the device's cache, for as long as `Cache-Control` and
/// `Expires` allow without asking, and after that until the server says by `ETag` or
/// `Last-Modified` that there is something newer. Where the server can't be reached, or
/// sends something else than such a list, the last good copy is used, and
/// ``List/fallbackError`` says why; unless the server has forbidden that with
/// `must-revalidate` or `no-cache`.
public final class OpenStoreProductIdentifiers: Sendable {
    /// An addition of OpenStoreKit: a list of product identifiers, and where it came from.
    public struct List: Sendable {
        /// In the order of the file, each once.
        public let identifiers: [String]
        /// Where it came from.
        public let source: Source
        /// Why the last good copy had to do; nil for other sources.
        public let fallbackError: (any Error)?
    }

    /// An addition of OpenStoreKit: where a list came from.
    public struct Source: Hashable, Sendable, CustomStringConvertible {
        /// What it is called in messages.
        public let description: String

        /// The server has sent it.
        public static let network: Source = Source(description: "network")
        /// The copy on disk, which is new enough not to ask for.
        public static let cache: Source = Source(description: "cache")
        /// The copy on disk, which the server has said to be the newest.
        public static let revalidated: Source = Source(description: "revalidated")
        /// The copy on disk, because nothing newer could be had.
        public static let lastGoodCopy: Source = Source(description: "lastGoodCopy")
    }

    private let serverURL: URL
    private let reportURL: URL?
    private let cache: ProductIdentifierCache
    private let server: ProductIdentifierServer
    private let now: @Sendable () -> Date
    private let log: @Sendable (String) -> Void
    private let reporting = Mutex<Set<[String]>>([])

    /// A list on a server. Nothing is loaded yet.
    ///
    /// - Parameters:
    ///   - serverURL: the file, by `http` or `https`.
    ///   - reportURL: gets the invalid identifiers that ``reportInvalid(_:)`` is told of; nil
    ///     to report none.
    ///   - cacheFolder: where the copy is kept; nil for the app's folder in the device's cache.
    public convenience init(serverURL: URL, reportURL: URL? = nil, cacheFolder: URL? = nil) {
        self.init(
            serverURL: serverURL, reportURL: reportURL,
            cacheFolder: cacheFolder
                ?? ProductIdentifierCache.folder(
                    environment: ProcessInfo.processInfo.environment),
            transport: Self.transport)
    }

    /// - Parameter timeLimit: returns when a request has taken too long.
    package init(
        serverURL: URL, reportURL: URL?, cacheFolder: URL, transport: any RequestTransport,
        now: @escaping @Sendable () -> Date = { Date() },
        timeLimit: @escaping @Sendable () async throws -> Void = {
            try await Task.sleep(for: .seconds(30))
        },
        log: @escaping @Sendable (String) -> Void = OpenStore.writeLog
    ) {
        self.serverURL = serverURL
        self.reportURL = reportURL
        self.now = now
        self.log = log
        cache = ProductIdentifierCache(folder: cacheFolder, url: serverURL)
        server = ProductIdentifierServer(transport: transport, timeLimit: timeLimit, now: now)
    }

    /// One for all lists, which may share connections.
    private static let transport = HTTPTransport()

    // MARK: Built in

    /// The identifiers in a property list among the app's resources, which is an array of
    /// strings.
    ///
    /// - Parameters:
    ///   - name: the file's name without `.plist`.
    ///   - bundle: where it lies.
    /// - Returns: the identifiers in the order of the file, each once.
    /// - Throws: ``OpenStoreProductIdentifiersError`` where the file is missing, or is not such
    ///   a list; it names each wrong entry.
    public static func builtIn(
        named name: String = "product_ids", in bundle: Bundle = .main
    ) throws -> [String] {
        guard let url = bundle.url(forResource: name, withExtension: "plist") else {
            throw OpenStoreProductIdentifiersError(
                .missingFile, "There is no \(name).plist in the resources of \(bundle.bundlePath).")
        }
        let data: Data
        do { data = try Data(contentsOf: url) } catch {
            throw OpenStoreProductIdentifiersError(
                .missingFile, "\(url.path) can't be read: \(error.localizedDescription)")
        }
        return try ProductIdentifierFile(propertyList: data, source: "\(name).plist").identifiers
    }

    // MARK: From the server

    /// Gives the list: from the cache where that is new enough, else from the server.
    ///
    /// Runs off the caller's actor, and so never on the main thread.
    ///
    /// - Parameter isForced: whether the server is asked even where the copy is new enough,
    ///   such as when the customer wants to see the newest.
    /// - Throws: `URLError`, or ``OpenStoreProductIdentifiersError``, where there is no copy to
    ///   fall back on.
    @concurrent public func load(forced isForced: Bool = false) async throws -> List {
        let copy = readCopy()
        if let copy, !isForced, copy.freshness.isFresh(at: now()) {
            return List(identifiers: copy.identifiers, source: .cache, fallbackError: nil)
        }
        do {
            switch try await server.fetch(serverURL, known: copy) {
            case .new(let fresh):
                keep(fresh)
                return List(identifiers: fresh.identifiers, source: .network, fallbackError: nil)
            case .same(let renewed):
                keep(renewed)
                return List(
                    identifiers: renewed.identifiers, source: .revalidated, fallbackError: nil)
            }
        } catch {
            try Task.checkCancellation()
            guard let copy, !copy.freshness.forbidsStaleUse else { throw error }
            log("The product identifiers are those of the last good copy: \(error)")
            return List(identifiers: copy.identifiers, source: .lastGoodCopy, fallbackError: error)
        }
    }

    private func readCopy() -> ProductIdentifierCache.Copy? {
        do { return try cache.read() } catch {
            log("The copy of the product identifiers can't be read and is left out: \(error)")
            return nil
        }
    }

    private func keep(_ copy: ProductIdentifierCache.Copy) {
        do {
            if copy.freshness.forbidsStorage { try cache.remove() } else { try cache.write(copy) }
        } catch {
            log("The product identifiers can't be kept in the cache: \(error)")
        }
    }

    // MARK: Reports

    /// Tells the app's server which identifiers the store does not sell, as
    /// `{"invalidProductIdentifiers":[…]}`.
    ///
    /// The same set of identifiers is reported once by this device. What goes wrong is
    /// written to the log, and is tried again with the next call.
    ///
    /// - Parameter identifiers: such as `SKProductsResponse.invalidProductIdentifiers`; nothing
    ///   is sent where there are none.
    @concurrent public func reportInvalid(_ identifiers: [String]) async {
        let set = Set(identifiers).sorted()
        guard let reportURL, !set.isEmpty,
            reporting.withLock({ $0.insert(set).inserted })
        else { return }
        defer { reporting.withLock { _ = $0.remove(set) } }
        guard !cache.wasReported(set) else { return }
        do {
            try await server.report(set, to: reportURL)
            try cache.remember(reported: set)
        } catch {
            log("The invalid product identifiers could not be reported: \(error)")
        }
    }
}
