import FoundationNetworking
import StoreModel
import StoreTexts

/// Opens addresses in the customer's browser, as programs on Linux do.
enum BrowserCommand {
    /// Opens an address with the first of `$BROWSER` and `xdg-open` that can be started;
    /// where there is none, and no desktop, writes it for the customer to open.
    ///
    /// - Throws: `SKError.paymentNotAllowed` for an address that is not of the web.
    static func open(
        _ url: URL, environment: [String: String] = ProcessInfo.processInfo.environment,
        texts: Texts = .device, write: @escaping @Sendable (String) -> Void = announce
    ) throws {
        guard url.scheme == "https" || url.scheme == "http" else {
            throw SKError(.paymentNotAllowed, "\(url) is not the address of a page.")
        }
        let line: String = texts.openToGoOn(address: url.absoluteString)
        for words in commands(for: url, environment: environment)
        where start(words, environment: environment, failed: { write(line) }) {
            return
        }
        write(line)
    }

    /// Programs with their arguments, the preferred one first. `BROWSER` names several with
    /// colons between them; `%s` stands for the address, which otherwise comes last.
    static func commands(for url: URL, environment: [String: String]) -> [[String]] {
        let address = url.absoluteString
        var commands = (environment["BROWSER"] ?? "").split(scalar: ":").compactMap {
            command -> [String]? in
            let words = command.split(scalar: " ").map(String.init)
            guard !words.isEmpty else { return nil }
            let filled = words.map { $0.replacing(scalars: "%s", with: address) }
            return filled == words ? words + [address] : filled
        }
        let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains {
            environment[$0]?.isEmpty == false
        }
        if hasDesktop { commands.append(["xdg-open", address]) }
        return commands
    }

    /// Starts a program without a shell, so nothing in the address is ever a command.
    ///
    /// - Parameter failed: called where it ends with an error.
    private static func start(
        _ words: [String], environment: [String: String],
        failed: @escaping @Sendable () -> Void
    ) -> Bool {
        guard let program = executable(words[0], environment: environment) else { return false }
        let child = ChildProcess.start(
            program.path, [program.path] + words.dropFirst(), environment: environment)
        return child?.watch(failed: failed) != nil
    }

    private static func executable(_ name: String, environment: [String: String]) -> URL? {
        let paths =
            name.contains(scalar: "/")
            ? [name] : (environment["PATH"] ?? "").split(scalar: ":").map { "\($0)/\(name)" }
        return paths.first { FileManager.default.isExecutableFile(atPath: $0) }
            .map { URL(fileURLWithPath: $0) }
    }

    /// Writes a line to the terminal, or to the log where there is none.
    @Sendable static func announce(_ line: String) {
        let descriptor = Glibc.open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return OpenStore.writeLog(line) }
        defer { close(descriptor) }
        let terminal = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        try? terminal.write(contentsOf: Data((line.terminalText() + "\n").utf8))
    }
}
