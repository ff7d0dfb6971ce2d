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
                ? try await call.services.packages?.uploads(
                    for: .product(record.number), by: call.actor) ?? []
                : []
            if call.actor.allows(.uploadContent) {
                let isOpen = ProductRules.table[.receive]?[record.state] != nil
                content.append(
                    panel(record).html(
                        uploads,
                        closed: isOpen
                            ? nil : ProductRules.help(after: .receive, in: record.state), form,
                        call))
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

    /// How packages of the product are uploaded.
    private static func panel(_ record: ProductRecord) -> UploadPanel {
        UploadPanel(
            path: path(record), name: "Package", accept: ".pkg",
            hint: "A .pkg file, as openstore content build makes it, of at most "
                + "\(PortalFormatting.bytes(PackageSize.largest)).",
            command: "openstore content upload")
    }

    /// Whose packages the requests of a product's page are about.
    static func requests(_ call: PortalCall) async throws -> PackageRequests.Page {
        let record = try await SalePages.product(call).record
        return PackageRequests.Page(
            target: .product(record.number), path: path(record), firstParameter: 1
        ) { form in
            try await page(record, form, call)
        }
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
                            .text(PortalFormatting.bytes(release.downloadLength)),
                            .text(PortalFormatting.bytes(release.unpackedLength)),
                            PortalFormatting.time(record.created), .foreign(record.message ?? "—"),
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
