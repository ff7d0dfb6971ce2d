import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreModel
import StorePages
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

let needsShell: ConditionTrait = .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3"),
    "the program sqlite3 is not installed")

/// What was written to a fixture since it was last asked.
struct WalkChanges {
    private let fixture: WalkFixture
    private var commit: Int64
    private var dump: [Substring]

    init(_ fixture: WalkFixture) async throws {
        self.fixture = fixture
        commit = try fixture.lastCommit()
        dump = try await fixture.dump()
    }

    mutating func next() async throws -> [Substring] {
        let commit = try fixture.lastCommit()
        guard commit != self.commit else { return [] }
        let dump = try await fixture.dump()
        let changes = dump.difference(from: self.dump)
        (self.commit, self.dump) = (commit, dump)
        return changes.map { change in
            switch change {
            case .insert(_, let line, _): line
            case .remove(_, let line, _): line
            }
        }
    }
}

/// Walks every route of Connect's API with everybody who may come: who may not call it is
/// refused, and then nothing has changed; who may is let in.
@Suite(needsShell) struct ConnectWalkTests {
    static let callers: [WalkCaller] =
        [.nobody, .garbage, .expiredToken, .endedSession]
        + ConnectRole.allCases.map { WalkCaller.role($0) }

    @Test func `there is something of everything that a route is about`() async throws {
        let fixture = try await WalkFixture()
        for operation in ConnectRouteTable.operations {
            #expect(
                PathParameters.fill(operation.pattern, fixture.known) != nil,
                "\(operation.pattern)")
        }
    }

    /// The table's operations, those that take things away last.
    private static let operations: [ConnectOperation] =
        ConnectRouteTable.operations.filter { $0.method != .delete }
        + ConnectRouteTable.operations.filter { $0.method == .delete }.reversed()

    /// What a role may ask for, and may be refused all the same: by a rule about the step that
    /// is asked for, which names itself.
    private static let decidedByStep: Set<String> = [
        // Accepting is the Account Holder's, terminating the operator's.
        "PATCH /openstore/v1/agreements/{id}",
        // Only the Account Holder hands that role over.
        "PATCH /openstore/v1/users/{id}",
    ]

    /// Signing in is open to everybody, and a wrong password is written down.
    private static func isExpected(_ changes: [Substring], of operation: ConnectOperation) -> Bool {
        changes.allSatisfy {
            operation.isOpen && $0.hasPrefix("INSERT INTO sign_in_failure ")
        }
    }

    @Test(arguments: callers)
    func `the table of the API decides who may call a route`(caller: WalkCaller) async throws {
        let fixture = try await WalkFixture()
        if caller == .endedSession { fixture.clock.advance(by: ConnectSession.idleDuration) }
        let bodies = SampleBodies(known: fixture.known)
        var changes = try await WalkChanges(fixture)
        var problems: [String] = []
        var taken = 0
        for operation in Self.operations {
            let name = "\(operation.method.rawValue) \(operation.pattern)"
            let answer = try await fixture.send(
                operation, by: caller, body: try bodies.body(of: operation))
            let changed = try await changes.next()
            let refusal: Int? =
                switch caller {
                case _ where operation.isOpen: 401
                case .role(let role): operation.permission.roles.contains(role) ? nil : 403
                default: 401
                }
            if let refusal {
                if answer.status != refusal { problems.append("\(name): \(answer.status)") }
                if !Self.isExpected(changed, of: operation) {
                    problems.append("\(name) changed \(changed)")
                }
                continue
            }
            // A body that the rules refuse shows as well that the caller was let in.
            let isLetIn =
                answer.status == 403
                ? Self.decidedByStep.contains(name) && answer.rule != nil
                : (200..<500).contains(answer.status) && answer.status != 401
            if !isLetIn { problems.append("\(name): \(answer.status) \(answer.words)") }
            if operation.method == .get, !changed.isEmpty {
                problems.append("\(name) changed \(changed)")
            }
            if operation.method != .get, answer.status < 300 { taken += 1 }
        }
        #expect(problems == [])
        // Bodies were good enough for the store to act on.
        if caller == .role(.accountHolder) || caller == .role(.operator) {
            #expect(taken >= 30)
        }
    }

    @Test func `another team finds nothing, and changes nothing of this one`() async throws {
        let fixture = try await WalkFixture()
        let bodies = SampleBodies(known: fixture.known)
        let strange = PathParameters.strange(fixture.known)
        let strangeBodies = SampleBodies(known: strange)
        var changes = try await WalkChanges(fixture)
        var problems: [String] = []
        for operation in ConnectRouteTable.operations
        where operation.permission.roles.contains(.admin) && !operation.isOpen {
            let name = "\(operation.method.rawValue) \(operation.pattern)"
            let hasParameter = PathParameters.has(operation.pattern)
            let answer = try await fixture.send(
                operation, by: .stranger, body: try bodies.body(of: operation))
            if answer.status >= 500 { problems.append("\(name): \(answer.status)") }
            let text = String(decoding: answer.bytes, as: UTF8.self)
            for secret in WalkFixture.secrets where text.contains(secret) {
                // What the request itself says is no news.
                if hasParameter || operation.method == .get { problems.append("\(name): \(text)") }
            }
            let changed = try await changes.next()
            // What the stranger may make is its own.
            if hasParameter || operation.method == .get, !changed.isEmpty {
                problems.append("\(name) changed \(changed)")
            }
            for line in changed {
                let entry = line.firstMatch(of: /^INSERT INTO audit VALUES\(\d+,(\d+),/)
                if let entry, entry.1 == String(fixture.team) {
                    problems.append("\(name) wrote \(line)")
                }
            }
            guard hasParameter else { continue }
            // What is malformed is refused before anybody looks for the thing.
            if ![400, 403, 404, 409, 422].contains(answer.status) {
                problems.append("\(name): \(answer.status) \(answer.words)")
            }
            // The answer does not tell that the thing is there.
            let unknown = try await fixture.send(
                operation, by: .stranger, body: try strangeBodies.body(of: operation),
                known: strange)
            if unknown.status != answer.status || unknown.rule != answer.rule {
                problems.append(
                    "\(name): \(answer.status) \(answer.words) where it is, "
                        + "\(unknown.status) \(unknown.words) where nothing is")
            }
            _ = try await changes.next()
        }
        #expect(problems == [])
    }
}

extension HTTPResponse {
    private var refusal: JSONValue? {
        (try? JSONValue(reading: bytes))?["errors"]?.elements?.first
    }

    /// The rule that a refusal names.
    fileprivate var rule: String? { refusal?["meta"]?["rule"]?.text }

    /// What a refusal says.
    fileprivate var words: String { refusal?["detail"]?.text ?? "" }
}
