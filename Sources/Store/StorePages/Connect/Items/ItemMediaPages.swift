import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// Pictures, sounds and films of an item: seen, added, ordered and taken away.
enum ItemMediaPages {
    private static let rest = "/media"
    /// The largest form with a file, bytes; larger files go by the command.
    static let formLimit = 512 << 20

    private static func path(_ item: Item, _ more: String = "") -> String {
        ItemTabs.path(item.id, rest + more)
    }

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await page(call))
    }

    // MARK: Changing

    static func add(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let item = try await ItemTabs.item(call)
            guard let kind = ItemMedia.Kind(rawValue: call.form["kind"]) else {
                throw ConnectRefusal(
                    .invalid, rule: "kindMissing", field: "kind", "It isn’t said what the file is.",
                    help: "Choose from the list.")
            }
            guard let file = call.files["fileName"] else {
                throw ConnectRefusal(
                    .invalid, rule: "fileMissing", field: "fileName", "No file is chosen.",
                    help: "Choose a file.")
            }
            let copy = try AnonymousFile(
                in: FileManager.default.temporaryDirectory, reserve: UploadRules.store.reserve)
            try copy.append(file.bytes)
            let media = try await call.services.itemMedia.add(
                URL(fileURLWithPath: copy.path), kind: kind, position: nil, fileName: file.name,
                to: item.id, by: call.actor)
            return .redirect(to: path(item), notice: "\(media.fileName) is there.")
        } again: {
            try await page(call, adding: $0)
        }
    }

    static func move(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let (item, media) = try await media(call)
            guard let position = Int(call.form["position"]) else {
                throw ConnectRefusal(
                    .invalid, rule: "position", field: "position", "No place is said.",
                    help: "Reload the page and try again.")
            }
            _ = try await call.services.itemMedia.move(media.id, to: position, by: call.actor)
            return .redirect(to: path(item), notice: "\(media.fileName) is moved.")
        } again: {
            try await page(call, step: $0)
        }
    }

    static func delete(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let (item, media) = try await media(call)
            try await call.services.itemMedia.remove(media.id, by: call.actor)
            return .redirect(to: path(item), notice: "\(media.fileName) is removed.")
        } again: {
            try await page(call, step: $0)
        }
    }

    /// The bytes, for the page's previews.
    static func file(_ call: PortalCall) async throws -> PortalAnswer {
        let (_, media) = try await media(call)
        let tag = "\"\(media.digest.text)\""
        let request = call.request
        let bytes = try await call.services.itemMedia.open(media) {
            FileAnswer.wanted(by: request, entityTag: tag, length: $0)
        }
        guard let bytes else {
            throw ConnectRefusal.notFound("file of", media.id.text)
        }
        return .response(
            FileAnswer(
                descriptor: bytes.descriptor, length: bytes.length, mediaType: media.mediaType,
                entityTag: tag, cacheControl: "private, no-cache", origin: bytes.origin
            ).response(to: call.request))
    }

    /// What the path names, which must belong to its item.
    private static func media(_ call: PortalCall) async throws -> (Item, ItemMedia) {
        let item = try await ItemTabs.item(call)
        let text = call.parameter(1)
        guard let id = AssetID(text) else {
            throw ConnectRefusal.notFound("media file", String(text.prefix(40)))
        }
        let media = try await call.services.itemMedia.media(id, by: call.actor)
        guard media.item == item.id else { throw ConnectRefusal.notFound("media file", id.text) }
        return (item, media)
    }

    // MARK: The page

    /// - Parameters:
    ///   - adding: the form with a file, where that was refused.
    ///   - step: a button's form, where that was refused.
    private static func page(
        _ call: PortalCall, adding: PortalForm? = nil, step: PortalForm? = nil
    ) async throws -> PortalPage {
        let item = try await ItemTabs.item(call)
        let all = try await call.services.itemMedia.media(of: item.id, by: call.actor)
        let kinds = ItemMedia.Kind.allCases.filter { belongs($0, to: item.details.kind) }
        let shown = ItemMedia.Kind.allCases.filter { kind in all.contains { $0.kind == kind } }
        return ItemTabs.page(
            "Pictures and Media", of: item, current: rest,
            [
                step?.notices ?? .nothing,
                .group(
                    shown.map { kind in
                        list(all.filter { $0.kind == kind }, kind, item, call)
                    }),
                PortalPanel("Add", [form(item, kinds, adding ?? PortalForm(call))]).html,
            ])
    }

    private static func belongs(_ kind: ItemMedia.Kind, to item: ItemKind) -> Bool {
        let isApp = item == .software || item == .macSoftware
        switch kind {
        case .artwork: return true
        case .screenshot: return isApp || item == .ebook
        case .tabletScreenshot: return item == .software
        case .audioPreview: return [.song, .album, .audiobook, .podcast].contains(item)
        case .videoPreview: return ![.song, .podcast, .audiobook].contains(item)
        case .download: return !isApp
        }
    }

    private static func list(
        _ media: [ItemMedia], _ kind: ItemMedia.Kind, _ item: Item, _ call: PortalCall
    ) -> HTML {
        let form = PortalForm(call)
        return PortalPanel(
            title(kind),
            [
                PortalTable(
                    title(kind),
                    columns: [
                        .init("File"), .init("Preview"), .init("Size", isNumber: true),
                        .init("Change"),
                    ],
                    rows: media.map { one in
                        let own = path(item, "/\(one.id.text)")
                        let earlier =
                            one.position > 1
                            ? form.button(
                                "Earlier", to: "\(own)/move",
                                [("position", String(one.position - 1))]) : .nothing
                        return [
                            .foreign(one.fileName), preview(one, "\(own)/file"),
                            .text(words(one)),
                            .element(
                                "div", class: "actions",
                                [
                                    earlier,
                                    form.button(
                                        "Remove", to: "\(own)/delete",
                                        question: "Remove \(one.fileName)?"),
                                    .element("span", class: "unseen", one.fileName),
                                ]),
                        ]
                    }, none: ("None", "")
                ).html()
            ]
        ).html
    }

    private static func words(_ media: ItemMedia) -> String {
        let bytes = PortalFormatting.bytes(media.size)
        guard let width = media.width, let height = media.height else { return bytes }
        return "\(width) × \(height), \(bytes)"
    }

    private static func preview(_ media: ItemMedia, _ path: String) -> HTML {
        switch media.kind {
        case .artwork, .screenshot, .tabletScreenshot:
            .element(
                "img",
                [
                    .init("src", path), .init("class", "media"), .init("loading", "lazy"),
                    .init("alt", media.fileName),
                ])
        case .audioPreview:
            .element(
                "audio",
                [.init("src", path), .init("controls"), .init("preload", "none")])
        case .videoPreview:
            .element(
                "video",
                [
                    .init("src", path), .init("class", "media"), .init("controls"),
                    .init("preload", "none"),
                ])
        case .download: .link(path, "Open")
        }
    }

    private static func form(
        _ item: Item, _ kinds: [ItemMedia.Kind], _ form: PortalForm
    ) -> HTML {
        .element(
            "form",
            [
                .init("class", "form"), .init("method", "post"),
                .init("enctype", "multipart/form-data"), .init("action", path(item)),
            ],
            [
                form.summary, .formToken(form.token),
                form.select(
                    "kind", "What it is", kinds.map { PortalOption($0.rawValue, title($0)) },
                    chosen: kinds.first?.rawValue,
                    hint: "There is one artwork and one download; another one takes its place."),
                form.file(
                    "fileName", "File", accept: accepted,
                    hint: "Pictures as PNG or JPEG, artwork square and at least "
                        + "\(ItemMediaRules.artworkSides.lowerBound) pixels wide. What has more "
                        + "than \(PortalFormatting.bytes(Int64(formLimit))) goes by openstore item "
                        + "media."),
                form.actions("Upload"),
            ])
    }

    private static let accepted =
        "image/png,image/jpeg,audio/*,video/mp4,video/webm,application/epub+zip,application/pdf,"
        + "application/zip"

    private static func title(_ kind: ItemMedia.Kind) -> String {
        switch kind {
        case .artwork: "Artwork"
        case .screenshot: "Screenshots"
        case .tabletScreenshot: "Screenshots of tablets"
        case .audioPreview: "Previews to hear"
        case .videoPreview: "Previews to see"
        case .download: "What buyers download"
        }
    }
}
