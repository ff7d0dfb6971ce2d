import Foundation

/// Where a running store takes clients of Apple's servers in, left in its folder for commands that
/// start such clients.
package struct InterceptionNote: Codable, Sendable, Hashable {
    package static let fileName = "intercept.json"

    /// Addresses that the store has; clients reach them without the proxy.
    package var store: [String]
    /// Host and port of the proxy.
    package var proxy: String
    /// The file with the root certificate of the interception.
    package var root: String
    package var process: Int32

    package init(store: [String], proxy: String, root: String, process: Int32) {
        self.store = store
        self.proxy = proxy
        self.root = root
        self.process = process
    }

    /// Reads the note of the store that runs over a folder.
    ///
    /// - Throws: `InterceptionNoteError` where there is none.
    package static func read(in folder: URL) throws -> InterceptionNote {
        let file = folder.appendingPathComponent(fileName)
        switch LeftNote.read(InterceptionNote.self, at: file) {
        case .nothing: throw InterceptionNoteError.missing(folder)
        case .left: throw InterceptionNoteError.left(file.path)
        case .unreadable: throw InterceptionNoteError.unreadable(file.path)
        case .note(let note): return note
        }
    }

    /// Leaves the note in a folder.
    ///
    /// - Returns: what takes it away again; whoever drops it does, too.
    /// - Throws: `LeftNoteError`.
    package func leave(in folder: URL) throws -> LeftNote {
        try LeftNote(self, at: folder.appendingPathComponent(Self.fileName))
    }
}

/// There is no store to send clients to, or it can't say so.
package enum InterceptionNoteError: Error, Sendable, Hashable, CustomStringConvertible {
    case missing(URL)
    case left(String)
    case unreadable(String)

    package var description: String {
        switch self {
        case .missing(let folder):
            "No store with interception runs on \(folder.path); start one with openstore serve "
                + "--data \(folder.path) --intercept 8888."
        case .left(let path):
            "The store that wrote \(path) does not run any more; start it again with openstore "
                + "serve --intercept."
        case .unreadable(let path):
            "\(path) can't be read; start the store again with openstore serve --intercept."
        }
    }
}
