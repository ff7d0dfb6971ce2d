/// Ends the app because its receipt is not valid and could not be refreshed.
///
/// The process says so in the log and exits with the status 173, by which apps have told the
/// system of an invalid receipt ever since. It does not return.
public func SKTerminateForInvalidReceipt() {
    OpenStore.writeLog(
        "The app has found its receipt invalid and ends. Refresh the receipt with "
            + "SKReceiptRefreshRequest, or sign in with an account that owns the app.")
    exit(173)
}
