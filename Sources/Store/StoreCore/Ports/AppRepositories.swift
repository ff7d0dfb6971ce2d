import Foundation
import StoreModel

/// Bundle identifiers with their capabilities.
package protocol BundleIdentifierRepository {
    func identifier(_ id: BundleIdentifierID) throws -> BundleIdentifier?
    /// The explicit one with this text, whoever has it.
    func explicit(_ text: String) throws -> BundleIdentifier?
    func wildcard(_ text: String, of team: Int64) throws -> BundleIdentifier?
    /// - Parameter team: whose; nil for all of them.
    func identifiers(
        _ query: BundleIdentifierQuery, _ page: PageRequest, team: Int64?
    ) throws -> ListPage<BundleIdentifier>
    /// Adds an identifier. Its generation follows the last one that it had before it was deleted,
    /// whoever had it.
    func insert(
        _ identifier: ApplicationIdentifier, name: String, platform: BundleIdentifierPlatform,
        team: Int64
    ) throws -> BundleIdentifier
    func rename(_ id: BundleIdentifierID, to name: String) throws
    /// Makes profiles out of date that were made so far, for it and for its app.
    func raiseGeneration(of id: BundleIdentifierID) throws
    /// Deletes it with its capabilities; profiles remember its text only.
    func delete(_ id: BundleIdentifierID) throws

    /// In the order of their names.
    func capabilities(of id: BundleIdentifierID) throws -> [Capability]
    /// Adds a capability, or replaces its settings.
    func save(_ capability: Capability, of id: BundleIdentifierID) throws
    func delete(_ type: CapabilityType, of id: BundleIdentifierID) throws
}

/// Provisioning profiles.
package protocol ProfileRepository {
    func profile(_ id: ProfileID) throws -> Profile?
    func profile(named name: String, of team: Int64) throws -> Profile?
    /// One that is in force for a bundle identifier; nil where there is none.
    func profileInForce(of identifier: BundleIdentifierID, at date: Date) throws -> Profile?
    /// - Parameters:
    ///   - team: whose; nil for all of them.
    ///   - date: decides which ones are in force.
    func profiles(
        _ query: ProfileQuery, _ page: PageRequest, team: Int64?, at date: Date
    ) throws -> ListPage<Profile>
    func insert(
        name: String, type: ProfileType, uuid: String, identifier: BundleIdentifier,
        content: String, created: Date, expires: Date
    ) throws -> Profile
    func renew(
        _ id: ProfileID, uuid: String, generation: Int, content: String, created: Date,
        expires: Date) throws
    func delete(_ id: ProfileID) throws
}

/// Apps with everything that Connect knows of them.
package protocol AppRepository {
    func record(_ id: AppID) throws -> AppRecord?
    /// - Parameter team: whose; nil for all of them.
    func records(_ query: AppQuery, _ page: PageRequest, team: Int64?) throws -> ListPage<AppRecord>
    func isTaken(sku: String, team: Int64) throws -> Bool
    /// Whether a product of it was ever sold in production.
    func wasOnSale(_ id: AppID) throws -> Bool
    func insert(
        name: String, sku: String, primaryLocale: ConnectLocale, from identifier: BundleIdentifier
    ) throws -> AppRecord
    /// Writes everything but team, SKU and the state of the binary.
    func update(_ record: AppRecord) throws
    func setBinaryState(_ state: BinaryState, of id: AppID) throws
    /// Deletes an app with its versions.
    ///
    /// - Returns: false where other rows need it; nothing is deleted then.
    func delete(_ id: AppID) throws -> Bool
}

/// Versions of apps and their builds.
package protocol AppVersionRepository {
    func version(_ id: AppVersionID) throws -> AppVersion?
    /// The newest first.
    func versions(of app: AppID) throws -> [AppVersion]
    func insert(_ version: AppVersion) throws
    /// Writes everything but app, platform and the date of its making.
    func update(_ version: AppVersion) throws
    /// Deletes a version with its builds.
    func delete(_ id: AppVersionID) throws

    func build(_ id: AppBuildID) throws -> AppBuild?
    /// The newest first.
    func builds(of version: AppVersionID) throws -> [AppBuild]
    func insert(_ build: AppBuild) throws
}
