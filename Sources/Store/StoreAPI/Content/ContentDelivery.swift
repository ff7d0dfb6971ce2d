import Foundation
import StoreCore
import StoreHTTP
import StoreKernel
import StoreModel
import StoreSecurity
import StoreWire

/// Permits downloads, and hands out the bytes to whoever shows the permission.
struct ContentDelivery: Sendable {
    /// How long a grant is good; a device asks for another one to go on.
    private static let grantLifetime: TimeInterval = 3600

    /// How long a download goes on without the app; the app asks for another token.
    private static let tokenLifetime: TimeInterval = 14 * 86_400

    /// Seconds; less than what `ContentRetentionPolicy.shortest` leaves beside the life of a grant.
    private static let permitInterval: TimeInterval = 3600

    private let services: APIServices
    /// When the permission to download was last written down, so that each version costs one write
    /// an hour however many devices fetch it.
    private let grants: Cache<GrantKey, Date>

    private struct GrantKey: Hashable {
        let app: AppID
        let product: ProductID
        let version: ContentVersion
    }

    init(services: APIServices) {
        self.services = services
        grants = Cache(
            limit: 10_000, now: services.clock.now,
            end: { date, _ in date + Self.permitInterval })
    }

    /// What to expect, a grant for it, and a token that gets the next grant.
    ///
    /// - Throws: as ``permit(_:for:in:token:)``.
    func permit(
        _ wanted: DownloadRequest, for entry: LedgerEntry, on device: String,
        in catalog: AppCatalog
    ) async throws -> DownloadAnswer {
        let claim = DownloadTokenPayload(
            downloadOf: entry.id, contentIdentifier: wanted.contentIdentifier,
            version: wanted.version, device: device,
            expirationDate: services.clock.now().addingTimeInterval(Self.tokenLifetime)
                .milliseconds)
        return try await permit(
            wanted, for: entry, in: catalog,
            token: services.seals.seal(try WireCoding.encode(claim)))
    }

    /// What a download token allows.
    ///
    /// - Throws: `WireError` with `grantForged` where this store has not made the token for the
    ///   device, `grantExpired` where it has ended.
    func claim(of token: String, from device: String) throws -> DownloadTokenPayload {
        guard token.utf8.count <= 4096, let data = try? services.seals.open(token),
            let claim = try? WireCoding.decode(DownloadTokenPayload.self, from: data),
            claim.device == device
        else {
            throw WireError(
                code: .grantForged,
                message: "The download token was not made by this store for this device.")
        }
        guard claim.expirationDate > services.clock.now().milliseconds else {
            throw WireError(
                code: .grantExpired,
                message: "The download token has expired; open the app to go on.")
        }
        return claim
    }

    /// The next grant of a download; the token stays the one that it is, and so does its end.
    func renew(
        _ token: String, _ claim: DownloadTokenPayload, for entry: LedgerEntry,
        in catalog: AppCatalog
    ) async throws -> DownloadAnswer {
        try await permit(
            DownloadRequest(contentIdentifier: claim.contentIdentifier, version: claim.version),
            for: entry, in: catalog, token: token)
    }

    /// What to expect and a grant for it.
    ///
    /// - Throws: `WireError` with `contentNotFound` where the transaction has no such
    ///   content, or the environment may not deliver it.
    private func permit(
        _ wanted: DownloadRequest, for entry: LedgerEntry, in catalog: AppCatalog, token: String
    ) async throws -> DownloadAnswer {
        let releases = catalog.products[entry.details.productID]?.releases ?? []
        let release = releases.first { release in
            release.version == wanted.version
                && (release.isApproved || entry.details.environment == .sandbox)
        }
        guard let release, wanted.contentIdentifier == entry.details.productID.text else {
            throw WireError(
                code: .contentNotFound,
                message:
                    "The transaction \(entry.id) has no content \(wanted.contentIdentifier) in "
                    + "version \(wanted.version).")
        }
        let now = services.clock.now()
        guard try await keep(release, of: entry.details.productID, in: catalog.app.id) else {
            throw WireError(
                code: .contentNotFound,
                message:
                    "Version \(release.version) of \(wanted.contentIdentifier) is not kept any "
                    + "longer; restore the purchase to get the newer one.")
        }
        let delivery = DeliveryPayload(
            transactionId: entry.id, contentIdentifier: entry.details.productID.text,
            version: release.version, manifestDigest: release.manifestDigest,
            manifestLength: release.manifestLength, downloadLength: release.downloadLength,
            signedDate: now.milliseconds)
        return DownloadAnswer(
            signedDelivery: try services.signer.sign(
                try WireCoding.encode(delivery), type: SignedKind.delivery),
            grant: try grant(for: release.digests, of: entry.id), token: token)
    }

    /// A grant for bytes.
    ///
    /// - Parameter transaction: whose content they are; `nil` for those of an app.
    func grant(
        for digests: [ContentDigest], of transaction: TransactionID? = nil
    ) throws -> String {
        let end = services.clock.now().addingTimeInterval(Self.grantLifetime)
        let grant = GrantPayload(
            transactionId: transaction, digests: digests, expirationDate: end.milliseconds)
        return services.seals.seal(try WireCoding.encode(grant))
    }

    /// Keeps a version's bytes for as long as somebody downloads it.
    ///
    /// - Returns: false where they were given up.
    private func keep(
        _ release: ContentRelease, of product: ProductID, in app: AppID
    ) async throws -> Bool {
        guard !release.isRetired else { return false }
        let key = GrantKey(app: app, product: product, version: release.version)
        return try await grants.valueIfAny(for: key) {
            let now = services.clock.now()
            let isKept = try await services.database.write { repositories in
                try repositories.content.recordPermit(
                    of: release.version, of: product, in: app, at: now)
            }
            return isKept ? now : nil
        } != nil
    }

    /// The bytes of a digest, or a range of them; or where they are to be had.
    func respond(to request: HTTPRequest) throws -> HTTPOutcome {
        let text = request.parameters.first ?? ""
        guard let digest = ContentDigest(text) else {
            throw WireError(
                code: .contentNotFound, message: "\"\(text)\" is not a SHA-256 digest.")
        }
        try check(grant: request.headers[DeviceRoute.grantHeader], covers: digest)
        let content = services.content
        let address = content.address(
            of: digest, for: request.method == "HEAD" ? "HEAD" : "GET", as: ContentPresentation())
        if let address {
            return .now(
                HTTPResponse(
                    status: 307, headers: ["Location": address, "Cache-Control": "no-store"]))
        }
        guard content.answersAtOnce else {
            return .later { [services] in
                do {
                    return try await content.apart {
                        try Self.answer(digest, in: content, to: request)
                    }
                } catch let error as WireError {
                    return .failure(error)
                } catch {
                    let isBusy = error is ContentBusy
                    if !isBusy { services.report(String(describing: error)) }
                    var response = HTTPResponse.failure(
                        WireError(
                            code: .storeUnavailable,
                            message: "The content can't be fetched now. Try again."))
                    if isBusy {
                        response.headers["Retry-After"] = String(ContentBusy.retryDelay)
                    }
                    return response
                }
            }
        }
        return .now(try Self.answer(digest, in: content, to: request))
    }

    private static func answer(
        _ digest: ContentDigest, in store: any ContentStore, to request: HTTPRequest
    ) throws -> HTTPResponse {
        let field = request.headers["Range"]
        let isHead = request.method == "HEAD"
        let content = try store.open(digest) { length in
            switch ByteRange(header: field, length: length) {
            case _ where isHead: 0..<0
            case .whole: 0..<length
            case .part(let range): range
            case .unsatisfiable: 0..<0
            }
        }
        guard let content else {
            throw WireError(
                code: .contentNotFound, message: "The store has no content \(digest).")
        }
        var headers: HTTPHeaders = [
            "Accept-Ranges": "bytes",
            "Content-Type": "application/octet-stream",
            "Cache-Control": "private, max-age=31536000, immutable",
            "ETag": "\"\(digest)\"",
        ]
        switch ByteRange(header: field, length: content.length) {
        case .whole:
            let slice = FileSlice(
                descriptor: content.descriptor, offset: 0, length: content.length)
            return HTTPResponse(status: 200, headers: headers, file: slice)
        case .part(let range):
            headers["Content-Range"] =
                "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(content.length)"
            let slice = FileSlice(
                descriptor: content.descriptor,
                offset: range.lowerBound - min(content.origin, range.lowerBound),
                length: range.upperBound - range.lowerBound)
            return HTTPResponse(status: 206, headers: headers, file: slice)
        case .unsatisfiable:
            close(content.descriptor)
            var response = HTTPResponse.failure(
                WireError(
                    code: .rangeNotSatisfiable,
                    message: "The content has \(content.length) bytes; the range lies outside."))
            response.headers["Content-Range"] = "bytes */\(content.length)"
            return response
        }
    }

    private func check(grant token: String?, covers digest: ContentDigest) throws {
        guard let token else {
            throw WireError(
                code: .grantMissing,
                message:
                    "The request carries no grant; send the one that the download came with in "
                    + "the header \(DeviceRoute.grantHeader).")
        }
        let grant: GrantPayload
        do {
            grant = try WireCoding.decode(GrantPayload.self, from: services.seals.open(token))
        } catch {
            throw WireError(
                code: .grantForged, message: "The grant was not made by this store.")
        }
        guard grant.expirationDate > services.clock.now().milliseconds else {
            throw WireError(
                code: .grantExpired, message: "The grant has expired; ask for the download again.")
        }
        guard grant.digests.contains(digest) else {
            throw WireError(
                code: .grantForOtherContent, message: "The grant is for other content.")
        }
    }
}
