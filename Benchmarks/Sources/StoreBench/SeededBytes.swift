/// Bytes that a seed determines: what looks like text and compresses, or noise.
struct SeededBytes {
    enum Kind {
        case text, noise
    }

    private static let words: [[UInt8]] = {
        var random = SeededRandom(seed: 1)
        return (0..<4096).map { _ in
            let length = 2 + Int(random.next() % 9)
            return (0..<length).map { _ in UInt8(ascii: "a") + UInt8(random.next() % 26) }
                + [random.next() % 12 == 0 ? UInt8(ascii: "\n") : UInt8(ascii: " ")]
        }
    }()

    private let kind: Kind
    private var random: SeededRandom
    private var rest: ArraySlice<UInt8> = []

    init(_ kind: Kind, seed: UInt64) {
        self.kind = kind
        random = SeededRandom(seed: seed)
    }

    mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        var index = 0
        switch kind {
        case .noise:
            while index < buffer.count {
                withUnsafeBytes(of: random.next()) { bytes in
                    let count = min(8, buffer.count - index)
                    UnsafeMutableRawBufferPointer(rebasing: buffer[index..<index + count])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
                    index += count
                }
            }
        case .text:
            while index < buffer.count {
                if rest.isEmpty {
                    // Some words are much more frequent than others, as in any language.
                    let number = random.next()
                    let word = ((number & 0xfff) * ((number >> 12) & 0xfff)) >> 12
                    rest = Self.words[Int(word)][...]
                }
                buffer[index] = rest.removeFirst()
                index += 1
            }
        }
    }
}

/// SplitMix64.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
