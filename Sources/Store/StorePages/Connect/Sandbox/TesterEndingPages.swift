import StoreCore

/// What can't be undone with a tester: asked first, then done.
enum TesterEndingPages {
    static func askClearing(_ call: PortalCall) async throws -> PortalAnswer {
        let tester = try await call.services.testers.tester(try call.testerID(), by: call.actor)
        let path = TesterStrings.path(tester.account)
        var page = PortalConfirmation(
            "Clear the purchase history of \(tester.email)?",
            [
                "Apps see nothing any more of what the tester has bought until now: nothing can be "
                    + "restored, receipts are empty, and everything can be bought for the first "
                    + "time.",
                "Items of the storefront that the tester got are gone, and can be got again.",
                "The purchases stay in the list, and in sales and trends.",
                "It can't be undone.",
            ], button: "Clear Purchase History"
        ).page(PortalForm(call), action: "\(path)/clear", cancel: path, in: .sandbox)
        page.trail = trail(tester)
        return .page(page)
    }

    static func clear(_ call: PortalCall) async throws -> PortalAnswer {
        let id = try call.testerID()
        return try await TesterPage.submit(call, id) {
            try await call.services.testers.clearHistory(of: [id], by: call.actor)
            return "The purchase history was cleared."
        }
    }

    static func askDeletion(_ call: PortalCall) async throws -> PortalAnswer {
        let tester = try await call.services.testers.tester(try call.testerID(), by: call.actor)
        let path = TesterStrings.path(tester.account)
        var page = PortalConfirmation(
            "Delete \(tester.email)?",
            [
                "The tester is signed out on all devices, and can't sign in any more.",
                "The address can't be used for another tester, ever.",
                "It can't be undone.",
            ], button: "Delete Tester"
        ).page(PortalForm(call), action: "\(path)/delete", cancel: path, in: .sandbox)
        page.trail = trail(tester)
        return .page(page)
    }

    static func delete(_ call: PortalCall) async throws -> PortalAnswer {
        let id = try call.testerID()
        let tester = try await call.services.testers.tester(id, by: call.actor)
        try await call.services.testers.delete(id, by: call.actor)
        return .redirect(
            to: PortalSection.sandbox.path, notice: "\(tester.email) was deleted.")
    }

    private static func trail(_ tester: Tester) -> [PortalPage.Crumb] {
        [
            .init("Sandbox Testers", PortalSection.sandbox.path),
            .init(tester.name, TesterStrings.path(tester.account)),
        ]
    }
}
