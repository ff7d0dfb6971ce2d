import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// Gives buyers what they bought.
struct DownloadPages: Sendable {
    let visit: StorefrontVisit
    private var services: StorefrontPageServices { visit.services }
    private var frame: StorefrontFrame { visit.frame }

    init(_ visit: StorefrontVisit) {
        self.visit = visit
    }

    /// Why a tester has something and can't download it.
    static let withheld =
        "It is another publisher’s. Testers pay nothing, so they download what their own publisher "
        + "sells; everything else works as it does for customers."

    func send() async throws -> HTTPResponse {
        guard let id = visit.item else { throw StorefrontProblem.unknown }
        guard let account = try await visit.account() else {
            return .storefrontRedirect(
                to: frame.path("account", [("next", frame.path("downloads/\(id)"))]))
        }
        switch try await services.sales.right(to: id, of: account) {
        case .given: break
        case .withheld:
            throw StorefrontProblem(
                status: 403, title: "Not for Testers", text: Self.withheld)
        case .notOwned:
            throw StorefrontProblem(
                status: 403, title: "Not Yours",
                text: "Only those who got it can download it, with the account that they got it "
                    + "with.",
                more: [
                    .element(
                        "p", [],
                        [
                            .element(
                                "a",
                                [
                                    .init("class", "button primary"),
                                    .init("href", frame.path("buy/\(id)")),
                                ], "Get It")
                        ])
                ])
        }
        if let media = try await services.media.download(of: id) { return try await send(media) }
        guard let app = try await services.apps.release(of: id) else {
            // Its parts may have something, and the page says what there is.
            return .storefrontRedirect(to: frame.path("buy/\(id)"))
        }
        return try await send(app)
    }

    private func send(_ media: ItemMedia) async throws -> HTTPResponse {
        let disposition = FileAnswer.disposition(media.fileName)
        if let address = services.media.address(
            of: media, for: visit.request.method, disposition: disposition)
        {
            return elsewhere(address)
        }
        let (tag, request) = ("\"\(media.digest)\"", visit.request)
        let content = try await services.media.open(media) {
            FileAnswer.wanted(by: request, entityTag: tag, length: $0)
        }
        return try answer(content, tag: tag, mediaType: media.mediaType, name: media.fileName)
    }

    /// Sends the file of the version on sale as its publisher uploaded it.
    private func send(_ app: AppDeliveryService.AppRelease) async throws -> HTTPResponse {
        let name = app.delivery.fileName
        guard try await services.apps.permit(app) else { throw Self.missing }
        if let address = services.apps.address(
            of: app, for: visit.request.method, disposition: FileAnswer.disposition(name))
        {
            return elsewhere(address)
        }
        let (tag, request) = ("\"\(app.build.digest)\"", visit.request)
        let content = try await services.apps.open(app) {
            FileAnswer.wanted(by: request, entityTag: tag, length: $0)
        }
        return try answer(
            content, tag: tag, mediaType: app.delivery.format.mediaType, name: name)
    }

    private func elsewhere(_ address: String) -> HTTPResponse {
        HTTPResponse(status: 307, headers: ["Location": address, "Cache-Control": "no-store"])
    }

    private static var missing: StorefrontProblem {
        StorefrontProblem(
            status: 404, title: "Not There",
            text: "The file is missing in the store. It is still yours; try again later.")
    }

    private func answer(
        _ content: OpenContent?, tag: String, mediaType: String, name: String
    ) throws -> HTTPResponse {
        guard let content else { throw Self.missing }
        return FileAnswer(
            descriptor: content.descriptor, length: content.length, mediaType: mediaType,
            entityTag: tag, cacheControl: "private, no-cache", attachmentName: name,
            origin: content.origin
        ).response(to: visit.request)
    }
}
