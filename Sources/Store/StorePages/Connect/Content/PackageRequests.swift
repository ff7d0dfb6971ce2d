import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// What the portal's script asks while it sends a file, answered in JSON; and a file that comes
/// whole, without scripts.
struct PackageRequests: Sendable {
    /// Whose files they are, and the page that is about them.
    struct Page: Sendable {
        let target: PackageTarget
        let path: String
        /// Which parameter of the address names the upload; the next one is the number of a part.
        let firstParameter: Int
        /// The page, with a form that was refused.
        let again: @Sendable (PortalForm) async throws -> PortalPage
    }

    private let page: @Sendable (PortalCall) async throws -> Page

    init(_ page: @escaping @Sendable (PortalCall) async throws -> Page) {
        self.page = page
    }

    /// The routes below the address of a page.
    ///
    /// - Parameter pattern: of the page.
    func routes(_ pattern: String) -> [PortalRoute] {
        [
            .post("\(pattern)/package", .uploadContent, takeWhole),
            .post("\(pattern)/uploads", .uploadContent, begin),
            .get("\(pattern)/uploads/{upload}", .uploadContent, status),
            .put("\(pattern)/uploads/{upload}/parts/{number}", .uploadContent, take),
            .post("\(pattern)/uploads/{upload}/commit", .uploadContent, commit),
            .post("\(pattern)/uploads/{upload}/cancel", .uploadContent, cancel),
        ]
    }

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

    @Sendable private func begin(_ call: PortalCall) async throws -> PortalAnswer {
        try await answer(call) { packages, page in
            try await packages.begin(
                fileName: call.form["fileName"], size: Int64(call.form["fileSize"]) ?? 0,
                digest: call.form["sha256"], for: page.target, by: call.actor)
        }
    }

    @Sendable private func status(_ call: PortalCall) async throws -> PortalAnswer {
        try await answer(call) { packages, page in
            try await packages.status(
                try Self.id(call, page), for: page.target, by: call.actor)
        }
    }

    @Sendable private func take(_ call: PortalCall) async throws -> PortalAnswer {
        try await answer(call) { packages, page in
            let id = try Self.id(call, page)
            let text = call.parameter(page.firstParameter + 1)
            guard text.utf8.count <= 9, let number = Int(text), number >= 0 else {
                throw ConnectRefusal.notFound("part", text)
            }
            try await packages.take(
                call.request.body, digest: call.request.headers["X-Part-Digest"] ?? "",
                part: number, of: id, for: page.target, by: call.actor)
            return try await packages.status(id, for: page.target, by: call.actor)
        }
    }

    @Sendable private func commit(_ call: PortalCall) async throws -> PortalAnswer {
        try await answer(call) { packages, page in
            try await packages.commit(
                try Self.id(call, page), for: page.target, by: call.actor)
        }
    }

    @Sendable private func cancel(_ call: PortalCall) async throws -> PortalAnswer {
        let page = try await page(call)
        return try await call.submit {
            try await call.services.packages?.cancel(
                try Self.id(call, page), for: page.target, by: call.actor)
            return .redirect(to: page.path, notice: "The upload is given up.")
        } again: {
            try await page.again($0)
        }
    }

    /// A file that came with the form itself.
    @Sendable private func takeWhole(_ call: PortalCall) async throws -> PortalAnswer {
        let page = try await page(call)
        return try await call.submit {
            guard let file = call.files["package"], !file.bytes.isEmpty else {
                throw ConnectRefusal(
                    .invalid, rule: "packageMissing", field: "package",
                    "No file was chosen.", help: "Choose a file.")
            }
            _ = try await call.services.packages?.takeWhole(
                file.bytes, fileName: file.name, for: page.target, by: call.actor)
            return .redirect(to: page.path, notice: "The file is being processed.")
        } again: {
            try await page.again($0)
        }
    }

    private static func id(_ call: PortalCall, _ page: Page) throws -> UploadID {
        let text = call.parameter(page.firstParameter)
        guard let id = UploadID(text) else { throw ConnectRefusal.notFound("upload", text) }
        return id
    }

    private func answer(
        _ call: PortalCall,
        _ body: (any PackageReceiver, Page) async throws -> UploadService.Status
    ) async throws -> PortalAnswer {
        let page = try await page(call)
        guard let packages = call.services.packages else {
            throw ConnectRefusal.notFound("upload", call.parameter(page.firstParameter))
        }
        do {
            let status = try await body(packages, page)
            return .response(
                try .json(Answer(status, location: page.path), status: 200))
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
