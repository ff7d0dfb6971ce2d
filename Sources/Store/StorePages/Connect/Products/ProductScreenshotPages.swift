import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// What reviewers get to see of an in-app purchase besides its texts: a screenshot and a note.
enum ProductScreenshotPages {
    private static let pattern = "/products/{id}/screenshot"
    /// As many bytes as the portal's script sends at once.
    private static let partSize = 512 << 10

    private static func path(_ record: ProductRecord, _ rest: String = "") -> String {
        ProductTabs.path(record.number, "/screenshot\(rest)")
    }

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await page(call))
    }

    /// - Parameters:
    ///   - sending: the form for a picture, where that was refused.
    ///   - note: the form of the note, where that was refused.
    ///   - step: a button's form, where that was refused.
    private static func page(
        _ call: PortalCall, sending: PortalForm? = nil, note: PortalForm? = nil,
        step: PortalForm? = nil
    ) async throws -> PortalPage {
        let record = try await ProductTabs.record(call)
        let mayChange = call.actor.allows(.manageProducts)
        let form = note ?? PortalForm(call)
        return try await ProductTabs.page(
            "Review Information", of: record, current: pattern, call,
            [
                step?.notices ?? .nothing,
                PortalPanel("Screenshot", [picture(record, mayChange, sending, call)]).html,
                PortalPanel(
                    "Note for reviewers",
                    [
                        mayChange
                            ? form.html(
                                ProductTabs.path(record.number, "/note"),
                                [
                                    form.area(
                                        "reviewNote", "Note", record.summary.reviewNote,
                                        hint: "How to find it in the app, and an account to try "
                                            + "it with. Customers never see it.",
                                        limit: 4000, rows: 6),
                                    form.actions("Save"),
                                ])
                            : .element("p", [], [.foreign(record.summary.reviewNote)])
                    ]
                ).html,
            ])
    }

    private static func picture(
        _ record: ProductRecord, _ mayChange: Bool, _ sending: PortalForm?, _ call: PortalCall
    ) -> HTML {
        var parts: [HTML] = []
        switch record.reviewScreenshot {
        case let asset? where asset.state == .complete:
            let size = asset.header.map { "\($0.width) × \($0.height)" } ?? ""
            parts = [
                .element(
                    "p", [],
                    [
                        .element(
                            "img",
                            [
                                .init("src", path(record, "/file")), .init("class", "screenshot"),
                                .init("alt", "The screenshot \(asset.fileName)"),
                            ])
                    ]),
                .element(
                    "p", class: "quiet",
                    "\(asset.fileName), \(size), \(PortalFormatting.bytes(asset.size))"),
            ]
            if mayChange {
                parts.append(
                    PortalForm(call).button(
                        "Remove", to: path(record, "/delete"),
                        question: "Remove the screenshot?"))
            }
        case let asset? where asset.state == .failed:
            parts = [
                PortalNotice(
                    .bad, "\(asset.fileName) was refused. \(asset.problem ?? "")"
                ).html
            ]
        case .some:
            parts = [PortalNotice(.warn, "Its upload was begun and not finished.").html]
        case nil:
            parts = [
                .element(
                    "p",
                    "Reviewers need a picture of the place where the app offers it. It is shown to "
                        + "nobody else.")
            ]
        }
        if mayChange { parts.append(upload(record, sending ?? PortalForm(call))) }
        return .group(parts)
    }

    private static func upload(_ record: ProductRecord, _ form: PortalForm) -> HTML {
        .element(
            "form",
            [
                .init("class", "form"), .init("method", "post"),
                .init("enctype", "multipart/form-data"), .init("action", path(record)),
                .init("data-upload", path(record)), .init("data-parts", String(partSize)),
            ],
            [
                form.summary, .formToken(form.token),
                form.file(
                    "fileName", record.reviewScreenshot == nil ? "Screenshot" : "Another one",
                    accept: "image/png,image/jpeg",
                    hint: "PNG or JPEG, as large as the screen of a device, at most 10 MB."),
                .element(
                    "noscript", [],
                    [
                        .element(
                            "p",
                            "Without scripts it has at most 1 MB; larger ones can be sent by the "
                                + "API.")
                    ]),
                form.actions("Upload"),
            ])
    }

    // MARK: The picture

    /// Takes a part of the file; the last one confirms it. The answer is JSON: `asset`, which the
    /// parts behind the first name; `location` at the end, `problem` where it is refused.
    static func take(_ call: PortalCall) async throws -> PortalAnswer {
        do {
            let record = try await ProductTabs.record(call)
            let offset = try number("offset", call)
            let asset = try await asset(of: record, startsAt: offset, call)
            try await call.services.assets.write(
                call.request.body, at: offset, of: asset.id, by: call.actor)
            guard offset + Int64(call.request.body.count) == asset.size else {
                return .response(try .json(TakenPart(asset: asset.id.text)))
            }
            let taken = try await call.services.assets.commit(
                asset.id, kind: .reviewScreenshot, checksum: nil, by: call.actor)
            if let problem = taken.problem {
                return .response(try .json(TakenPart(problem: problem)))
            }
            return .response(try .json(TakenPart(location: path(record))))
        } catch let refusal as ConnectRefusal
            where refusal.kind != .notFound && refusal.kind != .forbidden
        {
            return .response(
                try .json(TakenPart(problem: refusal.description), status: 422))
        }
    }

    private struct TakenPart: Encodable {
        var asset: String?
        var location: String?
        var problem: String?
    }

    /// The picture whose parts are arriving; the first part begins one. Of two that are sent at
    /// once the later takes the place of the earlier, whose parts then belong nowhere.
    private static func asset(
        of record: ProductRecord, startsAt offset: Int64, _ call: PortalCall
    ) async throws -> ProductAsset {
        if offset > 0 {
            guard let known = record.reviewScreenshot, known.id.text == call.query("asset") else {
                throw ConnectRefusal(
                    .state, rule: "assetReplaced", "Another picture has taken the place of this.",
                    help: "Reload the page to see it, or choose yours again.")
            }
            return known
        }
        let name = call.request.headers["X-File-Name"]?.removingPercentEncoding ?? ""
        return try await call.services.assets.reserve(
            AssetID(UUID()), kind: .reviewScreenshot, fileName: name,
            size: try number("size", call), of: record.number, by: call.actor)
    }

    private static func number(_ name: String, _ call: PortalCall) throws -> Int64 {
        guard let number = call.query(name).flatMap({ Int64($0) }), number >= 0 else {
            throw ConnectRefusal(
                .invalid, rule: "assetRange", field: name, "The part does not say its \(name).",
                help: "Reload the page and try again.")
        }
        return number
    }

    static func file(_ call: PortalCall) async throws -> PortalAnswer {
        let record = try await ProductTabs.record(call)
        guard let asset = record.reviewScreenshot, let header = asset.header,
            let bytes = try await call.services.assets.bytes(of: asset)
        else { throw ConnectRefusal.notFound("screenshot of", record.id.text) }
        let handle = FileHandle(fileDescriptor: bytes.descriptor, closeOnDealloc: true)
        return .download(
            try handle.readToEnd() ?? Data(), type: header.format.mediaType, name: asset.fileName)
    }

    /// Takes the whole file at once, from browsers without scripts.
    static func send(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let record = try await ProductTabs.record(call)
            guard let file = call.visit.files["fileName"] else {
                throw ConnectRefusal(
                    .invalid, rule: "fileMissing", field: "fileName", "No file is chosen.",
                    help: "Choose a picture.")
            }
            let assets = call.services.assets
            let asset = try await assets.reserve(
                AssetID(UUID()), kind: .reviewScreenshot, fileName: file.name,
                size: Int64(file.bytes.count), of: record.number, by: call.actor)
            try await assets.write(file.bytes, at: 0, of: asset.id, by: call.actor)
            let taken = try await assets.commit(
                asset.id, kind: .reviewScreenshot, checksum: nil, by: call.actor)
            return .redirect(
                to: path(record),
                notice: taken.problem == nil
                    ? "The screenshot is there." : "The picture was refused.")
        } again: {
            try await page(call, sending: $0)
        }
    }

    static func delete(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let record = try await ProductTabs.record(call)
            if let asset = record.reviewScreenshot {
                try await call.services.assets.delete(
                    asset.id, kind: .reviewScreenshot, by: call.actor)
            }
            return .redirect(to: path(record), notice: "The screenshot is removed.")
        } again: {
            try await page(call, step: $0)
        }
    }

    static func setNote(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let record = try await ProductTabs.record(call)
            _ = try await call.services.products.update(
                record.number, ProductChange(reviewNote: call.form["reviewNote"]),
                by: call.actor)
            return .redirect(to: path(record), notice: "Saved.")
        } again: {
            try await page(call, note: $0)
        }
    }
}
