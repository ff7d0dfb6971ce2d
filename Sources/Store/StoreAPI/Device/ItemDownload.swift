import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

/// The file that buyers of an item download: one that its publisher added, or the package of an
/// app's version on sale.
struct ItemDownload: Sendable {
    private enum Source: Sendable {
        case media(ItemMedia)
        case build(AppDeliveryService.AppRelease)
    }

    let name: String
    /// Bytes.
    let size: Int64
    let digest: ContentDigest
    private let mediaType: String
    private let source: Source

    /// `nil` if there is none. The caller checks whether somebody may download it.
    static func of(_ item: ItemID, _ services: APIServices) async throws -> ItemDownload? {
        if let media = try await services.itemMedia.download(of: item) {
            return ItemDownload(
                name: media.fileName, size: media.size, digest: media.digest,
                mediaType: media.mediaType, source: .media(media))
        }
        guard let found = try await services.appDeliveries.release(of: item) else { return nil }
        return ItemDownload(
            name: found.delivery.fileName, size: found.build.size, digest: found.build.digest,
            mediaType: found.delivery.format.mediaType, source: .build(found))
    }

    /// The bytes, or a redirection to them; `nil` if they are gone.
    func answer(
        to request: HTTPRequest, _ services: APIServices
    ) async throws -> HTTPResponse? {
        let disposition = FileAnswer.disposition(name)
        let tag = "\"\(digest)\""
        let wanted: @Sendable (UInt64) -> Range<UInt64> = {
            FileAnswer.wanted(by: request, entityTag: tag, length: $0)
        }
        let address: String?
        let content: OpenContent?
        switch source {
        case .media(let media):
            address = services.itemMedia.address(
                of: media, for: request.method, disposition: disposition)
            content =
                address == nil
                ? try await services.itemMedia.open(media, wanted: wanted) : nil
        case .build(let found):
            let apps = services.appDeliveries
            guard try await apps.permit(found) else { return nil }
            address = apps.address(of: found, for: request.method, disposition: disposition)
            content = address == nil ? try await apps.open(found, wanted: wanted) : nil
        }
        if let address {
            return HTTPResponse(
                status: 307, headers: ["Location": address, "Cache-Control": "no-store"])
        }
        return content.map {
            FileAnswer(
                descriptor: $0.descriptor, length: $0.length, mediaType: mediaType,
                entityTag: tag, cacheControl: "private, no-cache", attachmentName: name,
                origin: $0.origin
            ).response(to: request)
        }
    }
}
