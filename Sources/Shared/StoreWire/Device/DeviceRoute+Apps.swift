/// What a customer's device asks about apps, below the environment's base URL. These requests
/// carry a session, and no profile: no app asks.
extension DeviceRoute {
    /// `POST`: sign in as a customer. `DELETE`: sign out.
    package static let customerSession = "/device/v1/customer/session"
    /// `GET`: apps by name or identifier (`name`).
    package static let apps = "/device/v1/apps"

    /// `GET`: an app.
    package static func app(_ number: Int64) -> String { "\(apps)/\(number)" }

    /// `POST`: buy the app, or get it where it is free.
    package static func appPurchase(_ number: Int64) -> String { "\(app(number))/purchase" }

    /// `POST`: be allowed to fetch the app.
    package static func appDelivery(_ number: Int64) -> String { "\(app(number))/delivery" }
}
