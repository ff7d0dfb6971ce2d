import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// What the portal's script asks while it sends a package, answered in JSON; and a package
/// that comes whole, without scripts.
enum PackageRequests {
    /// Where an upload stands, for the script.
    private struct Answer: Encodable {
        let id: String
        let state: String
        let partSize: Int64
        let partCount: Int
        let receivedBytes: Int64
        let processedBytes: Int64
        let size: Int64
        /// First and last number of parts that are missing.
        let missing: [[Int]]
        /// Where to go when it is complete or was refused.
        let location: String

        init(_ status: UploadService.Status, location: String) {
            let upload = status.upload
            id = upload.id.text
            state = upload.state.rawValue
            partSize = upload.parts.partSize
            partCount = upload.parts.count
            receivedBytes = status.receivedBytes
            processedBytes = upload.processed
            size = upload.parts.size
            missing = status.missing.map { [$0.lowerBound, $0.upperBound] }
            self.location = location
        }
    }

    private struct Problem: Encodable {
        let problem: String
    }

    static func begin(_ call: PortalCall) async throws -> PortalAnswer {
        try await answer(call) { packages, record in
            try await packages.begin(
                fileName: call.form["fileName"], size: Int64(call.form["fileSize"]) ?? 0,
                digest: call.form["sha256"], of: record.number, by: call.actor)
        }
    }

    static func status(_ call: PortalCall) async throws -> PortalAnswer {
        try await answer(call) { packages, record in
            try await packages.status(try id(call), of: record.number, by: call.actor)
        }
    }

    static func take(_ call: PortalCall) async throws -> PortalAnswer {
        try await answer(call) { packages, record in
            let id = try id(call)
            let text = call.parameter(2)
            guard text.utf8.count <= 9, let number = Int(text), number >= 0 else {
                throw ConnectRefusal.notFound("part", text)
            }
            try await packages.take(
                call.request.body, digest: call.request.headers["X-Part-Digest"] ?? "",
                part: number, of: id, product: record.number, by: call.actor)
            return try await packages.status(id, of: record.number, by: call.actor)
        }
    }

    static func commit(_ call: PortalCall) async throws -> PortalAnswer {
        try await answer(call) { packages, record in
            try await packages.commit(try id(call), of: record.number, by: call.actor)
        }
    }

    static func cancel(_ call: PortalCall) async throws -> PortalAnswer {
        let record = try await SalePages.product(call).record
        return try await call.submit {
            try await call.services.packages?.cancel(
                try id(call), of: record.number, by: call.actor)
            return .redirect(
                to: ContentPages.path(record), notice: "The upload is given up.")
        } again: {
            try await ContentPages.page(record, $0, call)
        }
    }

    /// A package that came with the form itself.
    static func takeWhole(_ call: PortalCall) async throws -> PortalAnswer {
        let record = try await SalePages.product(call).record
        return try await call.submit {
            guard let file = call.files["package"], !file.bytes.isEmpty else {
                throw ConnectRefusal(
                    .invalid, rule: "packageMissing", field: "package",
                    "No package was chosen.", help: "Choose a .pkg file.")
            }
            _ = try await call.services.packages?.takeWhole(
                file.bytes, fileName: file.name, of: record.number, by: call.actor)
            return .redirect(
                to: ContentPages.path(record), notice: "The package is being processed.")
        } again: {
            try await ContentPages.page(record, $0, call)
        }
    }

    private static func id(_ call: PortalCall) throws -> UploadID {
        guard let id = UploadID(call.parameter(1)) else {
            throw ConnectRefusal.notFound("upload", call.parameter(1))
        }
        return id
    }

    private static func answer(
        _ call: PortalCall,
        _ body: (any PackageIntake, ProductRecord) async throws -> UploadService.Status
    ) async throws -> PortalAnswer {
        let record = try await SalePages.product(call).record
        guard let packages = call.services.packages else {
            throw ConnectRefusal.notFound("upload", call.parameter(1))
        }
        do {
            let status = try await body(packages, record)
            return .response(
                try .json(Answer(status, location: ContentPages.path(record)), status: 200))
        } catch let refusal as ConnectRefusal {
            let status =
                switch refusal.kind {
                case .notFound: 404
                case .forbidden: 403
                case .tooMany: 429
                case .invalid, .taken: 422
                case .state: 409
                }
            return .response(
                try .json(Problem(problem: refusal.description), status: status))
        }
    }
}
