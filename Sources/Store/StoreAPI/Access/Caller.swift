import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

/// Who sent a request, as far as the route's access asks for it.
struct Caller: Sendable {
    let environment: StoreEnvironment
    let profile: ProfilePayload
    /// The signed-in account, where there is one.
    let account: Account?
    /// The bearer token that it came with.
    let token: String?
    /// The identifier of the device; empty where the request has none.
    let device: String

    /// The account of a route that only accounts may call.
    func signedIn() throws -> Account {
        guard let account else { throw WireError.notSignedIn }
        return account
    }
}

extension WireError {
    static let notSignedIn = WireError(
        code: .notSignedIn, message: "No account is signed in, or its session has ended; sign in.")

    static func wrongEnvironment(
        of profile: ProfilePayload, in environment: StoreEnvironment
    ) -> WireError {
        WireError(
            code: .wrongEnvironment,
            message: "The provisioning profile is made for "
                + "\(profile.environment.nameInSentence), the request came to "
                + "\(environment.nameInSentence); send it to \(profile.baseURL).")
    }
}

/// Finds out who sent a request.
struct CallerGate: Sendable {
    let sessions: SessionCache
    let profiles: ProfileGate
    let allowance: RequestAllowance?

    /// The caller, with everything that the access asks for.
    ///
    /// - Throws: `WireError` where something of it is missing or wrong, `RequestLimitExceeded`.
    func caller(
        of request: HTTPRequest, access: RouteAccess, environment: StoreEnvironment
    ) async throws -> Caller {
        let profile = try profiles.profile(of: request)
        // A route for apps tells them itself, product by product where it can.
        if access == .account, profile.environment != environment {
            throw WireError.wrongEnvironment(of: profile, in: environment)
        }
        let token = Self.bearerToken(of: request)
        var account: Account?
        if let token {
            account = try await sessions.account(token: token, environment: environment)
            guard let account else { throw WireError.notSignedIn }
            try allowance?.count(.customer(account.id), of: request)
        } else if access == .account {
            throw WireError.notSignedIn
        }
        let device = request.headers[DeviceRoute.deviceHeader] ?? ""
        guard device.utf8.count <= 64 else {
            throw WireError(
                code: .malformedRequest,
                message: "The header \(DeviceRoute.deviceHeader) has more than 64 characters.")
        }
        if access == .account, device.isEmpty {
            throw WireError(
                code: .deviceMissing,
                message: "The request names no device; send an identifier in the header "
                    + "\(DeviceRoute.deviceHeader).")
        }
        return Caller(
            environment: environment, profile: profile, account: account, token: token,
            device: device)
    }

    static func bearerToken(of request: HTTPRequest) -> String? {
        guard let value = request.headers["Authorization"],
            value.lowercased().hasPrefix(scalars: "bearer ")
        else { return nil }
        return String(value.unicodeScalars.dropFirst(7))
    }
}
