import Foundation
import StoreKernel

/// The members of an object, added one after another; those without a value are left out.
struct ResultFields {
    private(set) var members: [(name: String, value: ScriptJSON)] = []

    var json: ScriptJSON { .object(members) }

    mutating func add(_ name: String, _ value: ScriptJSON?) {
        if let value { members.append((name, value)) }
    }

    mutating func add(_ name: String, text: String?) {
        add(name, text.map(ScriptJSON.text))
    }

    mutating func add(_ name: String, integer: (some BinaryInteger)?) {
        add(name, integer.map { .integer($0) })
    }

    /// A time as `2005-03-01T08:00:00Z`.
    mutating func add(_ name: String, time: Date?) {
        add(name, text: time?.formatted(.iso8601))
    }
}
