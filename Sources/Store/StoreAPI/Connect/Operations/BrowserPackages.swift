import Foundation
import StoreCore
import StoreModel
import StoreSecurity

/// Packages that come from the portal, taken in as those of `openstore content upload` are.
package struct BrowserPackages: PackageIntake {
    private let services: APIServices
    private let intake: UploadIntake

    package init(_ services: APIServices) {
        self.services = services
        self.intake = UploadIntake(uploads: services.uploads, files: services.uploadFiles)
    }

    /// As much of the server's largest body as a form leaves for the file.
    package var largestWhole: Int { 1_000_000 }

    package func begin(
        fileName: String, size: Int64, digest: String, of product: ProductNumber,
        by actor: ConnectActor
    ) async throws -> UploadService.Status {
        try await refusing {
            let (app, record) = try await subject(product, actor)
            guard let digest = ContentDigest(digest) else {
                throw ConnectRefusal(
                    .invalid, rule: "digest", field: "sha256",
                    "The checksum of the file is none.", help: "Choose the file again.")
            }
            return try await services.uploads.begin(
                UploadDraft(
                    id: UploadID(UUID()), bundleID: app.bundleID, productID: record.id,
                    fileName: fileName, size: size, digest: digest),
                team: actor.team, free: try services.uploadFiles.freeBytes()
            ).status
        }
    }

    package func take(
        _ bytes: Data, digest: String, part: Int, of id: UploadID, product: ProductNumber,
        by actor: ConnectActor
    ) async throws {
        try await refusing {
            _ = try await status(id, of: product, by: actor)
            guard let digest = ContentDigest(digest), SHA256Digest.hex(bytes) == digest.text else {
                throw ConnectRefusal(
                    .invalid, rule: "digest", field: "sha256",
                    "The part was changed on its way.", help: "Send it again.")
            }
            try await intake.take(bytes, digest: digest, as: part, of: id, team: actor.team)
        }
    }

    package func commit(
        _ id: UploadID, of product: ProductNumber, by actor: ConnectActor
    ) async throws -> UploadService.Status {
        try await refusing {
            _ = try await status(id, of: product, by: actor)
            let status = try await intake.commit(id, team: actor.team)
            services.uploadCommitted()
            return status
        }
    }

    package func takeWhole(
        _ bytes: Data, fileName: String, of product: ProductNumber, by actor: ConnectActor
    ) async throws -> UploadService.Status {
        let begun = try await begin(
            fileName: fileName, size: Int64(bytes.count), digest: SHA256Digest.hex(bytes),
            of: product, by: actor)
        let upload = begun.upload
        for number in begun.missing.joined() {
            guard let range = upload.parts.range(of: number) else { continue }
            let part = bytes.dropFirst(Int(range.lowerBound)).prefix(range.count)
            try await take(
                Data(part), digest: SHA256Digest.hex(Data(part)), part: number, of: upload.id,
                product: product, by: actor)
        }
        return try await commit(upload.id, of: product, by: actor)
    }

    package func status(
        _ id: UploadID, of product: ProductNumber, by actor: ConnectActor
    ) async throws -> UploadService.Status {
        try await refusing {
            let (app, record) = try await subject(product, actor)
            let status = try await services.uploads.status(id, team: actor.team)
            guard status.upload.app == app.id, status.upload.productID == record.id else {
                throw UploadRefusal.unknown(id)
            }
            return status
        }
    }

    package func uploads(
        of product: ProductNumber, by actor: ConnectActor
    ) async throws -> [UploadService.Status] {
        try await refusing {
            let (app, record) = try await subject(product, actor)
            return try await services.uploads.statuses(
                of: record.id, in: app.bundleID, team: actor.team, limit: 20)
        }
    }

    package func cancel(
        _ id: UploadID, of product: ProductNumber, by actor: ConnectActor
    ) async throws {
        try await refusing {
            _ = try await status(id, of: product, by: actor)
            try await services.uploads.delete(id, team: actor.team)
            let files = services.uploadFiles
            try await files.apart { try files.remove(id) }
        }
    }

    private func subject(
        _ product: ProductNumber, _ actor: ConnectActor
    ) async throws -> (app: App, record: ProductRecord) {
        try actor.require(.uploadContent)
        return try await services.reviews.product(product, by: actor)
    }

    /// Refusals of uploads as those of Connect.
    private func refusing<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let refusal as ContentRefusal {
            throw ConnectRefusal(refusal)
        } catch let refusal as UploadRefusal {
            throw ConnectRefusal(refusal)
        } catch let error as UploadStoreError where error.isDiskFull {
            services.report(error.description)
            throw ConnectRefusal(
                .tooMany, rule: "diskFull", "The store's disk is full.",
                help: "Ask the operator to make space.")
        }
    }
}

extension ConnectRefusal {
    /// What the rules of uploads refuse, in Connect.
    fileprivate init(_ refusal: UploadRefusal) {
        switch refusal {
        case .unknown(let id): self = .notFound("upload", id.text)
        case .nameInvalid, .empty, .tooLarge:
            self.init(
                .invalid, rule: "package", field: "package", refusal.description,
                help: "Build it with openstore content build.")
        default:
            self.init(
                .state, rule: "upload", field: "package", refusal.description,
                help: "The product's page says where its uploads stand.")
        }
    }
}
