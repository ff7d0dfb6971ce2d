/// Offer codes and identifiers of API keys: a Base32 of capital letters and digits, without the
/// characters that look alike (0 and O, 1 and I).
package enum LegibleCode {
    /// 32 letters: each stands for five bits.
    static let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789".utf8)

    /// A code of as many letters as there are bytes, of which each gives five bits.
    package static func text(of bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.map { letters[Int($0 & 31)] }, as: UTF8.self)
    }
}
