import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

extension ResourceType {
    /// Pictures, sounds and films of items.
    static let itemMedia = ResourceType(
        "itemMedia", at: "/openstore/v1/itemMedia", reading: .viewApps,
        shape: ResourceShape([
            "kind": .choice(ItemMedia.Kind.allCases.map(\.rawValue)),
            "position": .integer(1...1000), "fileName": .text(1...255),
            "mediaType": .text(1...100), "fileSize": .integer(0...(1 << 53)),
            "sha256": .text(64...64), "width": .optional(.integer(1...100_000)),
            "height": .optional(.integer(1...100_000)),
        ]),
        find: { call, id in Resource(try await call.media(id)) },
        relationships: [
            .one("item", to: "items") { call, wanted in
                let media = try await call.media(wanted.id)
                return Resource(try await call.services.items.item(media.item, by: call.actor))
            }
        ])
}

extension Resource {
    init(_ media: ItemMedia) {
        self.init(
            .itemMedia, id: media.id.text,
            [
                "kind": .string(media.kind.rawValue), "position": .integer(media.position),
                "fileName": .string(media.fileName), "mediaType": .string(media.mediaType),
                "fileSize": .integer(media.size), "sha256": .string(media.digest.text),
                "width": .integer(media.width), "height": .integer(media.height),
            ],
            links: ["item": [ResourceLink(type: "items", id: media.item.description)]])
    }
}

extension ConnectOperation {
    static let itemMedia: [ConnectOperation] =
        reading(.itemMedia) + [
            ConnectOperation(
                .post, "/openstore/v1/items/{id}/media", .manageItems, own: .mediaUpload,
                readsDocument: false,
                admit: { call in
                    _ = try await call.services.items.item(
                        ResourceType.itemID(call.id), by: call.actor)
                    try checkLength(call)
                }
            ) { .created(Resource(try await add($0))) },
            .update(.itemMedia, .manageItems, changing: ["position"]) { call in
                let media = try await call.media(call.id)
                guard let position = call.data.integer("position") else { return Resource(media) }
                return Resource(
                    try await call.services.itemMedia.move(
                        media.id, to: position, by: call.actor))
            },
            .delete(.itemMedia, .manageItems) { call in
                try await call.services.itemMedia.remove(
                    try await call.media(call.id).id, by: call.actor)
            },
            ConnectOperation(
                .get, "/openstore/v1/itemMedia/{id}/file", .viewApps,
                own: OwnDescription(answers: [200: .some(nil)]), readsDocument: false
            ) { .response(try await file($0)) },
        ]

    /// Who announces more than the store takes need not send it.
    private static func checkLength(_ call: ConnectCall) throws {
        let length = call.request.headers["Content-Length"].flatMap { Int64($0) } ?? 0
        let limit = ItemMediaRules.sizeLimit(of: try kind(call))
        guard length <= limit else {
            throw JSONAPIErrors.one(
                413, "REQUEST_ENTITY_TOO_LARGE", "The request entity is too large",
                "The file may have \(limit) bytes.")
        }
    }

    private static func kind(_ call: ConnectCall) throws -> ItemMedia.Kind {
        guard let kind = call.query.others["kind"].flatMap(ItemMedia.Kind.init(rawValue:)) else {
            let names = ItemMedia.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw JSONAPIErrors.parameter("kind", "Say what the file is: \(names).")
        }
        return kind
    }

    /// Takes a file, which is on disk where it is large.
    private static func add(_ call: ConnectCall) async throws -> ItemMedia {
        let id = try ResourceType.itemID(call.id)
        let query = call.query.others
        let kind = try kind(call)
        guard let name = query["fileName"], !name.isEmpty else {
            throw JSONAPIErrors.parameter("fileName", "Say what the file is called.")
        }
        let file = try call.request.bodyOnDisk()
        return try await call.services.itemMedia.add(
            URL(fileURLWithPath: file.path), kind: kind,
            position: query["position"].flatMap { Int($0) }, fileName: name, to: id,
            by: call.actor)
    }

    private static func file(_ call: ConnectCall) async throws -> HTTPResponse {
        let media = try await call.media(call.id)
        let tag = "\"\(media.digest.text)\""
        let request = call.request
        let bytes = try await call.services.itemMedia.open(media) {
            FileAnswer.wanted(by: request, entityTag: tag, length: $0)
        }
        guard let bytes else {
            throw ConnectRefusal.notFound("file of", media.id.text)
        }
        return FileAnswer(
            descriptor: bytes.descriptor, length: bytes.length, mediaType: media.mediaType,
            entityTag: tag, cacheControl: "private, no-cache", origin: bytes.origin
        ).response(to: call.request)
    }
}

extension ConnectCall {
    fileprivate func media(_ id: String) async throws -> ItemMedia {
        guard let number = AssetID(id) else {
            throw ConnectRefusal.notFound("picture, sound or film", String(id.prefix(100)))
        }
        return try await services.itemMedia.media(number, by: actor)
    }
}

extension HTTPRequest {
    /// The body as a file, wherever it is.
    fileprivate func bodyOnDisk() throws -> AnonymousFile {
        if let bodyFile { return bodyFile }
        let file = try AnonymousFile(
            in: FileManager.default.temporaryDirectory, reserve: UploadRules.store.reserve)
        try file.append(body)
        return file
    }
}

extension OwnDescription {
    /// The bytes of a file, and what it is.
    fileprivate static let mediaUpload: OwnDescription = {
        var description = OwnDescription.creation(
            of: .itemMedia, required: ["kind", "fileName"], optional: ["position"])
        description.parameters = [
            "kind": ["type": "string", "enum": .texts(ItemMedia.Kind.allCases.map(\.rawValue))],
            "fileName": ["type": "string"],
            "position": ["type": "integer", "minimum": 1, "maximum": 1000],
        ]
        description.body = ["type": "string", "format": "binary"]
        description.bodyType = "application/octet-stream"
        return description
    }()
}
