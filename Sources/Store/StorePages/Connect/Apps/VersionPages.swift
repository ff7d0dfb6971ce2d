import Foundation
import StoreCore
import StoreModel

/// The version of an app: making it, its texts, its builds.
enum VersionPages {
    static func path(_ version: AppVersion) -> String {
        "\(AppPages.path(version.app))/versions/\(version.id)"
    }

    /// What the page of a version shows.
    typealias Subject = (version: AppVersion, app: App, builds: [AppBuild])

    /// The version in the path, of the app in the path.
    static func subject(_ call: PortalCall) async throws -> Subject {
        guard let id = AppVersionID(call.parameter(1)) else {
            throw ConnectRefusal.notFound("version", call.parameter(1))
        }
        let found = try await call.services.appVersions.version(id, by: call.actor)
        guard String(found.app.id.number) == call.id else {
            throw ConnectRefusal.notFound("version", id.text)
        }
        return found
    }

    // MARK: Making

    static func new(_ call: PortalCall) async throws -> PortalAnswer {
        .page(creation(try await AppTabs.app(call).app, PortalForm(call)))
    }

    static func create(_ call: PortalCall) async throws -> PortalAnswer {
        let app = try await AppTabs.app(call).app
        return try await call.submit {
            let version = try await call.services.appVersions.create(
                call.form["versionString"], id: AppVersionID(UUID()), of: app.id,
                platform: AppPlatform(rawValue: call.form["platform"]) ?? .linux, by: call.actor)
            return .redirect(to: path(version), notice: "Version \(version.version) is begun.")
        } again: {
            creation(app, $0)
        }
    }

    private static func creation(_ app: App, _ form: PortalForm) -> PortalPage {
        var page = PortalPage(
            "New Version",
            [
                form.html(
                    "\(AppPages.path(app.id))/versions",
                    [
                        form.text(
                            "versionString", "Version",
                            hint: "Higher than those before it, for example 1.2.",
                            isRequired: true, limit: 40),
                        form.radios(
                            "platform", "Platform",
                            AppPlatform.allCases.map { PortalOption($0.rawValue, $0.title) },
                            chosen: AppPlatform.linux.rawValue),
                        form.actions("Create", cancel: AppPages.path(app.id)),
                    ])
            ], in: .apps)
        page.trail = AppTabs.trail(app)
        page.isNarrow = true
        return page
    }

    // MARK: One version

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        let subject = try await subject(call)
        var page = page(subject, call)
        page.content.insert(
            try await SubmissionComponents.latest(
                of: subject.version.id, in: subject.app.id, call), at: 0)
        page.content.insert(try await missing(subject, call), at: 0)
        page.content.append(try await BuildPages.upload(subject, PortalForm(call), call))
        return .page(page)
    }

    /// What keeps a version that customers have not got yet from going on sale.
    private static func missing(_ subject: Subject, _ call: PortalCall) async throws -> HTML {
        guard subject.version.state.isAhead else { return .nothing }
        let missing = try await call.services.appVersions.missing(
            of: subject.version.id, by: call.actor)
        guard !missing.isEmpty else { return .nothing }
        return PortalPanel(
            "Before it can go on sale",
            [
                PortalChecklist(
                    missing.map { requirement in
                        .init(
                            requirement.title, isDone: false,
                            path: requirement.path(for: subject.app, version: subject.version.id),
                            hint: requirement.sentence)
                    }
                ).html
            ]
        ).html
    }

    static func change(_ call: PortalCall) async throws -> PortalAnswer {
        let subject = try await subject(call)
        return try await call.submit {
            let version = try await call.services.appVersions.update(
                subject.version.id,
                AppVersionChange(
                    versionString: call.form["versionString"],
                    releaseType: AppReleaseType(rawValue: call.form["releaseType"]),
                    whatsNew: call.form["whatsNew"], reviewNote: call.form["reviewNote"]),
                by: call.actor)
            return .redirect(to: path(version), notice: "Saved.")
        } again: {
            page(subject, call, texts: $0)
        }
    }

    /// - Parameters:
    ///   - texts: the form of the texts, where that was refused.
    ///   - build: the form for a build, where that was refused.
    ///   - step: a button's form, where that was refused.
    static func page(
        _ subject: Subject, _ call: PortalCall, texts: PortalForm? = nil,
        build: PortalForm? = nil, step: PortalForm? = nil
    ) -> PortalPage {
        let version = subject.version
        let mayEdit =
            AppVersionRules.steps[.edit]?[version.state] != nil && call.actor.allows(.manageApps)
        let mayAdd = BuildPages.mayAdd(to: version, call)
        // What no form of the page can say, the page says first.
        let unsaid = [step, mayEdit ? nil : texts, mayAdd ? nil : build]
        var page = PortalPage(
            "\(subject.app.name) \(version.version)",
            unsaid.map { $0?.notices ?? .nothing } + [
                mayEdit
                    ? self.texts(version, texts ?? PortalForm(call))
                    : PortalPanel("Version", [facts(version)]).html,
                BuildPages.panel(subject, call, adding: build),
            ], in: .apps)
        page.kind = "Version for \(version.platform.title)"
        page.badge = version.state.badge.html
        page.lead = meaning(of: version.state)
        page.trail = AppTabs.trail(subject.app)
        page.actions = VersionStepPages.actions(version, call)
        return page
    }

    private static func texts(_ version: AppVersion, _ form: PortalForm) -> HTML {
        PortalPanel(
            "Version",
            [
                form.html(
                    path(version),
                    [
                        form.text(
                            "versionString", "Version", version.version.text, isRequired: true,
                            limit: 40),
                        form.area(
                            "whatsNew", "What’s new", version.whatsNew,
                            hint: "Customers of earlier versions read it.", limit: 4000, rows: 6),
                        form.area(
                            "reviewNote", "Note for the review", version.reviewNote,
                            hint: "Only reviewers read it.", limit: 4000),
                        form.radios(
                            "releaseType", "Release",
                            [
                                .init(
                                    AppReleaseType.afterApproval.rawValue,
                                    "As soon as it is approved"),
                                .init(AppReleaseType.manual.rawValue, "When I release it"),
                            ], chosen: version.releaseType.rawValue),
                        form.actions("Save"),
                    ])
            ]
        ).html
    }

    private static func facts(_ version: AppVersion) -> HTML {
        PortalFacts([
            ("Version", .text(version.version.text)),
            ("What’s new", .foreign(version.whatsNew.isEmpty ? "—" : version.whatsNew)),
            (
                "Note for the review",
                .foreign(version.reviewNote.isEmpty ? "—" : version.reviewNote)
            ),
            (
                "Release",
                .text(version.releaseType == .manual ? "By the publisher" : "After approval")
            ),
            ("Submitted", version.submitted.map(PortalFormatting.time) ?? .text("—")),
            ("On sale since", version.released.map(PortalFormatting.time) ?? .text("—")),
        ]).html
    }

    /// What is to be done about a state.
    private static func meaning(of state: AppVersionState) -> String {
        switch state {
        case .prepareForSubmission: "Add a build, say what is new, and submit it for review."
        case .waitingForReview: "A reviewer will look at it. Until then it can be withdrawn."
        case .inReview: "A reviewer is looking at it."
        case .pendingDeveloperRelease: "It is approved. Customers get it when it is released."
        case .readyForSale: "Customers get this version."
        case .rejected:
            "The reviewer rejected it. Add another build or change what was wrong, and submit it "
                + "again."
        case .developerRejected: "It was withdrawn. Change it, and submit it again."
        case .replacedWithNewVersion: "A newer version has taken its place."
        case .developerRemovedFromSale: "Its publisher has taken it from sale."
        case .removedFromSale: "The store has taken it from sale."
        }
    }
}
