import StoreCore

extension PortalRouteTable {
    static let profiles: [PortalRoute] = [
        .get("/profiles", .viewApps, ProfilePages.list),
        .get("/profiles/new", .manageDevelopmentProfiles, ProfilePages.new),
        .post("/profiles", .manageDevelopmentProfiles, ProfilePages.create),
        .get("/profiles/{id}", .viewApps, ProfilePages.show),
        .get("/profiles/{id}/file", .viewApps, ProfilePages.download),
        .post("/profiles/{id}/renew", .manageDevelopmentProfiles, ProfilePages.renew),
        .get("/profiles/{id}/delete", .manageDevelopmentProfiles, ProfilePages.confirmDeletion),
        .post("/profiles/{id}/delete", .manageDevelopmentProfiles, ProfilePages.delete),
    ]
}

extension PortalServices {
    var profiles: ProfileService {
        ProfileService(database: database, clock: clock, signer: profileSigner)
    }
}
