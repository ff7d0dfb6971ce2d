import Foundation

/// Ends the process with a sentence where something is not as it has to be: optimised code drops
/// what `precondition` would say.
func demand(_ condition: Bool, _ sentence: @autoclosure () -> String) {
    if !condition { fail(sentence()) }
}

/// Ends the process with a sentence, as a signal that libFuzzer writes the input down for.
func fail(_ sentence: String) -> Never {
    FileHandle.standardError.write(Data("fuzz: \(sentence)\n".utf8))
    abort()
}

/// What has to go well, such as making a key.
func must<Value>(_ body: () throws -> Value) -> Value {
    do { return try body() } catch { fail("\(error)") }
}

/// Waits for the end of what is asynchronous.
func wait<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let end = DispatchSemaphore(value: 0)
    let answer = Answer<Value>()
    Task {
        answer.value = await body()
        end.signal()
    }
    end.wait()
    guard let value = answer.value else { fail("there is no answer") }
    return value
}

private final class Answer<Value>: @unchecked Sendable {
    // Sendable: the semaphore orders writing and reading.
    var value: Value?
}

/// The bytes of an input, which are used from front to back.
struct Input {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
        rest = Array(UnsafeBufferPointer(start: bytes, count: count))[...]
    }

    init(_ data: Data) {
        rest = Array(data)[...]
    }

    var isEmpty: Bool { rest.isEmpty }

    /// The next byte; 0 behind the end.
    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// A number below a limit, of one byte where that is enough.
    mutating func number(below limit: Int) -> Int {
        let byte = Int(byte())
        return (limit > 256 ? byte << 8 | Int(self.byte()) : byte) % limit
    }

    /// One of some values.
    mutating func one<Value>(of values: [Value]) -> Value { values[number(below: values.count)] }

    /// The bytes up to the next 0xFF, which no text has, or to the end.
    mutating func part() -> Data {
        let part = rest.prefix { $0 != 0xFF }
        rest = rest.dropFirst(part.count + 1)
        return Data(part)
    }

    /// The same as text.
    mutating func text() -> String { String(decoding: part(), as: UTF8.self) }

    /// All that is left.
    mutating func all() -> Data {
        defer { rest = [] }
        return Data(rest)
    }
}

/// An empty folder among the temporary files, which Scripts/fuzz.sh has in memory and takes away.
func scratchFolder(_ name: String) -> URL {
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("fuzz-\(name)-\(getpid())")
    try? FileManager.default.removeItem(at: folder)
    must { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    return folder
}
