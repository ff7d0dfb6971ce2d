import StoreCore
import StoreModel

/// Steps of a version outside of review: released, taken from sale and put back, deleted.
enum VersionStepPages {
    /// The buttons for the steps that the state allows and the person may take.
    static func actions(_ version: AppVersion, _ call: PortalCall) -> [HTML] {
        let path = VersionPages.path(version)
        func may(_ step: AppVersionStep, _ permission: ConnectPermission) -> Bool {
            AppVersionRules.steps[step]?[version.state] != nil && call.actor.allows(permission)
        }
        let form = PortalForm(call)
        var actions: [HTML] = []
        if may(.takeDown, .operate) {
            actions.append(.buttonLink("\(path)/take-down", "Take Down…"))
        }
        if may(.reinstate, .operate) {
            actions.append(form.button("Let It Be Sold Again", to: "\(path)/reinstate"))
        }
        if may(.delete, .manageApps) { actions.append(.buttonLink("\(path)/delete", "Delete…")) }
        if may(.removeFromSale, .changeSale) {
            actions.append(.buttonLink("\(path)/remove", "Remove from Sale…"))
        }
        if may(.returnToSale, .changeSale) {
            actions.append(form.button("Put on Sale Again", to: "\(path)/return", look: .primary))
        }
        if may(.withdraw, .submit) {
            actions.append(
                form.button(
                    "Withdraw", to: "\(path)/withdraw",
                    question: "Withdraw this version, and the products that came with it?"))
        }
        if may(.submit, .submit) {
            actions.append(
                .buttonLink(
                    PortalLink(
                        "\(SubmissionPages.path(version.app))/new",
                        [("version", version.id.text)]
                    ).text, "Submit for Review", isMeant: true))
        }
        if may(.release, .submit) {
            actions.append(.buttonLink("\(path)/release", "Release…", isMeant: true))
        }
        return actions
    }

    // MARK: Questions

    static func askDeletion(_ call: PortalCall) async throws -> PortalAnswer {
        try await ask(call, "delete", deletion)
    }

    static func askRelease(_ call: PortalCall) async throws -> PortalAnswer {
        try await ask(call, "release", releasing)
    }

    static func askRemoval(_ call: PortalCall) async throws -> PortalAnswer {
        try await ask(call, "remove", removal)
    }

    static func askTakeDown(_ call: PortalCall) async throws -> PortalAnswer {
        try await ask(call, "take-down", takingDown)
    }

    private typealias Question = (String) -> PortalConfirmation

    private static let deletion: @Sendable (String) -> PortalConfirmation = {
        PortalConfirmation(
            "Delete \($0)?", ["The version and the records of its builds are gone."],
            button: "Delete")
    }

    private static let releasing: @Sendable (String) -> PortalConfirmation = {
        PortalConfirmation(
            "Release \($0)?",
            ["Customers get it at once.", "The version on sale is replaced by it."],
            button: "Release")
    }

    private static let removal: @Sendable (String) -> PortalConfirmation = {
        PortalConfirmation(
            "Remove \($0) from sale?",
            [
                "Nobody new can get the app.",
                "Who has it keeps it, and can go on buying its products.",
                "It can be put on sale again.",
            ], button: "Remove from Sale")
    }

    private static let takingDown: @Sendable (String) -> PortalConfirmation = {
        PortalConfirmation(
            "Take \($0) down?",
            ["Nobody new can get the app, and its publisher can’t put it back."],
            button: "Take Down")
    }

    private static func ask(
        _ call: PortalCall, _ step: String, _ question: Question
    ) async throws -> PortalAnswer {
        let subject = try await VersionPages.subject(call)
        return .page(asking(subject, step, question, PortalForm(call)))
    }

    private static func asking(
        _ subject: VersionPages.Subject, _ step: String, _ question: Question, _ form: PortalForm
    ) -> PortalPage {
        let path = VersionPages.path(subject.version)
        let name = "\(subject.app.name) \(subject.version.version)"
        var page = question(name).page(
            form, action: "\(path)/\(step)", cancel: path, in: .apps)
        page.trail =
            AppTabs.trail(subject.app) + [.init("Version \(subject.version.version)", path)]
        return page
    }

    // MARK: Steps

    static func delete(_ call: PortalCall) async throws -> PortalAnswer {
        let subject = try await VersionPages.subject(call)
        return try await call.submit {
            try await call.services.appVersions.delete(subject.version.id, by: call.actor)
            return .redirect(
                to: AppPages.path(subject.app.id),
                notice: "Version \(subject.version.version) is deleted.")
        } again: {
            asking(subject, "delete", deletion, $0)
        }
    }

    static func release(_ call: PortalCall) async throws -> PortalAnswer {
        try await step(call, "Customers get this version now.") {
            _ = try await call.services.appVersions.release($0, by: call.actor)
        } again: {
            asking($0, "release", releasing, $1)
        }
    }

    static func remove(_ call: PortalCall) async throws -> PortalAnswer {
        try await step(call, "The version is removed from sale.") {
            _ = try await call.services.appVersions.setSale(false, of: $0, by: call.actor)
        } again: {
            asking($0, "remove", removal, $1)
        }
    }

    static func putBack(_ call: PortalCall) async throws -> PortalAnswer {
        try await step(call, "The version is on sale again.") {
            _ = try await call.services.appVersions.setSale(true, of: $0, by: call.actor)
        } again: {
            VersionPages.page($0, call, step: $1)
        }
    }

    static func takeDown(_ call: PortalCall) async throws -> PortalAnswer {
        try await step(call, "The version is taken down.") {
            _ = try await call.services.appVersions.setTakenDown(true, of: $0, by: call.actor)
        } again: {
            asking($0, "take-down", takingDown, $1)
        }
    }

    static func reinstate(_ call: PortalCall) async throws -> PortalAnswer {
        try await step(call, "The version may be sold again.") {
            _ = try await call.services.appVersions.setTakenDown(false, of: $0, by: call.actor)
        } again: {
            VersionPages.page($0, call, step: $1)
        }
    }

    private static func step(
        _ call: PortalCall, _ notice: String, _ body: (AppVersionID) async throws -> Void,
        again: (VersionPages.Subject, PortalForm) -> PortalPage
    ) async throws -> PortalAnswer {
        let subject = try await VersionPages.subject(call)
        return try await call.submit {
            try await body(subject.version.id)
            return .redirect(to: VersionPages.path(subject.version), notice: notice)
        } again: {
            again(subject, $0)
        }
    }
}
