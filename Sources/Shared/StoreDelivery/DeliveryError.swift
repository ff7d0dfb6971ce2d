/// Content that can't be made or put together.
package enum DeliveryError: Error, Sendable, CustomStringConvertible {
    /// The manifest is not one, or its parts disagree.
    case manifest(String)
    /// These bytes are not those of the manifest: what they belong to.
    case damaged(String)
    /// A file could not be written or read.
    case file(path: String, reason: String)
    /// There is not enough space; both in bytes, and both 0 where nobody counted.
    case diskFull(needed: Int64, free: Int64)
    /// libzstd refused to compress.
    case compression(String)

    package var description: String {
        switch self {
        case .manifest(let reason): "The manifest of the content is wrong: \(reason)."
        case .damaged(let what): "\(what) was damaged on its way."
        case .file(let path, let reason): "\(path) can't be written: \(reason)."
        case .diskFull(0, 0):
            "The disk is full; make room and start the download again."
        case .diskFull(let needed, let free):
            "The content needs \(needed) more bytes on disk, and \(free) are free; make room and "
                + "start the download again."
        case .compression(let reason): "The content could not be compressed: \(reason)."
        }
    }
}
