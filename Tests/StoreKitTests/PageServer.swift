import Foundation
import StoreHTTP
@testable import StoreKit
import StoreTestSupport
import Synchronization

/// A store's search interface on a loopback port, with the items that a test names.
final class PageServer: Sendable {
    struct Item: Sendable {
        var id: String
        var bundleID: String
        var page: String?
    }

    private let server: HTTPServer

    init(_ items: [Item], status: Int = 200, padding: Int = 0) throws {
        server = try HTTPServer(
            HTTPServer.Configuration(),
            handler: { request in
                guard request.path == "/lookup" else { return .now(HTTPResponse(status: 404)) }
                let wanted = items.filter { item in
                    request.query.contains { $0.name == "id" && $0.value == item.id }
                        || request.query.contains {
                            $0.name == "bundleId" && $0.value == item.bundleID
                        }
                }
                let results = wanted.map { item in
                    var result = ["trackName": "The app"]
                    result["trackViewUrl"] = item.page
                    return result
                }
                let answer: [String: Any] = [
                    "resultCount": results.count, "results": results,
                    "padding": String(repeating: " ", count: padding),
                ]
                let body = try? JSONSerialization.data(withJSONObject: answer)
                return .now(HTTPResponse(status: status, body: body ?? Data()))
            },
            bodyTooLarge: { _, _ in HTTPResponse(status: 413) })
    }

    var address: String { "http://127.0.0.1:\(server.port)" }

    deinit {
        Thread.detachNewThread { [server] in server.stop() }
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
        folder: TemporaryFolder? = nil, canShow: Bool = true
    ) async throws {
        let folder = try folder ?? TemporaryFolder()
        let log = Lines()
        let shown = Lines()
        let text = try await store.profile(
            environment: environment == "sandbox" ? .sandbox : .production, address: address)
        let show: @Sendable (OpenStorePage) -> Void = { shown.add($0.url.absoluteString) }
        let sheet: any OpenStoreSheet =
            canShow
            ? OpenStoreScriptedSheet(
                confirm: { _ in false }, signIn: { _ in nil }, show: show) : BlindSheet()
        device = try StoreDevice(
            profile: try DeviceProfile(text: text, source: "test"),
            environment: ["HOME": folder.url.path], sheet: sheet, log: { log.add($0) })
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
