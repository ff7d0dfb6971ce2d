import Foundation
import StoreCore
import StoreModel
import StoreSecurity

/// Packages and builds' files that come from the portal, taken in as those of `openstore content
/// upload` and `openstore build upload` are.
package struct BrowserPackages: PackageReceiver {
    private let services: APIServices
    private let receiver: UploadReceiver

    package init(_ services: APIServices) {
        self.services = services
        self.receiver = UploadReceiver(uploads: services.uploads, files: services.uploadFiles)
    }

    /// As much of the server's largest body as a form leaves for the file.
    package var largestWhole: Int { 1_000_000 }

    package func begin(
        fileName: String, size: Int64, digest: String, for target: PackageTarget,
        by actor: ConnectActor
    ) async throws -> UploadService.Status {
        try await refusing {
            guard let digest = ContentDigest(digest) else {
                throw ConnectRefusal(
                    .invalid, rule: "digest", field: "sha256",
                    "The checksum of the file is none.", help: "Choose the file again.")
            }
            var (app, subjects) = try await subjects(of: target, actor)
            if case .version(let version) = target {
                // Before a build is added for it.
                let id = AppBuildID(UUID())
                if let refusal = UploadSubject.build(id).refusal(ofFile: fileName) {
                    throw refusal
                }
                let build = try await services.appVersions.build(
                    of: version, withFile: digest, size: size, id: id, by: actor)
                subjects = [.build(build.id)]
            }
            guard let subject = subjects.first else {
                throw ConnectRefusal.notFound("product", "")
            }
            return try await services.uploads.begin(
                UploadDraft(
                    id: UploadID(UUID()), bundleID: app.bundleID, subject: subject,
                    fileName: fileName, size: size, digest: digest),
                team: actor.team, free: try services.uploadFiles.freeBytes()
            ).status
        }
    }

    package func take(
        _ bytes: Data, digest: String, part: Int, of id: UploadID, for target: PackageTarget,
        by actor: ConnectActor
    ) async throws {
        try await refusing {
            _ = try await status(id, for: target, by: actor)
            guard let digest = ContentDigest(digest), SHA256Digest.hex(bytes) == digest.text else {
                throw ConnectRefusal(
                    .invalid, rule: "digest", field: "sha256",
                    "The part was changed on its way.", help: "Send it again.")
            }
            try await receiver.take(bytes, digest: digest, as: part, of: id, team: actor.team)
        }
    }

    package func commit(
        _ id: UploadID, for target: PackageTarget, by actor: ConnectActor
    ) async throws -> UploadService.Status {
        try await refusing {
            _ = try await status(id, for: target, by: actor)
            let status = try await receiver.commit(id, team: actor.team)
            services.uploadCommitted()
            return status
        }
    }

    package func takeWhole(
        _ bytes: Data, fileName: String, for target: PackageTarget, by actor: ConnectActor
    ) async throws -> UploadService.Status {
        let begun = try await begin(
            fileName: fileName, size: Int64(bytes.count), digest: SHA256Digest.hex(bytes),
            for: target, by: actor)
        let upload = begun.upload
        for number in begun.missing.joined() {
            guard let range = upload.parts.range(of: number) else { continue }
            let part = bytes.dropFirst(Int(range.lowerBound)).prefix(range.count)
            try await take(
                Data(part), digest: SHA256Digest.hex(Data(part)), part: number, of: upload.id,
                for: target, by: actor)
        }
        return try await commit(upload.id, for: target, by: actor)
    }

    package func status(
        _ id: UploadID, for target: PackageTarget, by actor: ConnectActor
    ) async throws -> UploadService.Status {
        try await refusing {
            let (app, subjects) = try await subjects(of: target, actor)
            let status = try await services.uploads.status(id, team: actor.team)
            guard status.upload.app == app.id, subjects.contains(status.upload.subject) else {
                throw UploadRefusal.unknown(id)
            }
            return status
        }
    }

    package func uploads(
        for target: PackageTarget, by actor: ConnectActor
    ) async throws -> [UploadService.Status] {
        try await refusing {
            let (app, subjects) = try await subjects(of: target, actor)
            var found: [UploadService.Status] = []
            for subject in subjects {
                found += try await services.uploads.statuses(
                    of: subject, in: app.bundleID, team: actor.team, limit: 20)
            }
            return found.sorted { $0.upload.created > $1.upload.created }
        }
    }

    package func cancel(
        _ id: UploadID, for target: PackageTarget, by actor: ConnectActor
    ) async throws {
        try await refusing {
            _ = try await status(id, for: target, by: actor)
            try await services.uploads.delete(id, team: actor.team)
            let files = services.uploadFiles
            try await files.apart { try files.remove(id) }
        }
    }

    /// What uploads of a target are for: a product, or the newest builds of a version.
    private func subjects(
        of target: PackageTarget, _ actor: ConnectActor
    ) async throws -> (app: App, subjects: [UploadSubject]) {
        try actor.require(.uploadContent)
        switch target {
        case .product(let number):
            let (app, record) = try await services.reviews.product(number, by: actor)
            return (app, [.product(record.id)])
        case .version(let id):
            let found = try await services.appVersions.version(id, by: actor)
            return (found.app, found.builds.prefix(20).map { .build($0.id) })
        }
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
                help: "Choose another file.")
        default:
            self.init(
                .state, rule: "upload", field: "package", refusal.description,
                help: "The page says where the uploads stand.")
        }
    }
}
