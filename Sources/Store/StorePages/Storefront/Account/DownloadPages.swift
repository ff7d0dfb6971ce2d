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
        guard let media = try await services.media.download(of: id) else {
            // Its parts may have something, and the page says what there is.
            return .storefrontRedirect(to: frame.path("buy/\(id)"))
        }
        let disposition = FileAnswer.disposition(media.fileName)
        if let address = services.media.address(
            of: media, for: visit.request.method, disposition: disposition)
        {
            return HTTPResponse(
                status: 307, headers: ["Location": address, "Cache-Control": "no-store"])
        }
        let tag = "\"\(media.digest)\""
        let request = visit.request
        let content = try await services.media.open(media) {
            FileAnswer.wanted(by: request, entityTag: tag, length: $0)
        }
        guard let content else {
            throw StorefrontProblem(
                status: 404, title: "Not There",
                text: "The file is missing in the store. It is still yours; try again later.")
        }
        return FileAnswer(
            descriptor: content.descriptor, length: content.length, mediaType: media.mediaType,
            entityTag: tag, cacheControl: "private, no-cache", attachmentName: media.fileName,
            origin: content.origin
        ).response(to: visit.request)
    }
}
