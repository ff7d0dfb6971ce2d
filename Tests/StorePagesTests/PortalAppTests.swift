import Foundation
@testable import StoreCore
import StoreModel
import StorePages
import StoreServer
import StoreTestSupport
import Testing

/// Identifiers, profiles, apps and versions, as somebody clicks through them.
@Suite struct PortalAppTests {
    private let folder: TemporaryFolder
    private let store: Store
    private let portal: PortalClient
    private let team: Int64

    init() async throws {
        folder = try TemporaryFolder()
        store = try await StorePagesTests.openStore(in: folder)
        let team = try await store.database.write {
            try $0.catalog.save(TeamDraft(name: "Publisher", hasPaidAgreement: true))
        }
        self.team = team.id
        portal = PortalClient(
            store, roles: [.admin], team: ConnectVisitor.Team(id: team.id, name: team.name))
    }

    /// Sends the form of a page that is opened first, and opens the page it leads to.
    private func submit(
        _ form: String, to path: String, _ fields: [String: String],
        lists: [String: [String]] = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> (page: PortalClient.Page, path: String) {
        let answer = try await portal.send(
            try await portal.open(form), to: path, fields, lists: lists)
        #expect(answer.status == 303, "\(answer.words)", sourceLocation: sourceLocation)
        let location = try #require(answer.location, sourceLocation: sourceLocation)
        let page = try await portal.open(location)
        #expect(page.status == 200, sourceLocation: sourceLocation)
        return (page, location)
    }

    private func register(_ identifier: String) async throws -> String {
        let registered = try await submit(
            "/connect/identifiers/new", to: "/connect/identifiers",
            ["name": "My <Shop>", "identifier": identifier, "platform": "UNIVERSAL"])
        return String(try #require(registered.path.split(separator: "/").last))
    }

    private func createApp() async throws -> String {
        let id = try await register("com.publisher.shop")
        return try await submit(
            "/connect/apps/new", to: "/connect/apps",
            ["name": "Shop", "bundleId": id, "sku": "SHOP-1", "primaryLocale": "en-US"]
        ).path
    }

    private func createVersion(of app: String, _ number: String) async throws -> String {
        let path = try await submit(
            "\(app)/versions/new", to: "\(app)/versions",
            ["versionString": number, "platform": "LINUX"]
        ).path
        return try await submit(
            path, to: "\(path)/builds",
            [
                "version": "7", "fileSize": "12345",
                "sha256": String(repeating: "c", count: 64),
            ]
        ).path
    }

    @Test func `an identifier is registered, configured and deleted`() async throws {
        let id = try await register("com.publisher.shop")
        let path = "/connect/identifiers/\(id)"
        let page = try await portal.open(path)
        #expect(page.words.contains("com.publisher.shop"))
        #expect(page.text.contains("My &lt;Shop&gt;") && !page.text.contains("My <Shop>"))
        let saved = try await submit(
            path, to: path, ["name": "Renamed"],
            lists: ["capabilityType": ["MAPS", "GAME_CENTER"]])
        #expect(saved.page.words.contains("Renamed"))
        let actor = ConnectActor.machine
        let identifier = try #require(BundleIdentifierID(id))
        let capabilities = try await store.services.bundleIdentifiers.capabilities(
            of: identifier, by: actor)
        #expect(Set(capabilities.map(\.type)) == [.maps, .gameCenter])
        #expect(
            try await store.services.bundleIdentifiers.identifier(identifier, by: actor)
                .generation == 2, "in-app purchase was switched off")
        let list = try await portal.open("/connect/identifiers?search=renamed&platform=UNIVERSAL")
        #expect(list.words.contains("Renamed"))
        #expect(
            try await portal.open("/connect/identifiers?search=nothing").words
                .contains("No identifiers"))
        let gone = try await submit("\(path)/delete", to: "\(path)/delete", [:])
        #expect(gone.path == "/connect/identifiers")
        #expect(try await portal.open(path).status == 404)
    }

    @Test func `what was typed comes back with what was wrong`() async throws {
        let page = try await portal.open("/connect/identifiers/new")
        let again = try await portal.send(
            page, to: "/connect/identifiers",
            ["name": "Kept", "identifier": "com..x", "platform": "IOS"])
        #expect(again.status == 422)
        #expect(again.text.contains("value=\"Kept\"") && again.text.contains("value=\"com..x\""))
        #expect(again.text.contains("href=\"#field-identifier\""))
        let app = try await createApp()
        let version = try await createVersion(of: app, "1.0")
        let wrong = try await portal.send(
            try await portal.open(version), to: version,
            ["versionString": "zero", "whatsNew": "Much", "releaseType": "MANUAL"])
        #expect(wrong.status == 422 && wrong.words.contains("is not a version"))
        let build = try await portal.send(
            try await portal.open(version), to: "\(version)/builds",
            ["version": "7", "fileSize": "1", "sha256": String(repeating: "c", count: 64)])
        #expect(build.status == 422 && build.words.contains("build 7 already"))
        let second = try await portal.send(
            try await portal.open("\(app)/versions/new"), to: "\(app)/versions",
            ["versionString": "2.0", "platform": "LINUX"])
        #expect(second.status == 422 && second.words.contains("one version on its way"))
    }

    @Test func `a refused build leaves the texts of its version as they are`() async throws {
        let app = try await createApp()
        let version = try await createVersion(of: app, "1.0")
        _ = try await submit(
            version, to: version,
            [
                "versionString": "1.0", "whatsNew": "Much is new",
                "reviewNote": "Sign in as ada", "releaseType": "MANUAL",
            ])
        let wrong = ["version": "8", "fileSize": "1", "sha256": "abc"]
        let refused = try await portal.send(
            try await portal.open(version), to: "\(version)/builds", wrong)
        #expect(refused.status == 422)
        for kept in ["Much is new", "Sign in as ada", "value=\"1.0\"", "value=\"abc\""] {
            #expect(refused.text.contains(kept), "\(kept)")
        }
        #expect(refused.text.contains("value=\"MANUAL\" checked"))
        #expect(refused.text.matches(of: /id="summary"/).count == 1)
        #expect(refused.text.contains("<details open>"))
        // Who may add builds, and change no texts, sees it too.
        let developer = PortalClient(
            store, roles: [.developer], team: ConnectVisitor.Team(id: team, name: "Publisher"))
        let told = try await developer.send(
            try await developer.open(version), to: "\(version)/builds", wrong)
        #expect(told.status == 422)
        #expect(told.text.matches(of: /id="summary"/).count == 1)
        #expect(told.text.contains("<details open>"))
        #expect(!(try await portal.open(version).text.contains("<details open>")))
    }

    @Test func `what the state refuses is said, though its form is closed`() async throws {
        let app = try await createApp()
        let version = try await createVersion(of: app, "1.0")
        let page = try await portal.open(version)
        let again = try await portal.send(page, to: "\(version)/return")
        #expect(again.status == 422 && again.text.contains("notice bad"))
        let withdrawn = try await portal.send(page, to: "\(version)/withdraw")
        #expect(withdrawn.status == 422 && withdrawn.text.contains("notice bad"))
        let staff = PortalClient(store, roles: [.operator], team: nil)
        let reinstated = try await staff.send(
            try await staff.open("\(version)/take-down"), to: "\(version)/reinstate")
        #expect(reinstated.status == 422 && reinstated.text.contains("notice bad"))
        let name = String(try #require(version.split(separator: "/").last))
        let id = try #require(AppVersionID(name))
        try await store.services.shop.write(as: .machine) { work in
            var subject = try work.version(id)
            try work.completeApp(subject.app.id)
            try subject.submit()
        }
        for (path, fields) in [
            (version, ["versionString": "1.0", "whatsNew": "Late", "releaseType": "MANUAL"]),
            (
                "\(version)/builds",
                ["version": "9", "fileSize": "1", "sha256": String(repeating: "d", count: 64)]
            ),
        ] as [(String, [String: String])] {
            let late = try await portal.send(page, to: path, fields)
            #expect(late.status == 422, "\(path)")
            #expect(late.text.contains("notice bad"), "\(path)")
        }
    }

    @Test func `all identifiers can be chosen, however many there are`() async throws {
        let actor = ConnectActor(
            kind: .person(PersonID(number: 1), email: "pat@example.com"), team: team,
            roles: [.admin])
        for number in 1...201 {
            _ = try await store.services.bundleIdentifiers.register(
                BundleIdentifierDraft(
                    identifier: "com.publisher.n\(1000 + number)", name: "Shop \(1000 + number)",
                    platform: .universal), by: actor)
        }
        for path in ["/connect/apps/new", "/connect/profiles/new"] {
            let page = try await portal.open(path)
            #expect(page.words.contains("com.publisher.n1001"), "\(path)")
            #expect(page.words.contains("com.publisher.n1201"), "\(path)")
        }
    }

    @Test func `an app is created, changed and found`() async throws {
        let app = try await createApp()
        let page = try await portal.open(app)
        #expect(page.words.contains("SHOP-1") && page.words.contains("com.publisher.shop"))
        let number = try #require(app.split(separator: "/").last)
        #expect(page.words.contains("Apple ID \(number)"))
        let saved = try await submit(
            "\(app)/information", to: "\(app)/information",
            [
                "name": "New Name", "primaryLocale": "de-DE",
                "contentRightsDeclaration": "USES_THIRD_PARTY_CONTENT",
                "subscriptionStatusUrl": "https://publisher.example/n",
            ])
        #expect(saved.page.text.contains("https://publisher.example/n"))
        let list = try await portal.open("/connect/apps?search=shop-1&sort=-sku")
        #expect(list.words.contains("New Name"))
        // The identifier has its app now, and can't be deleted.
        let identifier = try #require(
            page.text.firstMatch(of: /\/connect\/identifiers\/([A-Z0-9]{10})/)
        ).1
        let refused = try await portal.send(
            try await portal.open("/connect/identifiers/\(identifier)/delete"),
            to: "/connect/identifiers/\(identifier)/delete")
        #expect(refused.status == 422 && refused.words.contains("is used by the app"))
        let gone = try await submit("\(app)/delete", to: "\(app)/delete", [:])
        #expect(gone.path == "/connect/apps")
    }

    @Test func `a version is prepared, released and taken from sale`() async throws {
        let app = try await createApp()
        let version = try await createVersion(of: app, "1.0")
        let saved = try await submit(
            version, to: version,
            [
                "versionString": "1.0.1", "whatsNew": "Line one\nLine two",
                "reviewNote": "Sign in as ada", "releaseType": "MANUAL",
            ])
        #expect(saved.page.words.contains("Prepare for Submission"))
        let name = String(try #require(version.split(separator: "/").last))
        let id = try #require(AppVersionID(name))
        try await store.services.shop.write(as: .machine) { work in
            var subject = try work.version(id)
            try work.completeApp(subject.app.id)
            try subject.submit()
            try subject.beginReview()
            try subject.approve()
        }
        var step = try await submit("\(version)/release", to: "\(version)/release", [:])
        #expect(step.page.words.contains("Ready for Sale"))
        #expect(step.page.words.contains("Line one"))
        step = try await submit("\(version)/remove", to: "\(version)/remove", [:])
        #expect(step.page.words.contains("Developer Removed from Sale"))
        step = try await submit(version, to: "\(version)/return", [:])
        #expect(step.page.words.contains("Customers get this version"))
        #expect(try await portal.open("\(version)/take-down").status == 403)
        let staff = PortalClient(store, roles: [.operator], team: nil)
        let down = try await staff.send(
            try await staff.open("\(version)/take-down"), to: "\(version)/take-down")
        #expect(down.status == 303)
        #expect(try await portal.open(app).words.contains("Removed from Sale"))
        // A version is found below its own app only.
        #expect(try await portal.open("/connect/apps/999/versions/\(id)").status == 404)
    }

    @Test func `a profile is made, downloaded and made anew`() async throws {
        let id = try await register("com.publisher.shop")
        let made = try await submit(
            "/connect/profiles/new", to: "/connect/profiles",
            ["name": "Development", "profileType": "IOS_APP_DEVELOPMENT", "bundleId": id])
        #expect(made.page.words.contains("Active") && made.page.words.contains("Sandbox"))
        let file = try await portal.open("\(made.path)/file")
        #expect(file.headers["Content-Disposition"]?.contains("embedded.storeprofile") == true)
        #expect(file.text.split(separator: ".").count == 3)
        _ = try await store.services.bundleIdentifiers.remove(
            .inAppPurchase, of: try #require(BundleIdentifierID(id)), by: .machine)
        let stale = try await portal.open(made.path)
        #expect(stale.words.contains("Out of date") && stale.words.contains("Make Anew"))
        let renewed = try await submit(made.path, to: "\(made.path)/renew", [:])
        #expect(renewed.page.words.contains("Active") && !renewed.page.words.contains("Make Anew"))
        #expect(try await portal.open("\(made.path)/file").text != file.text)
        let taken = try await portal.send(
            try await portal.open("/connect/profiles/new"), to: "/connect/profiles",
            ["name": "Development", "profileType": "IOS_APP_DEVELOPMENT", "bundleId": id])
        #expect(taken.status == 422)
        let gone = try await submit("\(made.path)/delete", to: "\(made.path)/delete", [:])
        #expect(gone.path == "/connect/profiles")
    }

    @Test func `a developer sees, and gets no buttons for what they may not`() async throws {
        let app = try await createApp()
        let developer = PortalClient(
            store, roles: [.developer], team: ConnectVisitor.Team(id: team, name: "Publisher"))
        for path in ["/connect/apps", app, "/connect/identifiers", "/connect/profiles"] {
            let page = try await developer.open(path)
            #expect(page.status == 200)
            for word in ["New App", "Register Identifier", "New Version", "Delete…"] {
                #expect(!page.words.contains(word), "\(path): \(word)")
            }
        }
        let types = try await developer.open("/connect/profiles/new")
        #expect(types.text.contains("IOS_APP_DEVELOPMENT"))
        #expect(!types.text.contains("IOS_APP_STORE"))
    }
}
