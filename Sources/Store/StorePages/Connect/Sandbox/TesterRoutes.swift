import StoreCore
import StoreModel

extension PortalRouteTable {
    /// Testers, and what they bought.
    static let sandbox: [PortalRoute] = [
        .get("/sandbox", .manageTesters, TesterListPage.show),
        .get("/sandbox/new", .manageTesters, TesterCreationPage.show),
        .post("/sandbox/new", .manageTesters, TesterCreationPage.create),
        .get("/sandbox/{tester}", .manageTesters, TesterPage.show),
        .post("/sandbox/{tester}", .manageTesters, TesterPage.change),
        .post("/sandbox/{tester}/payments", .manageTesters, TesterPage.changePayments),
        .post("/sandbox/{tester}/refund", .manageTesters, TesterPage.refund),
        .post("/sandbox/{tester}/decide", .manageTesters, TesterPage.decide),
        .get("/sandbox/{tester}/clear", .manageTesters, TesterEndingPages.askClearing),
        .post("/sandbox/{tester}/clear", .manageTesters, TesterEndingPages.clear),
        .get("/sandbox/{tester}/delete", .manageTesters, TesterEndingPages.askDeletion),
        .post("/sandbox/{tester}/delete", .manageTesters, TesterEndingPages.delete),
    ]
}

extension PortalServices {
    var testers: TesterService {
        TesterService(
            database: database, vault: vault, clock: clock)
    }

    var testerPurchases: TesterPurchaseService {
        TesterPurchaseService(database: database, clock: clock)
    }
}

extension PortalCall {
    /// The tester that the path names.
    ///
    /// - Throws: `ConnectRefusal.notFound` for text that is no identifier.
    func testerID() throws -> AccountID {
        guard let number = TransactionID(id)?.number else {
            throw ConnectRefusal.notFound("sandbox tester", String(id.prefix(40)))
        }
        return AccountID(number: number)
    }
}

/// Addresses and words of the pages about testers.
enum TesterStrings {
    static func path(_ tester: AccountID) -> String {
        "\(PortalSection.sandbox.path)/\(tester.number)"
    }

    static let territories: [PortalOption] =
        Storefront.all.map { PortalOption($0.code, "\($0.name) (\($0.currency))") }
        .sorted { $0.title < $1.title }

    static func badge(_ tester: Tester) -> PortalBadge {
        switch tester.status {
        case .active where tester.settings.paymentFailure != .none:
            PortalBadge("Payments Fail", .warn)
        case .active: PortalBadge("Active", .good)
        case .converted: PortalBadge("Converted", .bad)
        case .deleted: PortalBadge("Deleted", .plain)
        }
    }
}
