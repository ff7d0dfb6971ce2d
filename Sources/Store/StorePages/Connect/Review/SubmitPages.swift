import StoreCore
import StoreModel

/// Choosing what goes to the reviewers together.
enum SubmitPages {
    static func choose(_ call: PortalCall) async throws -> PortalAnswer {
        let app = try await AppTabs.app(call).app
        return .page(try await page(app, PortalForm(call), call))
    }

    static func submit(_ call: PortalCall) async throws -> PortalAnswer {
        let app = try await AppTabs.app(call).app
        return try await call.submit {
            let products = try call.form.all("items").map { text in
                guard let id = ProductID(text) else {
                    throw ConnectRefusal.notFound("product", text)
                }
                return id
            }
            let version =
                try call.form["appStoreVersion"].isEmpty
                ? nil : self.version(call.form["appStoreVersion"])
            let submission = try await call.services.reviews.submit(
                products, version: version, of: app.id, by: call.actor)
            return .redirect(
                to: SubmissionPages.path(submission), notice: "Submitted for review.")
        } again: {
            try await page(app, $0, call)
        }
    }

    private static func version(_ text: String) throws -> AppVersionID {
        guard let id = AppVersionID(text) else { throw ConnectRefusal.notFound("version", text) }
        return id
    }

    private static func page(
        _ app: App, _ form: PortalForm, _ call: PortalCall
    ) async throws -> PortalPage {
        let products = try await call.services.reviews.submittable(of: app.id, by: call.actor)
        let versions = try await call.services.appVersions.versions(of: app.id, by: call.actor)
            .filter { AppVersionRules.steps[.submit]?[$0.state] != nil }
        // A link from a product or a version chooses it.
        let wanted = Set(call.query("product").map { [$0] } ?? [])
        var fields: [HTML] = []
        if !products.isEmpty {
            fields.append(
                form.checkboxes(
                    "items", "In-app purchases",
                    products.map {
                        PortalOption($0.id.text, $0.referenceName, hint: hint($0))
                    }, chosen: wanted))
        }
        if !versions.isEmpty {
            fields.append(
                form.radios(
                    "appStoreVersion", "With a version of the app",
                    [PortalOption("", "None", hint: "The products go alone.")]
                        + versions.map { version in
                            PortalOption(
                                version.id.text,
                                "Version \(version.version) for \(version.platform.title)",
                                hint: version.build == nil ? "It has no build yet." : nil)
                        }, chosen: call.query("version") ?? ""))
        }
        let cancel = SubmissionPages.path(app.id)
        var page = PortalPage(
            "Submit for Review",
            [
                fields.isEmpty
                    ? PortalNotice(
                        .plain,
                        "Nothing is ready to be submitted. The page of each product says what it "
                            + "lacks."
                    ).html
                    : form.html(
                        cancel, fields + [form.actions("Submit", cancel: cancel)])
            ], in: .apps)
        page.lead =
            "A product goes with whatever is new of it: texts, content, or both. Products that go "
            + "with a version wait for its approval."
        page.trail = AppTabs.trail(app) + [.init("Submissions", cancel)]
        page.isNarrow = true
        return page
    }

    private static func hint(_ product: SubmittableProduct) -> String {
        guard product.state != .readyToSubmit else { return product.id.text }
        let news = [
            product.hasNewTexts ? "new texts" : nil, product.hasNewContent ? "new content" : nil,
        ].compactMap { $0 }.joined(separator: " and ")
        return "\(product.id): \(news)"
    }
}
