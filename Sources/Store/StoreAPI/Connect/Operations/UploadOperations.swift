import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreWire

/// Operations with uploads of content and of builds' files, whose form is older than the engine's: they read and
/// write their documents themselves, of any media type. Parameters are checked as of any other.
extension ConnectOperation {
    static let uploads: [ConnectOperation] = [
        upload(.post, "") { try await $0.begin($1, team: $2) },
        upload(.get, "") { try await $0.list($1, team: $2) },
        upload(.get, "/{id}") { try await $0.show($1, team: $2) },
        upload(.patch, "/{id}") { try await $0.commit($1, team: $2) },
        upload(.delete, "/{id}") { try await $0.delete($1, team: $2) },
        upload(
            .put, "/{id}/parts/{number}",
            admit: { call in
                _ = try await UploadAnswers(call.services).show(call.request, team: call.actor.team)
            }
        ) { try await $0.take($1, team: $2) },
    ]

    private static func upload(
        _ method: HTTPMethod, _ path: String,
        admit: (@Sendable (ConnectCall) async throws -> Void)? = nil,
        _ perform:
            @escaping @Sendable (UploadAnswers, HTTPRequest, Int64?) async throws ->
            HTTPResponse
    ) -> ConnectOperation {
        let pattern = String(UploadRoute.uploads.dropFirst(ConnectRouteTable.prefix.count)) + path
        return ConnectOperation(
            method, pattern, .uploadContent, own: .upload(method, path), readsDocument: false,
            admit: admit
        ) { call in
            .response(
                try await perform(UploadAnswers(call.services), call.request, call.actor.team))
        }
    }
}

/// Answers requests about uploads of content and of builds' files.
private struct UploadAnswers: Sendable {
    /// As many resources as a list has.
    private static let listLimit = 200

    private let services: APIServices
    private let receiver: UploadReceiver

    init(_ services: APIServices) {
        self.services = services
        self.receiver = UploadReceiver(uploads: services.uploads, files: services.uploadFiles)
    }

    func show(_ request: HTTPRequest, team: Int64?) async throws -> HTTPResponse {
        try answer(
            try await services.uploads.status(try id(in: request), team: team), to: request)
    }

    func delete(_ request: HTTPRequest, team: Int64?) async throws -> HTTPResponse {
        let id = try id(in: request)
        try await services.uploads.delete(id, team: team)
        let files = services.uploadFiles
        try await files.apart { try files.remove(id) }
        return HTTPResponse(status: 204, headers: ["Cache-Control": "no-store"])
    }

    func begin(_ request: HTTPRequest, team: Int64?) async throws -> HTTPResponse {
        let wanted = try attributes(UploadCreation.self, of: request)
        let subject = try Self.subject(wanted.productId?.text, wanted.buildId) {
            JSONAPIErrors.malformed("An upload is for a productId or a buildId, for one of them.")
        }
        let draft = UploadDraft(
            id: UploadID(UUID()), bundleID: wanted.bundleId, subject: subject,
            fileName: wanted.fileName, size: wanted.fileSize, digest: wanted.sha256,
            version: wanted.version)
        let free = try services.uploadFiles.freeBytes()
        guard wanted.validatesOnly != true else {
            try await services.uploads.validate(draft, team: team, free: free)
            return HTTPResponse(status: 204, headers: ["Cache-Control": "no-store"])
        }
        let (status, isNew) = try await services.uploads.begin(draft, team: team, free: free)
        return try answer(status, to: request, code: isNew ? 201 : 200)
    }

    func list(_ request: HTTPRequest, team: Int64?) async throws -> HTTPResponse {
        func filter(_ name: String) -> String? {
            request.query.first { $0.name == "filter[\(name)]" }?.value
        }
        func refusal(_ name: String) -> JSONAPIErrors {
            .parameter(
                "filter[\(name)]",
                "The list needs filter[app] and either filter[product] or filter[build].")
        }
        guard let app = filter("app").flatMap({ BundleID($0) }) else { throw refusal("app") }
        let (product, build) = (filter("product"), filter("build"))
        let subject = try Self.subject(product, build) { refusal("product") }
        let statuses = try await services.uploads.statuses(
            of: subject, in: app, team: team, limit: Self.listLimit)
        let place = product.map { "product]=\($0)" } ?? "build]=\(build ?? "")"
        return try .json(
            JSONAPIList(
                data: statuses.map { resource($0, at: request.origin) },
                links: JSONAPILinks(
                    self:
                        "\(request.origin)\(UploadRoute.uploads)?filter[app]=\(app)&filter[\(place)"
                ),
                limit: Self.listLimit))
    }

    func commit(_ request: HTTPRequest, team: Int64?) async throws -> HTTPResponse {
        let id = try id(in: request)
        guard try attributes(UploadCommitment.self, of: request, id: id).uploaded else {
            throw JSONAPIErrors.malformed("An upload is committed with uploaded = true.")
        }
        let status = try await receiver.commit(id, team: team)
        services.uploadCommitted()
        return try answer(status, to: request)
    }

    func take(_ request: HTTPRequest, team: Int64?) async throws -> HTTPResponse {
        let id = try id(in: request)
        let text = request.parameters.last ?? ""
        guard text.utf8.count <= 9, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(text)
        else { throw JSONAPIErrors.notFound("\"\(text.prefix(40))\" is no number of a part.") }
        let digest = try Self.digest(of: request)
        guard SHA256Digest.hex(request.body) == digest.text else {
            throw JSONAPIErrors.one(
                409, "ENTITY_ERROR.DIGEST", "The bytes do not belong to the digest",
                "The part was changed on its way; send it again.",
                source: JSONAPIError.Source(parameter: UploadRoute.digestHeader))
        }
        try await receiver.take(request.body, digest: digest, as: number, of: id, team: team)
        return HTTPResponse(status: 204, headers: ["Cache-Control": "no-store"])
    }

    /// The SHA-256 in the header of a part; other algorithms beside it are passed over.
    private static func digest(of request: HTTPRequest) throws -> ContentDigest {
        let fields = (request.headers[UploadRoute.digestHeader] ?? "").split(scalar: ",")
        for field in fields {
            let field = field.trimmingCharacters(in: .whitespaces)
            guard let text = field.dropping(prefix: "sha-256=:")?.dropping(suffix: ":"),
                let bytes = Data(base64Encoded: String(text)),
                bytes.count == 32, let digest = ContentDigest(SHA256Digest.hexadecimal(bytes))
            else { continue }
            return digest
        }
        throw JSONAPIErrors.parameter(
            UploadRoute.digestHeader,
            "A part needs its SHA-256 (RFC 9530), as sha-256=:<base64>:.")
    }

    // MARK: Form

    /// What an upload is for, of which a request names one.
    private static func subject(
        _ product: String?, _ build: String?, otherwise refusal: () -> JSONAPIErrors
    ) throws -> UploadSubject {
        switch (product, build) {
        case (let product?, nil):
            guard let id = ProductID(product) else { throw refusal() }
            return .product(id)
        case (nil, let build?):
            guard let id = AppBuildID(build) else {
                throw JSONAPIErrors.notFound("There is no build \"\(build.prefix(40))\".")
            }
            return .build(id)
        default: throw refusal()
        }
    }

    private func id(in request: HTTPRequest) throws -> UploadID {
        guard let text = request.parameters.first, let id = UploadID(text) else {
            throw JSONAPIErrors.notFound("There is no such upload.")
        }
        return id
    }

    /// The attributes of the resource in the body.
    private func attributes<Attributes: Codable & Sendable>(
        _ type: Attributes.Type, of request: HTTPRequest, id: UploadID? = nil
    ) throws -> Attributes {
        let data = try WireCoding.decode(
            JSONAPIRequest<Attributes>.self, from: request.body
        ).data
        guard data.type == UploadRoute.type, data.id == id?.text else {
            throw JSONAPIErrors.one(
                409, "ENTITY_ERROR.TYPE", "The type or id is not that of the path",
                "The body must hold a resource of the type \(UploadRoute.type)"
                    + (id.map { " with the id \($0)." } ?? " without an id."))
        }
        return data.attributes
    }

    private func answer(
        _ status: UploadService.Status, to request: HTTPRequest, code: Int = 200
    ) throws -> HTTPResponse {
        let resource = resource(status, at: request.origin)
        return try .json(JSONAPIDocument(data: resource, links: resource.links), status: code)
    }

    private func resource(
        _ status: UploadService.Status, at origin: String
    ) -> JSONAPIResource<UploadAttributes> {
        let upload = status.upload
        let isOpen = upload.state == .awaitingUpload
        let end = upload.changed.addingTimeInterval(services.uploads.rules.patience)
        return JSONAPIResource(
            type: UploadRoute.type, id: upload.id.text,
            attributes: UploadAttributes(
                bundleId: upload.bundleID, productId: upload.subject.product,
                buildId: upload.subject.build?.text, fileName: upload.fileName,
                fileSize: upload.parts.size, sha256: upload.digest,
                partSize: upload.parts.partSize, partCount: upload.parts.count,
                missingParts: status.missing.map(PartRange.init),
                receivedBytes: status.receivedBytes, state: upload.state.rawValue,
                processedBytes: upload.processed, version: upload.version?.text,
                productState: status.productState?.rawValue,
                problems: status.problems.map {
                    UploadAttributes.Problem(path: $0.path, rule: $0.rule, advice: $0.advice)
                }, expirationDate: isOpen ? end.milliseconds : nil),
            links: JSONAPILinks(self: origin + UploadRoute.upload(upload.id.text)))
    }
}
