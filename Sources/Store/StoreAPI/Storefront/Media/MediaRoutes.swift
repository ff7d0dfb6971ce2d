import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// Pictures of items in the sizes that clients ask for, and what customers hear and see before
/// they buy: for everybody, below each environment.
struct MediaRoutes: Sendable {
    /// A media file is replaced by one with another identifier, so an answer is good for ever.
    private static let cacheControl = "public, max-age=31536000, immutable"

    let itemMedia: ItemMediaService
    /// So many bytes of a range go into one answer; nil for all.
    var window: UInt64?
    /// Hears of what broke, for the log; answers say less.
    let report: @Sendable (String) -> Void

    func routes() -> [Router.Route] {
        StoreEnvironment.allCases.flatMap { environment in
            [
                Router.Route(.get, environment.pathPrefix + "/image/{media}/{size}") { request in
                    .later { await answer { try await picture(request) } }
                },
                Router.Route(.get, environment.pathPrefix + "/media/{media}/{name}") { request in
                    .later { await answer { try await original(request) } }
                },
            ]
        }
    }

    private func picture(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let size = PictureSize(request.parameters.last ?? "") else {
            return .plainText(
                "The address of a picture ends with its size, such as 100x100bb.png: width and "
                    + "height from 1 to \(PictureSize.limit), bb to fit within, cc to fill, or "
                    + "nothing, and .png or .jpg.", status: 400)
        }
        guard let media = try await shown(request), media.width != nil else {
            return .plainText("There is no such picture, or not any longer.", status: 404)
        }
        guard size.isMade(ofWidth: media.width, height: media.height) else {
            return .plainText(
                "Pictures are made as squares, such as 100x100bb.png, with a side of one of "
                    + PictureSize.squares.map(String.init).joined(separator: ", ") + ".",
                status: 400)
        }
        let tag = "\"\(media.digest.text.prefix(32))-\(request.parameters.last ?? "")\""
        if let known = request.headers["If-None-Match"], FileAnswer.names(known, tag) {
            return HTTPResponse(
                status: 304, headers: ["ETag": tag, "Cache-Control": Self.cacheControl])
        }
        switch try await itemMedia.rendition(size, of: media) {
        case nil:
            report("the bytes of the picture \(media.id) are missing")
            return .plainText("There is no such picture, or not any longer.", status: 404)
        case .file(let content):
            return FileAnswer(
                descriptor: content.descriptor, length: content.length,
                mediaType: size.format.mediaType, entityTag: tag,
                cacheControl: Self.cacheControl
            ).response(to: request)
        case .bytes(let bytes):
            return HTTPResponse(
                status: 200,
                headers: [
                    "Content-Type": size.format.mediaType, "ETag": tag,
                    "Cache-Control": Self.cacheControl, "X-Content-Type-Options": "nosniff",
                    "Content-Security-Policy": "default-src 'none'; sandbox",
                ], body: bytes)
        }
    }

    /// A sound, a film, or a picture as its publisher gave it.
    private func original(_ request: HTTPRequest) async throws -> HTTPResponse {
        let unknown = HTTPResponse.plainText(
            "There is no such file, or not any longer.", status: 404)
        guard let media = try await shown(request), media.fileName == request.parameters.last
        else { return unknown }
        let tag = "\"\(media.digest)\""
        let content = try await itemMedia.open(media) { [window] length in
            FileAnswer.wanted(by: request, entityTag: tag, length: length, window: window)
        }
        guard let content else {
            report("the bytes of the media file \(media.id) are missing")
            return unknown
        }
        return FileAnswer(
            descriptor: content.descriptor, length: content.length, mediaType: media.mediaType,
            entityTag: tag, cacheControl: Self.cacheControl, origin: content.origin, window: window
        ).response(to: request)
    }

    private func shown(_ request: HTTPRequest) async throws -> ItemMedia? {
        guard let id = AssetID(request.parameters.first ?? "") else { return nil }
        return try await itemMedia.shown(id)
    }

    private func answer(_ body: () async throws -> HTTPResponse) async -> HTTPResponse {
        do {
            return try await body()
        } catch is PicturesBusy {
            return .plainText(
                "The store makes too many pictures now. Try again.", status: 503,
                ["Retry-After": String(PicturesBusy.retryDelay)])
        } catch is ContentBusy {
            return .plainText(
                "Too much is fetched now. Try again.", status: 503,
                ["Retry-After": String(ContentBusy.retryDelay)])
        } catch {
            report(String(describing: error))
            return HTTPResponse.plainText("The store failed. Try again.", status: 500).unavailable(
                if: FailureRemedy.of(error) == .repeating)
        }
    }
}
