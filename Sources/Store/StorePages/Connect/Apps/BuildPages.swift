import Foundation
import StoreCore
import StoreModel

/// The builds of a version, one of which is reviewed and sold, and their files.
enum BuildPages {
    static func add(_ call: PortalCall) async throws -> PortalAnswer {
        let subject = try await VersionPages.subject(call)
        return try await call.submit {
            let size = call.form["fileSize"].filter { $0 != "," && $0 != " " }
            guard let bytes = Int64(size) else {
                throw ConnectRefusal(
                    .invalid, rule: "buildSize", field: "fileSize",
                    "The size is not a number of bytes.", help: "Give the size of the file.")
            }
            let build = try await call.services.appVersions.addBuild(
                call.form["version"], id: AppBuildID(UUID()), to: subject.version.id,
                digest: call.form["sha256"], size: bytes, by: call.actor)
            return .redirect(
                to: VersionPages.path(subject.version), notice: "Build \(build.number) is added.")
        } again: {
            VersionPages.page(subject, call, build: $0)
        }
    }

    static func choose(_ call: PortalCall) async throws -> PortalAnswer {
        let subject = try await VersionPages.subject(call)
        return try await call.submit {
            guard let build = AppBuildID(call.form["build"]) else {
                throw ConnectRefusal.notFound("build", call.form["build"])
            }
            _ = try await call.services.appVersions.choose(
                build, of: subject.version.id, by: call.actor)
            return .redirect(
                to: VersionPages.path(subject.version), notice: "The build is chosen.")
        } again: {
            VersionPages.page(subject, call, step: $0)
        }
    }

    /// Whether somebody may add a build to a version now.
    static func mayAdd(to version: AppVersion, _ call: PortalCall) -> Bool {
        AppVersionRules.steps[.chooseBuild]?[version.state] != nil
            && call.actor.allows(.uploadContent)
    }

    // MARK: Files

    /// How the file of a build is uploaded.
    private static func panel(_ version: AppVersion) -> UploadPanel {
        UploadPanel(
            path: VersionPages.path(version), name: "File",
            accept: ".AppImage,.appimage,.flatpak,.deb,.zst,.zip",
            hint:
                "An AppImage, a Flatpak bundle, a Debian package, or a folder as .tar.zst or .zip, "
                + "of at most \(PortalFormatting.bytes(PackageSize.largest)). It becomes a build of its "
                + "own, or the file of the build that was recorded with its checksum.",
            command: "openstore build upload")
    }

    /// The upload of files; nothing if the version takes none now.
    static func upload(
        _ subject: VersionPages.Subject, _ form: PortalForm, _ call: PortalCall
    ) async throws -> HTML {
        let version = subject.version
        let isOpen = mayAdd(to: version, call) || subject.builds.contains { $0.file == nil }
        guard isOpen, call.actor.allows(.uploadContent) else { return .nothing }
        let uploads =
            try await call.services.packages?.uploads(for: .version(version.id), by: call.actor)
        return panel(version).html(uploads ?? [], closed: nil, form, call)
    }

    /// Whose files the requests of a version's page are about.
    static func requests(_ call: PortalCall) async throws -> PackageRequests.Page {
        let subject = try await VersionPages.subject(call)
        return PackageRequests.Page(
            target: .version(subject.version.id), path: VersionPages.path(subject.version),
            firstParameter: 2
        ) { form in
            var page = VersionPages.page(subject, call, step: form)
            page.content.append(try await upload(subject, form, call))
            return page
        }
    }

    /// - Parameter adding: the form for a build, where that was refused.
    static func panel(
        _ subject: VersionPages.Subject, _ call: PortalCall, adding: PortalForm?
    ) -> HTML {
        let isOpen = AppVersionRules.steps[.chooseBuild]?[subject.version.state] != nil
        let mayChoose = isOpen && call.actor.allows(.manageApps)
        let table = PortalTable(
            "Builds",
            columns: [
                .init("Build"), .init("SHA-256"), .init("Size", isNumber: true),
                .init("Added"), .init("File"), .init("Chosen"),
            ],
            rows: subject.builds.map { build in
                [
                    .text(build.number.text),
                    .element(
                        "code", [.init("title", build.digest.text)],
                        String(build.digest.text.prefix(16)) + "…"),
                    .text(PortalFormatting.bytes(build.size)),
                    PortalFormatting.time(build.uploaded),
                    build.file.map { .text($0.format.title) }
                        ?? PortalBadge("Missing", .warn).html,
                    chosen(build, of: subject.version, mayChoose: mayChoose, PortalForm(call)),
                ]
            },
            none: (
                "No builds",
                "Upload the app's file: it becomes the version's first build."
            ))
        return PortalPanel(
            "Builds",
            [
                table.html(),
                mayAdd(to: subject.version, call)
                    ? addition(subject.version, adding ?? PortalForm(call)) : .nothing,
            ]
        ).html
    }

    private static func chosen(
        _ build: AppBuild, of version: AppVersion, mayChoose: Bool, _ form: PortalForm
    ) -> HTML {
        if build.id == version.build { return PortalBadge("Chosen", .good).html }
        guard mayChoose else { return .text("—") }
        return form.button(
            "Choose", to: "\(VersionPages.path(version))/build", [("build", build.id.text)])
    }

    private static func addition(_ version: AppVersion, _ form: PortalForm) -> HTML {
        .element(
            "details", form.refusals.isEmpty ? [] : [.init("open")],
            [
                .element("summary", "Add a build without its file"),
                form.html(
                    "\(VersionPages.path(version))/builds",
                    [
                        form.text(
                            "version", "Build number",
                            hint: "Higher with each build of the version, for example 42.",
                            isRequired: true, limit: 40),
                        form.text(
                            "sha256", "SHA-256",
                            hint: "As sha256sum prints it; openstore build create reads it from "
                                + "the file.", isRequired: true, limit: 64,
                            [.init("autocapitalize", "none"), .init("spellcheck", "false")]),
                        form.text(
                            "fileSize", "Size in bytes", as: .number, isRequired: true, limit: 13,
                            [.init("min", "1")]),
                        .element(
                            "p", class: "quiet",
                            "It can go on sale once its file is uploaded too."),
                        form.actions("Add Build"),
                    ]),
            ])
    }
}
