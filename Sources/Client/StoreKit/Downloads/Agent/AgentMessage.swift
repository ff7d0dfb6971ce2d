import CStoreLinux

/// What an app says to the download agent. One connection is for one download.
struct AgentRequest: Codable, Sendable, Hashable {
    enum Verb: String, Codable, Sendable {
        /// Do the order in the folder, and report.
        case fetch
        /// Let go of the folder: the app has taken the order back.
        case stop
    }

    var verb: Verb
    /// The path of the download's folder.
    var folder: String
}

/// What the download agent says to an app. Outcomes are on disk before they are said.
struct AgentReport: Codable, Sendable, Hashable {
    enum Event: String, Codable, Sendable {
        case progress
        case finished
        /// Nobody fetches: the agent can't go on without the app, or has let go.
        case released
    }

    var event: Event
    var present: Int64?
    var total: Int64?
}

/// One end of a connection between an app and the download agent: each message is its length, four
/// bytes with the highest first, and so much JSON.
final class AgentConnection: Sendable {
    /// More bytes than any message has.
    static let longestMessage = 8 << 10

    private let descriptor: Int32

    /// - Parameter descriptor: a connected socket, which belongs to this connection from now on.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Whether the other end belongs to the same user.
    var isOwn: Bool { cstore_peer_user(descriptor) == Int(getuid()) }

    /// Ends the connection, and whoever waits for it.
    func shutDown() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Says something. Where the other end does not listen, the connection ends.
    func send(_ message: some Encodable) {
        guard let body = try? JSONEncoder().encode(message), body.count <= Self.longestMessage
        else { return }
        var length = UInt32(body.count).bigEndian
        let bytes = withUnsafeBytes(of: &length) { Data($0) } + body
        send(bytes: bytes)
    }

    /// Says bytes as they are.
    func send(bytes: Data) {
        let count = bytes.withUnsafeBytes {
            Glibc.send(
                descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
        // Half a message would spoil all that follow.
        if count != bytes.count { shutDown() }
    }

    /// Waits on this thread for what the other end says; nil where it has ended, or says what is no
    /// message.
    func receive<Message: Decodable>(_ type: Message.Type) -> Message? {
        guard let head = read(4) else { return nil }
        let length = head.reduce(0) { $0 << 8 | Int($1) }
        guard length <= Self.longestMessage, let body = read(length) else { return nil }
        return try? JSONDecoder().decode(type, from: body)
    }

    private func read(_ count: Int) -> Data? {
        var data = Data(count: count)
        let isWhole = data.withUnsafeMutableBytes { buffer in
            var done = 0
            while done < count {
                let received = recv(descriptor, buffer.baseAddress! + done, count - done, 0)
                if received < 0, errno == EINTR { continue }
                guard received > 0 else { return false }
                done += received
            }
            return true
        }
        return isWhole ? data : nil
    }
}
