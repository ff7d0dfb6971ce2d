import StoreCore
import StoreModel

/// The hosted content of a product: whether there is some, its versions, its uploads.
enum ContentPages {
    static func path(_ record: ProductRecord) -> String {
        "\(SalePages.path(record.number))/content"
    }

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        let record = try await SalePages.product(call).record
        return .page(try await page(record, PortalForm(call), call))
    }

    static func host(_ call: PortalCall) async throws -> PortalAnswer {
        let record = try await SalePages.product(call).record
        return try await call.submit {
            let isHosted = call.form["isHosted"] == "true"
            _ = try await call.services.hosting.setHosting(
                isHosted, of: record.number, by: call.actor)
            return .redirect(
                to: path(record),
                notice: isHosted
                    ? "The store hosts its content. Upload a package now."
                    : "The store does not host its content any more.")
        } again: {
            try await page(record, $0, call)
        }
    }

    static func page(
        _ record: ProductRecord, _ form: PortalForm, _ call: PortalCall
    ) async throws -> PortalPage {
        let product = record.product
        var content: [HTML] = [form.notices]
        content.append(hosting(record, call))
        if product.hostsContent {
            let uploads =
                call.actor.allows(.uploadContent)
                ? try await call.services.packages?.uploads(of: record.number, by: call.actor) ?? []
                : []
            if call.actor.allows(.uploadContent) {
                content.append(upload(record, uploads, form, call))
            }
            content.append(
                versions(
                    try await call.services.hosting.versions(of: record.number, by: call.actor)))
        }
        return try await ProductTabs.page(
            "Hosted Content", of: record, current: "/products/{id}/content", call, content)
    }

    // MARK: Hosting

    private static func hosting(_ record: ProductRecord, _ call: PortalCall) -> HTML {
        let product = record.product
        let isHosted = product.hostsContent
        let step: ProductStep = isHosted ? .unhost : .host
        let isAllowed =
            !product.wasOnSale && ProductRules.table[step]?[record.state] != nil
            && record.summary.type == .nonConsumable && call.actor.allows(.manageProducts)
        let words =
            if record.summary.type != .nonConsumable {
                "Only non-consumable products have hosted content."
            } else if isHosted {
                "The store hosts its content: it is sold with a version of it, which the framework "
                    + "downloads for the app."
            } else if product.wasOnSale {
                "It was on sale without hosted content, and stays so."
            } else {
                "The app brings its content itself, or loads it from elsewhere. The store can host "
                    + "it instead; that can be taken back until the product is first on sale."
            }
        return PortalPanel(
            "Hosting",
            [
                .element("p", words),
                isAllowed
                    ? PortalForm(call).button(
                        isHosted ? "Stop Hosting" : "Host Its Content",
                        to: "\(path(record))/hosting",
                        [("isHosted", isHosted ? "false" : "true")],
                        question: isHosted
                            ? "Stop hosting the content of \(record.summary.referenceName)?" : nil)
                    : .nothing,
            ]
        ).html
    }

    // MARK: Uploading

    private static func upload(
        _ record: ProductRecord, _ uploads: [UploadService.Status], _ form: PortalForm,
        _ call: PortalCall
    ) -> HTML {
        let open = uploads.filter { $0.upload.state == .awaitingUpload }
        let running = uploads.first { $0.upload.state == .uploadComplete }
        let failed = uploads.first.flatMap { $0.upload.state == .failed ? $0 : nil }
        let isOpen = ProductRules.table[.receive]?[record.state] != nil
        var content: [HTML] = []
        if let running { content.append(processing(running, record)) }
        if let failed { content.append(problems(failed)) }
        content += open.map { unfinished($0, record, call) }
        if isOpen, running == nil {
            content.append(chooser(record, hasUnfinished: !open.isEmpty, form, call))
        } else if running == nil {
            content.append(
                .element("p", ProductRules.help(after: .receive, in: record.state)))
        }
        return PortalPanel("Upload", content).html
    }

    private static func chooser(
        _ record: ProductRecord, hasUnfinished: Bool, _ form: PortalForm, _ call: PortalCall
    ) -> HTML {
        let limit = Int64(call.services.packages?.largestWhole ?? 0)
        return .group([
            form.packaging(
                "\(path(record))/package", upload: "\(path(record))/uploads",
                [
                    form.file(
                        "package", hasUnfinished ? "The same package, or another one" : "Package",
                        accept: ".pkg",
                        hint: "A .pkg file, as openstore content build makes it, of at most 2 GB."),
                    form.actions(hasUnfinished ? "Upload, or Go On" : "Upload"),
                ]),
            .element(
                "noscript", [],
                [
                    .element(
                        "p", class: "quiet",
                        "Without scripts a browser sends packages of at most "
                            + "\(PortalWords.bytes(limit)). For larger ones use openstore content "
                            + "upload, or allow scripts for this page.")
                ]),
        ])
    }

    /// What was sent of a package before the page was left.
    private static func unfinished(
        _ status: UploadService.Status, _ record: ProductRecord, _ call: PortalCall
    ) -> HTML {
        let upload = status.upload
        let part =
            upload.parts.size > 0 ? Double(status.receivedBytes) / Double(upload.parts.size) : 0
        return .element(
            "div", [.init("class", "unfinished"), .init("data-upload-digest", upload.digest.text)],
            [
                .element(
                    "p", [],
                    [
                        .element("strong", [], [.foreign(upload.fileName)]),
                        .text(
                            ": \(PortalWords.bytes(status.receivedBytes)) of "
                                + "\(PortalWords.bytes(upload.parts.size)) have arrived. Choose the "
                                + "same file to go on."),
                    ]),
                PortalProgress("Upload of \(upload.fileName)", part).html,
                PortalForm(call).button(
                    "Give It Up", to: "\(path(record))/uploads/\(upload.id)/cancel",
                    question: "Give up the upload of \(upload.fileName)?"),
            ])
    }

    private static func processing(
        _ status: UploadService.Status, _ record: ProductRecord
    ) -> HTML {
        let upload = status.upload
        let part =
            upload.parts.size > 0 ? Double(upload.processed) / Double(upload.parts.size) : 0
        return .element(
            "div",
            [
                .init("class", "processing"),
                .init("data-poll", "\(path(record))/uploads/\(upload.id)"),
            ],
            [
                .element(
                    "p", [],
                    [
                        .element("strong", [], [.foreign(upload.fileName)]),
                        .text(
                            " is checked and made ready. Some minutes may pass; reload the page."),
                    ]),
                PortalProgress("Processing of \(upload.fileName)", part).html,
            ])
    }

    private static func problems(_ status: UploadService.Status) -> HTML {
        PortalNotice(
            .bad,
            [
                .element(
                    "p", class: "title", "\(status.upload.fileName) was refused"),
                .element(
                    "ul", [],
                    status.problems.map { problem in
                        .element(
                            "li", [],
                            [
                                problem.path.isEmpty
                                    ? .nothing
                                    : .element("code", [], [.foreign(problem.path)]),
                                .text(problem.path.isEmpty ? problem.advice : " \(problem.advice)"),
                            ])
                    }),
            ]
        ).html
    }

    // MARK: Versions

    private static func versions(_ records: [ReleaseRecord]) -> HTML {
        PortalPanel(
            "Versions",
            [
                PortalTable(
                    "Versions of the content, the newest first",
                    columns: [
                        .init("Version"), .init("State"), .init("Download", isNumber: true),
                        .init("Unpacked", isNumber: true), .init("Made"),
                        .init("The reviewer says"),
                    ],
                    rows: records.map { record in
                        let release = record.release
                        return [
                            .text(release.version.text),
                            release.isRetired
                                ? PortalBadge("No Longer Kept", .plain).html
                                : release.state.badge.html,
                            .text(PortalWords.bytes(release.downloadLength)),
                            .text(PortalWords.bytes(release.unpackedLength)),
                            PortalWords.time(record.created), .foreign(record.message ?? "—"),
                        ]
                    },
                    none: (
                        "No content yet",
                        "The product is ready to be submitted once a package has been processed."
                    )
                ).html()
            ]
        ).html
    }
}

extension PortalForm {
    /// A form with a package: sent in parts by the portal's script, which can go on after the
    /// page was left; whole without scripts.
    fileprivate func packaging(_ action: String, upload: String, _ content: [HTML]) -> HTML {
        .element(
            "form",
            [
                .init("method", "post"), .init("class", "form"), .init("action", action),
                .init("enctype", "multipart/form-data"), .init("data-package", upload),
            ], [.formToken(token)] + content)
    }
}
