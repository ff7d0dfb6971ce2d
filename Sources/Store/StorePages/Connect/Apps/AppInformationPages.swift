import Foundation
import StoreCore
import StoreModel

/// What a publisher says about an app, and its end.
enum AppInformationPages {
    static let locales: [PortalOption] = ConnectLocale.all
        .map { PortalOption($0.text, $0.title) }.sorted { $0.title < $1.title }

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        .page(information(try await AppTabs.app(call), PortalForm(call), call))
    }

    static func change(_ call: PortalCall) async throws -> PortalAnswer {
        let record = try await AppTabs.app(call)
        return try await call.submit {
            let form = call.form
            var change = AppChange()
            change.name = form["name"]
            change.primaryLocale = form["primaryLocale"]
            change.contentRights = .some(
                ContentRights(rawValue: form["contentRightsDeclaration"]))
            change.statusURL = .some(text(form["subscriptionStatusUrl"]))
            change.sandboxStatusURL = .some(text(form["subscriptionStatusUrlForSandbox"]))
            change.accessibilityURL = .some(text(form["accessibilityUrl"]))
            change.isPurchasingStreamlined = !form["streamlinedPurchasingEnabled"].isEmpty
            if !form["isOrEverWasMadeForKids"].isEmpty { change.isMadeForKids = true }
            _ = try await call.services.apps.update(record.app.id, change, by: call.actor)
            return .redirect(
                to: "\(AppPages.path(record.app.id))/information", notice: "Saved.")
        } again: {
            information(record, $0, call)
        }
    }

    static func confirmDeletion(_ call: PortalCall) async throws -> PortalAnswer {
        .page(deletion(try await AppTabs.app(call).app, PortalForm(call)))
    }

    static func delete(_ call: PortalCall) async throws -> PortalAnswer {
        let app = try await AppTabs.app(call).app
        return try await call.submit {
            try await call.services.apps.delete(app.id, by: call.actor)
            return .redirect(to: PortalSection.apps.path, notice: "The app is deleted.")
        } again: {
            deletion(app, $0)
        }
    }

    private static func text(_ text: String) -> String? { text.isEmpty ? nil : text }

    private static func deletion(_ app: App, _ form: PortalForm) -> PortalPage {
        var page = PortalConfirmation(
            "Delete \(app.name)?",
            [
                "The app and its versions are gone; its bundle identifier is free again.",
                "An app that has products, purchases, a store page or submitted versions can’t be deleted.",
            ], button: "Delete"
        ).page(
            form, action: "\(AppPages.path(app.id))/delete",
            cancel: "\(AppPages.path(app.id))/information", in: .apps)
        page.trail = AppTabs.trail(app)
        return page
    }

    private static func information(
        _ record: AppRecord, _ form: PortalForm, _ call: PortalCall
    ) -> PortalPage {
        let app = record.app
        var page = PortalPage(
            app.name,
            [
                form.html(
                    "\(AppPages.path(app.id))/information",
                    [
                        form.text("name", "Name", app.name, isRequired: true, limit: 30),
                        form.select(
                            "primaryLocale", "Primary language", locales,
                            chosen: record.primaryLocale.text, isRequired: true),
                        form.select(
                            "contentRightsDeclaration", "Content rights",
                            [
                                .init("", "Not declared"),
                                .init(
                                    ContentRights.none.rawValue,
                                    "Does not use content of others"),
                                .init(
                                    ContentRights.usesOthers.rawValue, "Uses content of others"),
                            ], chosen: record.attributes.contentRights?.rawValue ?? ""),
                        form.checkbox(
                            "isOrEverWasMadeForKids", "Made for kids",
                            isOn: record.attributes.isMadeForKids,
                            hint: "Once said, it is remembered for ever."),
                        notifications(record.attributes, form),
                        form.text(
                            "accessibilityUrl", "Accessibility page",
                            record.attributes.accessibilityURL ?? "", as: .url, limit: 2000),
                        form.checkbox(
                            "streamlinedPurchasingEnabled", "Streamlined purchasing",
                            isOn: record.attributes.isPurchasingStreamlined,
                            hint: "Purchases that begin outside of the app are finished by the "
                                + "store."),
                        form.actions("Save"),
                    ])
            ], in: .apps)
        page.kind = "App"
        page.badge = app.binaryState.badge.html
        page.trail = [.init("Apps", PortalSection.apps.path)]
        page.tabs = AppTabs.html(of: app, current: "/apps/{id}/information", call)
        page.actions = [.buttonLink("\(AppPages.path(app.id))/delete", "Delete…")]
        return page
    }

    private static func notifications(_ attributes: AppAttributes, _ form: PortalForm) -> HTML {
        form.group(
            "Server notifications",
            hint: "Where the store reports what happens to purchases.",
            [
                form.text(
                    "subscriptionStatusUrl", "Production address",
                    attributes.statusURL?.url ?? "", as: .url, limit: 2000),
                form.text(
                    "subscriptionStatusUrlForSandbox", "Sandbox address",
                    attributes.sandboxStatusURL?.url ?? "", as: .url, limit: 2000),
            ])
    }
}
