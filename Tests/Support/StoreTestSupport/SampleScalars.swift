import Foundation

/// Scalars for texts from outside.
package enum SampleScalars {
    /// Those that Unicode has assigned: up to Kana all, and beyond them some, or all where
    /// `TEST_EXHAUSTIVE` is set. None for private use.
    package static func assigned() -> some Sequence<Unicode.Scalar> {
        let isExhaustive = ProcessInfo.processInfo.environment["TEST_EXHAUSTIVE"] != nil
        return (0..<0xF_0000).lazy
            .filter { (value: UInt32) -> Bool in
                isExhaustive || value < 0x3100 || value % 16 == 1
            }
            .compactMap { Unicode.Scalar($0) }
            .filter { $0.properties.generalCategory != .unassigned }
    }
}
