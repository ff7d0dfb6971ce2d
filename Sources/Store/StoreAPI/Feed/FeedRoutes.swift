import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// `/feeds/epf/v5/`: exports of the partner feed, for approved partners, as a web server serves
/// a folder.
struct FeedRoutes: Sendable {
    static let path = "/feeds/epf/v5"
    /// `current/incremental/current/itunes20160120.tbz`
    private static let depth = 4

    private let services: APIServices

    init(services: APIServices) {
        self.services = services
    }

    func routes() -> [Router.Route] {
        (0...Self.depth).flatMap { depth in
            let pattern = Self.path + (0..<depth).map { "/{\($0)}" }.joined()
            return [pattern, pattern + "/"].map { pattern in
                Router.Route(.get, pattern) { request in .later { await answer(request) } }
            }
        }
    }

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        do {
            guard try await isPartner(request) else { return Self.unauthorized }
            return try entry(request)
        } catch let delay as SignInDelay {
            return .plainText(
                delay.description, status: 429, ["Retry-After": String(delay.minutes * 60)])
        } catch let busy as PasswordsBusy {
            return .plainText(
                busy.description, status: 503,
                ["Retry-After": String(PasswordsBusy.retryDelay)])
        } catch {
            services.report(String(describing: error))
            return HTTPResponse.plainText("The store failed. Try again.", status: 500).unavailable(
                if: FailureRemedy.of(error) == .repeating)
        }
    }

    private func isPartner(_ request: HTTPRequest) async throws -> Bool {
        guard let credentials = FeedCredentials(request) else { return false }
        return try await services.feedGate.partner(
            userName: credentials.userName, password: credentials.password,
            address: request.clientAddress) != nil
    }

    private func entry(_ request: HTTPRequest) throws -> HTTPResponse {
        let isFolder = request.path.hasSuffix(scalars: "/")
        let names = request.parameters
        switch try services.feedEntry(names) {
        case .folder(let entries) where isFolder:
            return Self.page(names, entries, request)
        case .folder:
            // The names are ones that the feed has: nothing in them needs escaping.
            return .plainText(
                "It is a folder.", status: 301, ["Location": Self.address(names)])
        case .file(let file) where isFolder:
            close(file.content.descriptor)
            return Self.missing
        case .file(let file):
            return Self.send(file, request)
        case nil:
            return Self.missing
        }
    }

    private static func address(_ names: [String]) -> String {
        ([path] + names).joined(separator: "/") + "/"
    }

    private static func page(
        _ names: [String], _ entries: [FeedListing], _ request: HTTPRequest
    ) -> HTTPResponse {
        let page = FeedIndexPage(
            path: address(names), parent: names.isEmpty ? nil : address(names.dropLast()),
            entries: entries, order: request.query.first { $0.name == "C" }?.value)
        return HTTPResponse(
            status: 200,
            headers: [
                "Content-Type": "text/html;charset=UTF-8", "Cache-Control": "private, no-cache",
                "X-Content-Type-Options": "nosniff",
                "Content-Security-Policy": "default-src 'none'",
            ], body: Data(page.html.utf8))
    }

    private static func send(_ file: OpenFeedFile, _ request: HTTPRequest) -> HTTPResponse {
        FileAnswer(
            descriptor: file.content.descriptor, length: file.content.length,
            mediaType: file.name.hasSuffix(scalars: ".md5") ? "text/plain" : "application/x-bzip2",
            entityTag: "\"\(file.tag)\"", cacheControl: "private, no-cache",
            modified: file.modified
        ).response(to: request)
    }

    // MARK: Plain answers

    private static var unauthorized: HTTPResponse {
        .plainText(
            "User name and password of an approved partner are needed.", status: 401,
            ["WWW-Authenticate": "Basic realm=\"Partner feed\", charset=\"UTF-8\""])
    }

    private static var missing: HTTPResponse {
        .plainText("There is nothing here.", status: 404)
    }
}
