import StoreCore

extension PortalRouteTable {
    static let apps: [PortalRoute] =
        [
            .get("/apps", .viewApps, AppPages.list),
            .get("/apps/new", .manageApps, AppPages.new),
            .post("/apps", .manageApps, AppPages.create),
            .get("/apps/{id}", .viewApps, AppPages.show),
            .get("/apps/{id}/information", .manageApps, AppInformationPages.show),
            .post("/apps/{id}/information", .manageApps, AppInformationPages.change),
            .get("/apps/{id}/delete", .manageApps, AppInformationPages.confirmDeletion),
            .post("/apps/{id}/delete", .manageApps, AppInformationPages.delete),
            .get("/apps/{id}/versions/new", .manageApps, VersionPages.new),
            .post("/apps/{id}/versions", .manageApps, VersionPages.create),
            .get("/apps/{id}/versions/{version}", .viewApps, VersionPages.show),
            .post("/apps/{id}/versions/{version}", .manageApps, VersionPages.change),
            .post("/apps/{id}/versions/{version}/builds", .uploadContent, BuildPages.add),
            .post("/apps/{id}/versions/{version}/build", .manageApps, BuildPages.choose),
            .get("/apps/{id}/versions/{version}/delete", .manageApps, VersionStepPages.askDeletion),
            .post("/apps/{id}/versions/{version}/delete", .manageApps, VersionStepPages.delete),
            .get("/apps/{id}/versions/{version}/release", .submit, VersionStepPages.askRelease),
            .post("/apps/{id}/versions/{version}/release", .submit, VersionStepPages.release),
            .get("/apps/{id}/versions/{version}/remove", .changeSale, VersionStepPages.askRemoval),
            .post("/apps/{id}/versions/{version}/remove", .changeSale, VersionStepPages.remove),
            .post("/apps/{id}/versions/{version}/return", .changeSale, VersionStepPages.putBack),
            .get("/apps/{id}/versions/{version}/take-down", .operate, VersionStepPages.askTakeDown),
            .post("/apps/{id}/versions/{version}/take-down", .operate, VersionStepPages.takeDown),
            .post("/apps/{id}/versions/{version}/reinstate", .operate, VersionStepPages.reinstate),
        ] + PackageRequests(BuildPages.requests).routes("/apps/{id}/versions/{version}")
}

extension PortalServices {
    var apps: AppService {
        AppService(
            database: database, clock: clock, notificationTargets: notifications.targets)
    }
    var appVersions: AppVersionService { AppVersionService(database: database, clock: clock) }
}
