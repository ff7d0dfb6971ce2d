import Foundation

/// A store with one product that has hosted content, a customer, and devices of hers.
final class ContentShop {
    private static let bundle = "com.example.bench"
    let proxy: CountingProxy
    private let program: String
    private let apps: URL
    private let folder: URL
    private var server: StoreProcess?

    init(program: String, apps: URL, folder: URL) throws {
        self.program = program
        self.apps = apps
        self.folder = folder
        proxy = try CountingProxy()
        let product = ContentSample.product
        let text = """
            {"version":{"major":3,"minor":0},"products":[
            {"displayPrice":"0.99","familyShareable":false,"internalID":"1","localizations":[
            {"description":"A thing to measure with","displayName":"Thing","locale":"en_US"}],
            "productID":"\(product)","referenceName":"Hosted","type":"NonConsumable"}]}
            """
        try text.write(to: catalog, atomically: true, encoding: .utf8)
        try BenchShop.run(
            program,
            [
                "tester", "create", "--email", BenchShop.email, "--password", BenchShop.password,
                "--storefront", "USA", "--data", data.path,
            ])
    }

    private var catalog: URL { folder.appendingPathComponent("shop.storekit") }
    private var data: URL { folder.appendingPathComponent("store") }

    /// The running store.
    ///
    /// - Precondition: something was published.
    var process: pid_t { server!.id }

    /// Brings a version on sale in the sandbox.
    ///
    /// - Returns: what the command has taken.
    @discardableResult
    func publish(_ sample: ContentSample) throws -> TimedRun {
        server?.stop()
        TimedRun.settle()
        let run = try TimedRun(
            program,
            [
                "catalog", "import", catalog.path, "--content", sample.folder.path, "--bundle-id",
                Self.bundle, "--data", data.path,
            ])
        let server = try StoreProcess(program: program, data: data.path)
        self.server = server
        guard let port = UInt16(server.address.split(separator: ":").last ?? "") else {
            throw BenchFailure("no port in \(server.address)")
        }
        proxy.turn(to: port)
        return run
    }

    /// The largest file of the store's content.
    func largestBlob() throws -> URL {
        let root = data.appendingPathComponent("content")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
        let files = paths.map { root.appendingPathComponent($0) }
        let sizes = try files.map { file in
            let values = try file.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
            return values.isRegularFile == true ? values.fileSize ?? 0 : 0
        }
        guard let largest = sizes.indices.max(by: { sizes[$0] < sizes[$1] }) else {
            throw BenchFailure("the store has no content")
        }
        return files[largest]
    }

    /// A device of the customer, on which nothing is yet.
    ///
    /// - Parameter counts: whether the proxy lies between it and the store.
    func device(_ name: String, counts: Bool = false) throws -> ContentDevice {
        let home = folder.appendingPathComponent(name)
        let profile = home.appendingPathComponent("profile")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        try BenchShop.run(
            program,
            [
                "profile", "create", "--bundle-id", Self.bundle, "--store",
                counts ? "http://127.0.0.1:\(proxy.port)" : server?.address ?? "", "--data",
                data.path, "-o", profile.path,
            ])
        return ContentDevice(
            home: home, app: apps.appendingPathComponent("DownloadApp").path,
            environment: [
                "HOME": home.path, "PATH": "/usr/bin:/bin", "OPENSTORE_PROFILE": profile.path,
                "BENCH_EMAIL": BenchShop.email, "BENCH_PASSWORD": BenchShop.password,
            ])
    }

    func stop() {
        server?.stop()
        proxy.stop()
    }
}

/// A home folder, and the app in it.
struct ContentDevice {
    let home: URL
    let app: String
    let environment: [String: String]

    /// Where the app installs content.
    var library: URL { home.appendingPathComponent("library") }

    /// What the library has as current.
    var installed: URL { library.appendingPathComponent("\(ContentSample.product)/current") }

    /// Runs the app till it has its content.
    ///
    /// - Parameter prefix: a program with its arguments that runs the app.
    /// - Returns: seconds of the download alone; processor time and memory of the whole run.
    @discardableResult
    func run(_ arguments: [String], prefix: [String] = []) throws -> TimedRun {
        let file = home.appendingPathComponent("time")
        let words = prefix + [app] + arguments
        let process = try MeasuredApp(
            TimedRun.program, TimedRun.words(words[0], Array(words.dropFirst()), file: file),
            environment: environment)
        let time = try process.number(after: "milliseconds").number
        _ = try process.finish()
        return try TimedRun(seconds: Double(time) / 1000, file: file)
    }

    func remove() {
        try? FileManager.default.removeItem(at: home)
    }
}
