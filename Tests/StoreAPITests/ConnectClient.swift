import Foundation
import StoreAPI
@testable import StoreCore
import StoreHTTP
import StoreModel
import StorePackage
import StoreSecurity
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

/// A publisher's program with a key of the API.
struct ConnectClient: Sendable {
    let shop: TestStore
    let clock: SettableClock
    private let transport: @Sendable (HTTPRequest) async throws -> HTTPResponse
    var key: APIKey
    var signer: SigningKey
    /// Changes the claims of each token before it is signed.
    var spoil: @Sendable (inout APIToken.Claims) -> Void = { _ in }
    /// Takes the place of the token.
    var token: String?? = nil

    /// - Parameter team: by name; nil for a key of the operator.
    init(
        _ shop: TestStore, clock: SettableClock, altitude: Altitude = .router,
        role: ConnectRole = .developer, team: String? = nil
    ) async throws {
        self.shop = shop
        self.clock = clock
        switch altitude {
        case .router:
            let router = try StoreRoutes(services: shop.store.services).router()
            transport = { try await router.response(to: $0) }
        case .socket:
            let client = LoopbackClient(port: shop.server.port)
            transport = { try await client.send($0) }
        }
        let id = try await shop.store.database.write { repositories in
            try team.map {
                try repositories.catalog.save(TeamDraft(name: $0, hasPaidAgreement: true)).id
            }
        }
        (key, signer) = try await shop.store.addAPIKey(role, of: id)
    }

    func makeToken() throws -> String? {
        if let token { return token }
        let now = clock.now()
        var claims = APIToken.Claims(
            issuer: key.issuer.text, issued: now, expiration: now.addingTimeInterval(600),
            audiences: [APITokenRules.audience])
        spoil(&claims)
        return try APIToken.sign(claims, keyID: key.id.text, key: signer)
    }

    func send(
        _ method: String, _ path: String, _ body: Data = Data(), headers: HTTPHeaders = [:],
        query: [(name: String, value: String)] = []
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(
            method: method, path: path, query: query, headers: headers, body: body,
            // What a proxy says counts from a proxy only.
            peer: headers["X-Forwarded-Proto"] == nil ? nil : "127.0.0.1")
        // The operator has said so.
        request.statedOrigin = "http://store.example"
        request.headers["Authorization"] = try makeToken().map { "Bearer \($0)" }
        return try await transport(request)
    }

    // MARK: Uploads

    func begin(
        _ file: Data, name: String = "chapter.pkg", product: String = SampleShop.chapter,
        app: BundleID = SampleShop.bundleID, size: Int64? = nil, digest: ContentDigest? = nil,
        version: ContentVersion? = nil, validatesOnly: Bool? = nil
    ) async throws -> HTTPResponse {
        let creation = UploadCreation(
            bundleId: app, productId: ProductID(product)!, fileName: name,
            fileSize: size ?? Int64(file.count),
            sha256: digest ?? ContentDigest(SHA256Digest.hex(file))!, version: version,
            validatesOnly: validatesOnly)
        return try await send(
            "POST", UploadRoute.uploads,
            WireCoding.encode(JSONAPIRequest(type: UploadRoute.type, attributes: creation)))
    }

    /// Begins an upload that is taken.
    func begun(_ file: Data) async throws -> JSONAPIResource<UploadAttributes> {
        try await begin(file).upload()
    }

    static func digestHeader(_ bytes: Data) -> String {
        "sha-256=:\(SHA256Digest.of(bytes).base64EncodedString()):"
    }

    /// Sends a part, again while the upload is busy: a program that another test starts has the
    /// lock of its file, too, until it has begun.
    func part(
        _ number: String, of id: String, _ bytes: Data, digest: String? = nil
    ) async throws -> HTTPResponse {
        var response = HTTPResponse(status: 409)
        try await until {
            response = try await send(
                "PUT", "\(UploadRoute.upload(id))/parts/\(number)", bytes,
                headers: [UploadRoute.digestHeader: digest ?? Self.digestHeader(bytes)])
            guard response.status == 409 else { return true }
            return try response.refusal() != "409 STATE_ERROR.UPLOAD_BUSY"
        }
        return response
    }

    /// Sends the part of a file that an upload has under a number.
    func part(
        _ number: Int, of upload: JSONAPIResource<UploadAttributes>, _ file: Data
    ) async throws -> HTTPResponse {
        let size = Int(upload.attributes.partSize)
        let end = min(file.count, (number + 1) * size)
        let start = min(end, number * size)
        return try await part("\(number)", of: upload.id, Data(file[start..<end]))
    }

    func commit(_ id: String) async throws -> HTTPResponse {
        try await send(
            "PATCH", UploadRoute.upload(id),
            WireCoding.encode(
                JSONAPIRequest(
                    type: UploadRoute.type, id: id, attributes: UploadCommitment(uploaded: true))))
    }

    func status(_ id: String) async throws -> UploadAttributes {
        try await send("GET", UploadRoute.upload(id)).upload().attributes
    }

    /// Sends a whole file and commits it.
    func upload(_ file: Data) async throws -> JSONAPIResource<UploadAttributes> {
        let upload = try await begun(file)
        for range in upload.attributes.missingParts {
            try #require(range.first <= range.last)
            for number in range.first...range.last {
                #expect(try await part(number, of: upload, file).status == 204)
            }
        }
        return try await commit(upload.id).upload()
    }

    /// A package of content, as a publisher builds it.
    static func package(
        version: String = "1.0", product: String = SampleShop.chapter, noiseBytes: Int = 1000
    ) throws -> Data {
        let folder = try TemporaryFolder()
        try folder.write("c/ContentInfo.plist", SampleShop.contentInfo(product, version: version))
        try folder.write("c/Contents/noise", SampleShop.noise(noiseBytes, seed: 3))
        let file = folder.file("c.pkg")
        try PackageBuilder(folder: folder.file("c")).build(to: file)
        return try Data(contentsOf: file)
    }
}

extension HTTPResponse {
    /// The upload in the body, in the form that every answer has.
    func upload() throws -> JSONAPIResource<UploadAttributes> {
        guard (200...201).contains(status) else { throw try errors() }
        #expect(headers["Content-Type"] == "application/json")
        #expect(headers["Cache-Control"] == "no-store")
        let document = try WireCoding.decode(
            JSONAPIDocument<UploadAttributes>.self, from: data)
        #expect(document.data.type == "contentUploads")
        let link = document.links.`self`
        #expect(link.hasPrefix("http://"), "\(link)")
        #expect(link.hasSuffix(UploadRoute.upload(document.data.id)), "\(link)")
        #expect(document.data.links == document.links)
        return document.data
    }

    /// The errors in the body, in the form that every refusal has.
    func errors() throws -> JSONAPIErrors {
        #expect(headers["Content-Type"] == "application/json")
        #expect((headers["WWW-Authenticate"] == "Bearer") == (status == 401))
        let errors = try WireCoding.decode(JSONAPIErrors.self, from: data)
        try #require(errors.errors.count == 1)
        #expect(
            errors.errors.allSatisfy { $0.status == "\(status)" && $0.detail?.isEmpty == false })
        return errors
    }

    /// Status and code of a refusal.
    func refusal() throws -> String { "\(status) \(try errors().errors[0].code)" }
}

extension TestStore {
    /// A shop whose chapter waits for its content.
    static func waitingForUpload(clock: SettableClock) async throws -> TestStore {
        let shop = try await TestStore(hasContent: false, clock: clock)
        try await shop.store.setHosting(true, of: ProductID(SampleShop.chapter)!)
        return shop
    }

    func chapter() async throws -> Product {
        try await store.database.read { repositories in
            let app = try repositories.sampleApp()
            return try #require(
                try repositories.catalog.product(ProductID(SampleShop.chapter)!, in: app.id))
        }
    }
}
