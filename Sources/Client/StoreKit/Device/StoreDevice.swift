import FoundationNetworking
import StoreModel
import StoreSecurity
import StoreWire
import Synchronization

/// This device as one app sees it: profile, folders, session, and the way to the store.
package final class StoreDevice: Sendable {
    package let profile: DeviceProfile
    package let folders: DeviceFolders
    package let sessions: SessionKeeper
    package let client: StoreClient
    package let log: @Sendable (String) -> Void
    private let chosenSheet: Mutex<(any OpenStoreSheet)?>
    private let lastStorefront = Mutex<SKStorefront?>(nil)
    private let storefrontChange = Mutex<(@Sendable () -> Void)?>(nil)

    /// - Parameters:
    ///   - environment: where the XDG variables are read from.
    ///   - sheet: nil for the terminal's, or whatever `OpenStore.sheet` names.
    /// - Throws: `CocoaError` or a POSIX error where the state folder can't be made.
    package init(
        profile: DeviceProfile,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        transport: any StoreTransport = URLSessionTransport(),
        sheet: (any OpenStoreSheet)? = nil,
        log: @escaping @Sendable (String) -> Void = OpenStore.writeLog
    ) throws {
        self.profile = profile
        self.log = log
        folders = DeviceFolders(
            bundleID: profile.payload.bundleId.text, environment: environment)
        sessions = SessionKeeper(folder: folders.sessions, tag: profile.tag)
        client = StoreClient(
            profile: profile, deviceID: try Self.deviceID(in: folders.state),
            transport: transport)
        chosenSheet = Mutex(sheet)
    }

    private static let shared = Mutex<StoreDevice?>(nil)

    /// The device of this process, made when it is first needed.
    ///
    /// - Throws: `SKError.clientInvalid` where the app has no usable profile.
    package static func current() throws -> StoreDevice {
        try shared.withLock { shared in
            if let shared { return shared }
            let device = try StoreDevice(profile: try DeviceProfile.current())
            shared = device
            return device
        }
    }

    /// What asks the customer.
    var sheet: any OpenStoreSheet {
        chosenSheet.withLock { $0 } ?? OpenStore.sheet
    }

    /// The storefront of the signed-in account, else the one that the store last answered
    /// for.
    var storefront: SKStorefront? {
        if let session = sessions.session {
            return SKStorefront(
                countryCode: session.storefront, identifier: session.storefrontId)
        }
        return lastStorefront.withLock { $0 }
    }

    /// Calls `body` whenever an account of another storefront signs in.
    func onStorefrontChange(_ body: @escaping @Sendable () -> Void) {
        storefrontChange.withLock { $0 = body }
    }

    /// What the store sells of some products, in the account's storefront.
    func products(_ identifiers: [String]) async throws -> ProductsAnswer {
        let session = sessions.session
        var answer: ProductsAnswer
        do {
            answer = try await client.products(identifiers, session: session)
        } catch let error as WireError where error.code == .notSignedIn && session != nil {
            // The session has ended; products can be looked at without one.
            sessions.clear(session)
            answer = try await client.products(identifiers, session: nil)
        }
        let storefront = SKStorefront(
            countryCode: answer.storefront, identifier: answer.storefrontId)
        lastStorefront.withLock { $0 = storefront }
        return answer
    }

    /// The session, after asking the customer to sign in where there is none.
    ///
    /// - Parameter email: the account that it has to be; nil for any.
    /// - Throws: `SKError.paymentCancelled` where the customer gives up,
    ///   `SKError.paymentNotAllowed` where nobody can be asked.
    func signedIn(as email: String? = nil) async throws -> SessionAnswer {
        if let session = sessions.session, email == nil || session.email == email {
            return session
        }
        var problem: String?
        for _ in 0..<3 {
            let question = OpenStoreSignInQuestion(
                isSandbox: profile.payload.environment == .sandbox, email: email,
                problem: problem)
            guard let credentials = try await sheet.signIn(question) else {
                throw SKError(.paymentCancelled, "The customer did not sign in.")
            }
            if let email, credentials.email.lowercased() != email {
                problem = "This purchase belongs to the account \(email)."
                continue
            }
            do {
                let session =
                    if let made = credentials.session { made } else {
                        try await client.signIn(
                            email: credentials.email, password: credentials.password)
                    }
                let before = storefront?.countryCode
                try sessions.save(session)
                if let before, before != session.storefront {
                    storefrontChange.withLock { $0 }?()
                    OpenStoreCallbackExecutor.app.run {
                        for name: Notification.Name in [
                            .SKStorefrontCountryCodeDidChange, .SKStorefrontIdentifierDidChange,
                        ] { NotificationCenter.default.post(name: name, object: nil) }
                    }
                }
                return session
            } catch let error as WireError where error.code == .signInRefused {
                problem = error.message
            }
        }
        throw SKError(.paymentNotAllowed, problem ?? "The customer could not be signed in.")
    }

    /// Does something with the session; where the store does not know it any more, once more
    /// after a new sign-in.
    func withSession<Answer>(
        _ body: (SessionAnswer) async throws -> Answer
    ) async throws -> Answer {
        let session = try await signedIn()
        do {
            return try await body(session)
        } catch let error as WireError where error.code == .notSignedIn {
            sessions.clear(session)
            return try await body(try await signedIn())
        }
    }

    /// The identifier of the device, made at random the first time.
    private static func deviceID(in folder: URL) throws -> String {
        let file = folder.appendingPathComponent("device")
        // One that can't be read is not one that is missing.
        if access(file.path, F_OK) == 0 {
            let text = try String(contentsOf: file, encoding: .utf8)
            if UUID(uuidString: text) != nil { return text }
        }
        let fresh = UUID().uuidString.lowercased()
        try DurableFile.write(Data(fresh.utf8), to: file, mode: 0o600)
        return fresh
    }
}
