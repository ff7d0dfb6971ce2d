import Foundation
import StoreHTTP
@testable import StoreKit
import StoreTestSupport
import StoreWire
import Synchronization

/// A store's search interface on a loopback port, with the items that a test names.
final class PageServer: Sendable {
    struct Item: Sendable {
        var id: String
        var bundleID: String
        var page: String?
        /// Where it is sold, two letters each; nil for everywhere.
        var storefronts: Set<String>?
        /// Numbers of its in-app purchases.
        var purchases: Set<String> = []
        /// What else a lookup tells of it.
        var facts: [String: any Sendable] = [:]
    }

    private let server: HTTPServer
    /// Paths with queries, as they came.
    let asked = PageDevice.Lines()

    /// - Parameters:
    ///   - tellsWhy: whether it says why a storefront has no item.
    ///   - hold: waits before an item is answered for, by its identifier.
    init(
        _ items: [Item], status: Int = 200, padding: Int = 0, tellsWhy: Bool = false,
        hold: @escaping @Sendable (String) async -> Void = { _ in }
    ) throws {
        let asked = asked
        server = try HTTPServer(
            .forTests,
            handler: { request in
                func value(_ name: String) -> String {
                    request.query.first { $0.name == name }?.value ?? ""
                }
                let query = request.query.map { "\($0.name)=\($0.value)" }.sorted()
                asked.add("\(request.path)?\(query.joined(separator: "&"))")
                let path = request.path.replacing("/sandbox", with: "")
                if tellsWhy, path.hasPrefix("/device/v1/items/") {
                    let isKnown = items.contains { path.hasSuffix("/" + $0.id) }
                    return .now(Self.reason(isKnown ? .itemNotInStorefront : .itemUnknown))
                }
                guard path == "/lookup" else { return .now(HTTPResponse(status: 404)) }
                let wanted = items.filter { item in
                    (item.id == value("id") || item.bundleID == value("bundleId")
                        || item.purchases.contains(value("inAppPurchaseId")))
                        && item.storefronts?.contains(value("country")) ?? true
                }
                let body = Self.answer(wanted, padding: padding)
                let id = value("id")
                return .later {
                    await hold(id)
                    return HTTPResponse(status: status, body: body)
                }
            },
            bodyTooLarge: { _, _ in HTTPResponse(status: 413) })
    }

    var address: String { "http://127.0.0.1:\(server.port)" }

    private static func answer(_ items: [Item], padding: Int) -> Data {
        let results = items.map { item in
            var result: [String: Any] = ["trackName": "The app"]
            result["trackViewUrl"] = item.page
            return result.merging(item.facts) { $1 }
        }
        let answer: [String: Any] = [
            "resultCount": results.count, "results": results,
            "padding": String(repeating: " ", count: padding),
        ]
        return (try? JSONSerialization.data(withJSONObject: answer)) ?? Data()
    }

    private static func reason(_ code: WireErrorCode) -> HTTPResponse {
        let error = WireError(code: code, message: "because of \(code.rawValue)")
        return HTTPResponse(status: 422, body: (try? WireCoding.encode(error)) ?? Data())
    }

    deinit {
        Thread.detachNewThread { [server] in server.stop() }
    }
}

extension HTTPServer.Configuration {
    /// Tests that share a machine are slow clients at times.
    static var forTests: Self {
        var configuration = Self(idleSeconds: 3600)
        configuration.timeouts = RequestTimeouts(header: .seconds(3600), grace: .seconds(3600))
        return configuration
    }
}

/// A device whose store is a page server, and a sheet that writes down what it shows.
struct PageDevice {
    let device: StoreDevice
    let folder: TemporaryFolder
    let log: Lines
    let shown: Lines

    /// Sentences that are written by any thread.
    final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    init(
        _ store: TestStore, address: String, environment: String = "sandbox",
        folder: TemporaryFolder? = nil, canShow: Bool = true,
        sheet: (any OpenStoreSheet)? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) async throws {
        let folder = try folder ?? TemporaryFolder()
        let log = Lines()
        let shown = Lines()
        let text = try await store.profile(
            environment: environment == "sandbox" ? .sandbox : .production, address: address)
        let show: @Sendable (OpenStorePage) -> Void = { shown.add($0.url.absoluteString) }
        let scripted: any OpenStoreSheet =
            canShow
            ? OpenStoreScriptedSheet(
                confirm: { _ in false }, signIn: { _ in nil }, show: show) : BlindSheet()
        device = try StoreDevice(
            profile: try DeviceProfile(text: text, source: "test"),
            environment: ["HOME": folder.url.path], sheet: sheet ?? scripted, now: now,
            log: { log.add($0) })
        self.folder = folder
        self.log = log
        self.shown = shown
    }
}

/// A sheet that can't show pages.
private struct BlindSheet: OpenStoreSheet {
    func confirm(_ question: OpenStorePurchaseQuestion) async throws -> Bool { false }
    func signIn(_ question: OpenStoreSignInQuestion) async throws -> OpenStoreCredentials? { nil }
}
