/// How large what publishers deliver may be.
package enum PackageSize {
    /// The most bytes of a package: hosted content, or an app.
    package static let largest: Int64 = 2_000_000_000
}
