import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// The picture that shows reviewers where the app offers a product, as it was submitted.
enum ReviewScreenshot {
    static func path(_ item: SubmissionItem) -> String {
        "\(QueuePages.path(item.submission))/items/\(item.id)/screenshot"
    }

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        let unknown = ConnectRefusal.notFound("screenshot", call.parameter(1))
        guard let id = SubmissionItemID(call.parameter(1)),
            let comparison = try await call.services.reviews.comparison(of: id, by: call.actor),
            let digest = comparison.submitted.screenshot.flatMap({ ContentDigest($0) }),
            let open = try await bytes(of: digest, call.services.pictures)
        else { throw unknown }
        let handle = FileHandle(fileDescriptor: open.descriptor, closeOnDealloc: true)
        let bytes = try handle.readToEnd() ?? Data()
        guard let header = ImageHeader(of: bytes) else { throw unknown }
        return .response(
            HTTPResponse(
                status: 200,
                headers: [
                    "Content-Type": header.format.mediaType, "Cache-Control": "private, no-cache",
                    "X-Content-Type-Options": "nosniff",
                    "Content-Security-Policy": "default-src 'none'",
                ], body: bytes))
    }

    private static func bytes(
        of digest: ContentDigest, _ pictures: any PictureFiles
    ) async throws -> OpenContent? {
        try await pictures.apart { try pictures.open(digest) }
    }

    /// Nothing where none was submitted.
    static func html(_ item: SubmissionItem, _ comparison: ReviewComparison) -> HTML {
        guard comparison.submitted.screenshot != nil else { return .nothing }
        return .group([
            .element("h3", "Screenshot for review"),
            .element(
                "p", [],
                [
                    .element(
                        "img",
                        [
                            .init("src", path(item)), .init("class", "screenshot"),
                            .init(
                                "alt",
                                "Where the app offers \(item.name), as its publisher shows it"),
                        ])
                ]),
        ])
    }
}
