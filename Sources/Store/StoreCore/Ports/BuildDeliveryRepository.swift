import Foundation
import StoreModel

/// Files of builds, and the deliveries made of them.
package protocol BuildDeliveryRepository {
    /// `nil` if the build has no file.
    func delivery(of build: AppBuildID) throws -> BuildDelivery?
    /// Those of an app that were not given up, the newest last.
    func deliveries(of app: AppID) throws -> [DeliveredBuild]
    /// Writes down a delivery, in the place of one that was given up.
    func insert(_ delivery: BuildDelivery, of build: AppBuildID) throws
    /// Notes that somebody may download it.
    ///
    /// - Returns: false if its bytes were given up.
    func recordPermit(of build: AppBuildID, at date: Date) throws -> Bool
    /// Gives its bytes up.
    func retire(_ build: AppBuildID, at date: Date) throws
}
