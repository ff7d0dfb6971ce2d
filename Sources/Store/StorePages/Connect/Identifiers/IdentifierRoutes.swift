import StoreCore

extension PortalRouteTable {
    static let identifiers: [PortalRoute] = [
        .get("/identifiers", .viewApps, IdentifierPages.list),
        .get("/identifiers/new", .manageIdentifiers, IdentifierPages.new),
        .post("/identifiers", .manageIdentifiers, IdentifierPages.register),
        .get("/identifiers/{id}", .viewApps, IdentifierPages.show),
        .post("/identifiers/{id}", .manageIdentifiers, IdentifierPages.change),
        .get("/identifiers/{id}/delete", .manageIdentifiers, IdentifierPages.confirmDeletion),
        .post("/identifiers/{id}/delete", .manageIdentifiers, IdentifierPages.delete),
    ]
}

extension PortalServices {
    var bundleIdentifiers: BundleIdentifierService {
        BundleIdentifierService(database: database, clock: clock)
    }
}
