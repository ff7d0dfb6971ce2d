import Foundation
import FoundationNetworking
import StoreDelivery
import StoreKit
import StoreModel
import StoreSecurity
import StoreWire

/// A customer at a store, with the session that the store's apps on this device share.
struct Customer: Sendable {
    let api: CustomerAPI
    private let sessions: SessionKeeper
    private let folders: AppFolders
    /// Gets what it takes to sign in; nil where nobody can be asked.
    private let credentials: @Sendable () throws -> SignInRequest?

    init(
        _ api: CustomerAPI, folders: AppFolders,
        credentials: @escaping @Sendable () throws -> SignInRequest?
    ) {
        self.api = api
        self.folders = folders
        self.credentials = credentials
        sessions = SessionKeeper(
            folder: folders.sessions, tag: DeviceProfile.tag(of: api.baseURL),
            log: OpenStore.writeLog)
    }

    /// The session; nil where nobody is signed in.
    var session: SessionAnswer? { sessions.session }

    /// The session, after a sign-in where there is none.
    func signedIn() async throws -> SessionAnswer {
        if let session = sessions.session { return session }
        guard let credentials = try credentials() else {
            throw CommandFailure(
                description:
                    "nobody is signed in to \(api.baseURL); give --email, and the password "
                    + "on standard input", exitCode: .notAllowed)
        }
        let session = try await api.signIn(credentials)
        try sessions.save(session)
        return session
    }

    /// Does something with the session; where the store does not know it any more, once more
    /// after a new sign-in.
    func withSession<Answer>(
        _ body: (SessionAnswer) async throws -> Answer
    ) async throws -> Answer {
        let session = try await signedIn()
        do { return try await body(session) } catch let error as WireError
            where error.code == .notSignedIn
        {
            sessions.clear(session)
            return try await body(try await signedIn())
        }
    }

    /// Does something that needs no session, with one that is there.
    func withAnySession<Answer>(
        _ body: (SessionAnswer?) async throws -> Answer
    ) async throws -> Answer {
        let session = sessions.session
        do { return try await body(session) } catch let error as WireError
            where error.code == .notSignedIn && session != nil
        {
            sessions.clear(session)
            return try await body(nil)
        }
    }

    /// Signs in the apps too, which know the store by the address in their profile: it may be
    /// another one than people have typed.
    func keepSession(for profile: DeviceProfile) throws {
        guard profile.payload.baseURL != api.baseURL, let session = sessions.session else { return }
        let keeper = SessionKeeper(
            folder: folders.sessions, tag: profile.tag, log: OpenStore.writeLog)
        if keeper.session == nil { try keeper.save(session) }
    }
}

/// What a customer is told where a store refuses something, or can't be reached.
func customerFailure(_ error: any Error, _ baseURL: String) -> any Error {
    switch error {
    case let error as WireError:
        let code: ExitCode =
            switch error.code {
            case .itemUnknown, .contentNotFound, .unknownRoute: .notFound
            case .notSignedIn, .signInRefused: .notAllowed
            case .storeUnavailable: .later
            case .internalError: .storeFailed
            default: .refused
            }
        return CommandFailure(description: error.message, exitCode: code)
    case let error as URLError:
        return CommandFailure(
            description:
                "the store at \(baseURL) can't be reached (\(error.localizedDescription)); "
                + "what was fetched stays, and the same command goes on with it",
            exitCode: .unreachable)
    case let error as DeliveryError:
        return CommandFailure(
            description: "\(error) What was fetched stays, and the version that was installed runs."
        )
    case let error as SecurityError:
        return CommandFailure(
            description:
                "what the store at \(baseURL) sent can't be trusted (\(error)); nothing was "
                + "changed", exitCode: .refused)
    default: return error
    }
}
