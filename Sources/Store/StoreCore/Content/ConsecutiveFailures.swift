/// Failures to take bytes away. Where several come one after the other, the store of bytes does not work,
/// and nothing more is tried.
struct ConsecutiveFailures {
    private(set) var first: (any Error)?
    private var count = 0

    var isEnough: Bool { count >= 3 }

    /// - Parameter isWhole: whether nothing of what was tried has succeeded.
    mutating func add(_ error: any Error, isWhole: Bool = true) {
        first = first ?? error
        count = isWhole ? count + 1 : 0
    }

    /// Something has succeeded.
    mutating func end() { count = 0 }
}
