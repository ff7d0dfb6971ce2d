import Foundation
import StoreCore
import StoreHTTP
import StoreKernel
import StoreModel
import StoreWire

/// Import and export of an app's products as files, which App Store Connect's API lacks.
extension ConnectOperation {
    static let productSheets: [ConnectOperation] = [
        ConnectOperation(
            .post, "/openstore/v1/apps/{id}/productImports", .manageProducts,
            own: .productImport, readsDocument: false, admit: { try await admit($0) }
        ) { try await importProducts($0) },
        ConnectOperation(
            .get, "/openstore/v1/apps/{id}/productExport", .viewApps, own: .productExport
        ) { try await exportProducts($0) },
    ]

    // MARK: In

    /// Who may not see the app sends no file.
    private static func admit(_ call: ConnectCall) async throws {
        _ = try await call.services.products.counts(of: try app(call), by: call.actor)
    }

    private static func importProducts(_ call: ConnectCall) async throws -> ConnectAnswer {
        let app = try app(call)
        let isRehearsal = call.query.others["dryRun"] == "true"
        // What was admitted may have changed while the file came.
        _ = try await call.services.products.counts(of: app, by: call.actor)
        do {
            let file = try await BlockingPool.uploads.run { try ProductFile(of: call.request) }
            let document = try ImportDocument(
                id: UUID().uuidString.lowercased(), in: FileManager.default.temporaryDirectory)
            let counts = try await call.services.productImports.run(
                file.listing, into: app, origin: file.origin, isRehearsal: isRehearsal,
                record: document, by: call.actor)
            let left = try await call.services.database.read { repositories in
                file.left(among: try repositories.catalog.products(of: app))
            }
            return .response(
                try document.answer(
                    counts, isRehearsal: isRehearsal, notTaken: file.notTaken + left,
                    address: call.address(of: call.request)))
        } catch let error as ProductFileError {
            throw JSONAPIErrors(error)
        } catch let refusal as ImportRefusal {
            throw JSONAPIErrors(refusal)
        }
    }

    private static func app(_ call: ConnectCall) throws -> AppID {
        guard let number = Int64(call.id) else {
            throw ConnectRefusal.notFound("app", call.id)
        }
        return AppID(number: number)
    }

    // MARK: Out

    private static func exportProducts(_ call: ConnectCall) async throws -> ConnectAnswer {
        let record = try await call.services.apps.app(try app(call), by: call.actor)
        var file = try ProductExportFile(record, by: call.actor, call.services)
        return .response(try await file.answer(try format(call.request)))
    }

    private static func format(_ request: HTTPRequest) throws -> ProductExportFile.Format {
        guard let text = request.query.first(where: { $0.name == "format" })?.value else {
            return .xml
        }
        guard let format = ProductExportFile.Format(rawValue: text) else {
            throw JSONAPIErrors.parameter("format", "The format is xml or storekit.")
        }
        return format
    }
}

extension OwnDescription {
    fileprivate static let productImport = OwnDescription(
        parameters: ["dryRun": ["type": "boolean"]],
        body: ["type": "string", "format": "binary"], bodyType: "application/octet-stream",
        answers: [
            200: .some([
                "type": "object",
                "properties": [
                    "data": [
                        "type": "object",
                        "properties": [
                            "type": ["type": "string", "enum": ["productImports"]],
                            "id": ["type": "string"],
                            "attributes": [
                                "type": "object",
                                "properties": [
                                    "dryRun": ["type": "boolean"], "added": ["type": "integer"],
                                    "changed": ["type": "integer"],
                                    "unchanged": ["type": "integer"],
                                    "notTaken": ["type": "array", "items": ["type": "string"]],
                                    "changes": ["type": "array", "items": productChange],
                                ],
                            ],
                        ],
                        "required": ["type", "id", "attributes"],
                    ],
                    "links": ["type": "object"],
                ],
                "required": ["data", "links"],
            ])
        ])

    private static let productChange: JSONValue = [
        "type": "object",
        "properties": [
            "line": ["type": "integer"], "productId": ["type": "string"],
            "kind": ["type": "string", "enum": ["added", "changed"]],
            "state": ["type": "string"],
            "differences": [
                "type": "array",
                "items": [
                    "type": "object",
                    "properties": [
                        "field": ["type": "string"], "before": ["type": "string"],
                        "after": ["type": "string"],
                    ],
                    "required": ["field"],
                ],
            ],
        ],
        "required": ["productId", "kind", "state", "differences"],
    ]

    fileprivate static let productExport = OwnDescription(
        parameters: [
            "format": [
                "type": "string", "enum": .texts(ProductExportFile.Format.allCases.map(\.rawValue)),
            ]
        ],
        answers: [200: .some(["type": "string"])], answerType: "application/xml")
}

extension JSONAPIErrors {
    /// What is wrong with a file's form.
    fileprivate init(_ error: ProductFileError) {
        self.init(
            error.problems.map { line, problem in
                JSONAPIError(
                    status: 422, code: "ENTITY_UNPROCESSABLE.FILE",
                    title: "The file is not of the right form",
                    detail: (line.map { "Line \($0): " } ?? "") + problem + ".",
                    meta: JSONAPIError.Meta(line: line))
            })
    }

    /// What the rules refuse of a file.
    fileprivate init(_ refusal: ImportRefusal) {
        self.init(
            refusal.problems.map { problem in
                let place = [problem.line.map { "Line \($0)" }, problem.productID?.text]
                    .compactMap { $0 }.joined(separator: ", ")
                return JSONAPIError(
                    status: 409, code: "STATE_ERROR.IMPORT",
                    title: "The products can't be imported",
                    detail: (place.isEmpty ? "" : "\(place): ") + problem.refusal.description,
                    meta: JSONAPIError.Meta(rule: problem.refusal.rule, line: problem.line))
            })
    }
}
