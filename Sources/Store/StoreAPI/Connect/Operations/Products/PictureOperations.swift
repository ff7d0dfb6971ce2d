import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

extension ResourceType {
    static let reviewScreenshots = ResourceType(
        "inAppPurchaseAppStoreReviewScreenshots",
        at: "/v1/inAppPurchaseAppStoreReviewScreenshots",
        find: { call, id in try await call.picture(id, .reviewScreenshot) },
        relationships: [
            .one("inAppPurchaseV2") { call, wanted in
                let asset = try await call.asset(wanted.id, .reviewScreenshot)
                return Resource(try await call.product(asset.product.description).summary)
            }
        ])

    static let subscriptionScreenshots = ResourceType(
        "subscriptionAppStoreReviewScreenshots",
        at: "/v1/subscriptionAppStoreReviewScreenshots",
        find: { call, id in
            let asset = try await call.asset(id, .reviewScreenshot)
            _ = try await call.subscription(asset.product.description)
            return try Resource(subscriptionScreenshot: asset, call)
        },
        relationships: [
            .one("subscription") { call, wanted in
                let asset = try await call.asset(wanted.id, .reviewScreenshot)
                return Resource(
                    subscription: try await call.subscription(asset.product.description))
            }
        ])

    static let images = ResourceType(
        "inAppPurchaseImages", at: "/v1/inAppPurchaseImages",
        find: { call, id in try await call.picture(id, .image) },
        relationships: [
            .one("inAppPurchase") { call, wanted in
                let asset = try await call.asset(wanted.id, .image)
                return Resource(try await call.product(asset.product.description).summary)
            }
        ])

    /// The same as the API's second version shows them, which has them belong to versions.
    static let versionImages = ResourceType(
        "inAppPurchaseImages", at: "/v2/inAppPurchaseImages",
        find: { call, id in try Resource(version: await call.asset(id, .image), call) })
}

extension ConnectOperation {
    static let pictures: [ConnectOperation] = {
        let lists: [[ConnectOperation]] = [
            reading(.reviewScreenshots), reading(.images), reading(.versionImages),
            reading(.subscriptionScreenshots),
            changing("/v1/inAppPurchaseAppStoreReviewScreenshots", .reviewScreenshot) {
                .inAppPurchase(try $0.data.one("inAppPurchaseV2"))
            },
            changing("/v1/subscriptionAppStoreReviewScreenshots", .reviewScreenshot) {
                .subscription(try $0.data.one("subscription"))
            },
            changing("/v1/inAppPurchaseImages", .image) {
                .inAppPurchase(try $0.data.one("inAppPurchase"))
            },
            changing("/v2/inAppPurchaseImages", .image) {
                .version(try $0.data.one("version"))
            },
            [pictureParts, pictureFile],
        ]
        return lists.flatMap { $0 }
    }()

    /// What a picture that is made belongs to.
    fileprivate enum PictureOwner {
        case inAppPurchase(String)
        case subscription(String)
        case version(String)
    }

    private static func changing(
        _ path: String, _ kind: ProductAsset.Kind,
        _ owner: @escaping @Sendable (ConnectCall) throws -> PictureOwner
    ) -> [ConnectOperation] {
        [
            .create(path, .manageProducts) { call in
                let owner = try owner(call)
                let record = try await call.product(of: owner)
                let asset = try await call.services.assets.reserve(
                    AssetID(UUID()), kind: kind, fileName: try call.data.text("fileName"),
                    size: Int64(call.data.integer("fileSize") ?? 0), of: record.number,
                    by: call.actor)
                return try call.picture(asset, of: record, path)
            },
            .update("\(path)/{id}", .manageProducts) { call in
                let asset = try await call.asset(call.id, kind)
                let record = try await call.owner(of: asset, path)
                guard call.data.flag("uploaded") == true else {
                    return try call.picture(asset, of: record, path)
                }
                let committed = try await call.services.assets.commit(
                    asset.id, kind: kind,
                    checksum: call.data.optionalText("sourceFileChecksum"), by: call.actor)
                return try call.picture(committed, of: record, path)
            },
            .delete("\(path)/{id}", .manageProducts) { call in
                let asset = try await call.asset(call.id, kind)
                _ = try await call.owner(of: asset, path)
                try await call.services.assets.delete(asset.id, kind: kind, by: call.actor)
            },
        ]
    }

    /// Takes a part of a picture; `uploadOperations` says which parts there are.
    private static let pictureParts = ConnectOperation(
        .put, "/openstore/v1/productAssets/{id}/parts/{offset}", .manageProducts,
        own: OwnDescription(
            body: ["type": "string", "format": "binary"], bodyType: "application/octet-stream",
            answers: [204: .some(nil)]), readsDocument: false,
        admit: { _ = try await $0.asset($0.id, nil) }, takesUploadPermit: true
    ) { call in
        let asset = try await call.asset(call.id, nil)
        let text = call.request.parameters.last ?? ""
        guard let offset = Int64(text), offset >= 0, String(offset) == text else {
            throw ConnectRefusal.notFound("part", String(text.prefix(40)))
        }
        try await call.services.assets.write(
            call.request.body, at: offset, of: asset.id, by: call.actor)
        return .nothing
    }

    private static let pictureFile = ConnectOperation(
        .get, "/openstore/v1/productAssets/{id}/file", .viewApps,
        own: OwnDescription(answers: [200: .some(nil)]), readsDocument: false
    ) { call in
        let asset = try await call.asset(call.id, nil)
        guard let header = asset.header,
            let bytes = try await call.services.assets.bytes(of: asset)
        else { throw ConnectRefusal.notFound("picture", call.id) }
        let handle = FileHandle(fileDescriptor: bytes.descriptor, closeOnDealloc: true)
        return .response(
            HTTPResponse(
                status: 200,
                headers: [
                    "Content-Type": header.format.mediaType, "Cache-Control": "private",
                    "X-Content-Type-Options": "nosniff",
                ], body: try handle.readToEnd() ?? Data()))
    }
}

extension ConnectCall {
    fileprivate func product(of owner: ConnectOperation.PictureOwner) async throws -> ProductRecord
    {
        switch owner {
        case .inAppPurchase(let id): return try await product(id)
        case .subscription(let id): return try await subscription(id)
        case .version(let id):
            guard let number = ProductNumber(id)?.number else {
                throw ConnectRefusal.notFound("version", String(id.prefix(100)))
            }
            return try await services.products.revision(number, by: actor).record
        }
    }

    fileprivate func asset(
        _ id: String, _ kind: ProductAsset.Kind?
    ) async throws -> ProductAsset {
        guard let id = AssetID(id) else {
            throw ConnectRefusal.notFound(AssetID.name, String(id.prefix(100)))
        }
        return try await services.assets.asset(id, kind: kind, by: actor)
    }

    fileprivate func picture(_ id: String, _ kind: ProductAsset.Kind) async throws -> Resource {
        let asset = try await asset(id, kind)
        return try Resource(
            asset, of: await product(asset.product.description), self)
    }

    fileprivate func picture(
        _ asset: ProductAsset, of record: ProductRecord, _ path: String
    ) throws -> Resource {
        if path.hasPrefix(scalars: "/v2/") { return try Resource(version: asset, self) }
        return path.hasPrefix(scalars: "/v1/subscription")
            ? try Resource(subscriptionScreenshot: asset, self)
            : try Resource(asset, of: record, self)
    }

    /// The product that a picture at a path belongs to: pictures of subscriptions have a path
    /// of their own.
    fileprivate func owner(
        of asset: ProductAsset, _ path: String
    ) async throws -> ProductRecord {
        let id = asset.product.description
        return path.hasPrefix(scalars: "/v1/subscription")
            ? try await subscription(id) : try await product(id)
    }

    /// How the bytes of a picture are sent: in parts that the server takes, with a token for this
    /// picture alone. Who only reads gets none.
    fileprivate func uploadOperations(_ asset: ProductAsset) throws -> JSONValue {
        guard asset.state == .awaitingUpload, actor.allows(.manageProducts) else { return .null }
        let part: Int64 = 512 << 10
        let token = try UploadTokens(seals: services.seals).token(
            for: asset.id, by: actor, at: services.clock.now())
        let headers = [
            ("Content-Type", "application/octet-stream"), ("Authorization", "Bearer \(token)"),
        ]
        return .array(
            stride(from: 0, to: asset.size, by: Int64.Stride(part)).map { offset -> JSONValue in
                [
                    "method": "PUT",
                    "url": .string(
                        "\(base)/openstore/v1/productAssets/\(asset.id)/parts/\(offset)"),
                    "offset": .integer(offset), "length": .integer(min(part, asset.size - offset)),
                    "requestHeaders": .array(
                        headers.map { name, value -> JSONValue in
                            ["name": .string(name), "value": .string(value)]
                        }),
                ]
            })
    }

    fileprivate func imageAsset(_ asset: ProductAsset) -> JSONValue {
        guard asset.state == .complete, let header = asset.header else { return .null }
        return [
            "templateUrl": .string("\(base)/openstore/v1/productAssets/\(asset.id)/file"),
            "width": .integer(header.width), "height": .integer(header.height),
        ]
    }
}

extension Resource {
    /// A picture as the API's first version shows it.
    init(_ asset: ProductAsset, of record: ProductRecord, _ call: ConnectCall) throws {
        let isScreenshot = asset.kind == .reviewScreenshot
        var attributes = try Self.attributes(asset, call)
        attributes["sourceFileChecksum"] = .text(asset.checksum)
        if isScreenshot {
            attributes["assetDeliveryState"] = Self.delivery(asset)
            attributes["assetType"] = "SCREENSHOT"
        } else {
            attributes["state"] = .string(Self.imageState(asset, of: record))
        }
        self.init(
            isScreenshot ? .reviewScreenshots : .images, id: asset.id.text, attributes,
            links: [
                isScreenshot ? "inAppPurchaseV2" : "inAppPurchase": [
                    ResourceLink(type: "inAppPurchases", id: asset.product.description)
                ]
            ])
    }

    /// The screenshot that shows reviewers a subscription.
    init(subscriptionScreenshot asset: ProductAsset, _ call: ConnectCall) throws {
        var attributes = try Self.attributes(asset, call)
        attributes["sourceFileChecksum"] = .text(asset.checksum)
        attributes["assetDeliveryState"] = Self.delivery(asset)
        attributes["assetType"] = "SCREENSHOT"
        self.init(
            .subscriptionScreenshots, id: asset.id.text, attributes,
            links: [
                "subscription": [
                    ResourceLink(type: "subscriptions", id: asset.product.description)
                ]
            ])
    }

    /// An image as the API's second version shows it.
    init(version asset: ProductAsset, _ call: ConnectCall) throws {
        var attributes = try Self.attributes(asset, call)
        attributes["assetDeliveryState"] = Self.delivery(asset)
        self.init(.versionImages, id: asset.id.text, attributes)
    }

    private static func attributes(
        _ asset: ProductAsset, _ call: ConnectCall
    ) throws -> [String: JSONValue] {
        [
            "fileName": .string(asset.fileName), "fileSize": .integer(asset.size),
            "assetToken": .string(asset.id.text), "imageAsset": call.imageAsset(asset),
            "uploadOperations": try call.uploadOperations(asset),
        ]
    }

    private static func delivery(_ asset: ProductAsset) -> JSONValue {
        var errors: [JSONValue] = []
        if let problem = asset.problem {
            errors = [["code": "IMAGE_REFUSED", "description": .string(problem)]]
        }
        return [
            "state": .string(asset.state.rawValue), "errors": .array(errors),
            "warnings": .array([]),
        ]
    }

    private static func imageState(_ asset: ProductAsset, of record: ProductRecord) -> String {
        guard asset.state == .complete else { return asset.state.rawValue }
        switch record.state {
        case .waitingForReview, .inReview, .pendingBinaryApproval: return "WAITING_FOR_REVIEW"
        case .approved, .developerRemovedFromSale, .removedFromSale: return "APPROVED"
        case .rejected: return "REJECTED"
        default: return "PREPARE_FOR_SUBMISSION"
        }
    }
}
