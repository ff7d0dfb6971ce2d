/// The `typ` of signed statements that are ours. Apple's transactions have none.
package enum SignedKind {
    package static let profile = "openstore-profile"
    package static let delivery = "openstore-delivery"
    package static let appDelivery = "openstore-app-delivery"
}
