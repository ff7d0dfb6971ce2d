import Foundation

/// Runs `body` with UTF-8 as the calling thread's encoding of names.
///
/// libarchive converts names through the C library's locale. A Swift process starts in
/// the locale "C", whatever `LANG` says, and there every name beyond ASCII is lost.
/// `C.UTF-8` is part of the C library and needs no locale to be installed.
func withUTF8Names<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) else { return try body() }
    let before = uselocale(utf8)
    defer {
        uselocale(before)
        freelocale(utf8)
    }
    return try body()
}
