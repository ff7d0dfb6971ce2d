import Foundation

/// A shop by django-oscar behind gunicorn, with its rows in a database of a cluster.
final class OscarShop {
    private static let database = "oscar"
    private let cluster: PostgresCluster
    private let server = Process()
    private(set) var address = ""
    let customers: Int

    /// - Parameters:
    ///   - programs: the folder of Python's programs.
    ///   - project: the folder of the shop's sources.
    init(programs: URL, project: URL, customers: Int, cluster: PostgresCluster) throws {
        self.cluster = cluster
        self.customers = customers
        try cluster.create(Self.database)
        let environment = [
            "PATH": "/usr/bin:/bin", "HOME": cluster.folder.path, "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONWARNINGS": "ignore", "SHOP_HOST": cluster.folder.path,
            "SHOP_DATABASE": Self.database,
        ]
        try BenchShop.run(
            programs.appendingPathComponent("python").path, ["fill.py", "\(customers)"],
            environment: environment, workingFolder: project)
        try cluster.run("VACUUM ANALYZE", on: Self.database)
        server.executableURL = programs.appendingPathComponent("gunicorn")
        // As many workers as gunicorn's documentation asks for.
        let workers = 2 * ProcessInfo.processInfo.activeProcessorCount + 1
        server.arguments = [
            "--workers", "\(workers)", "--bind", "127.0.0.1:0", "shop:application",
        ]
        server.environment = environment
        server.currentDirectoryURL = project
        let output = Pipe()
        server.standardError = output
        server.standardOutput = FileHandle.nullDevice
        try server.run()
        var log = ""
        while log.matches(of: /Booting worker/).count < workers {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw BenchFailure("gunicorn did not start: \(log)") }
            log += String(decoding: data, as: UTF8.self)
        }
        guard let found = log.firstMatch(of: /Listening at: (http:\S+)/) else {
            throw BenchFailure("gunicorn says no address: \(log)")
        }
        address = String(found.1)
        // What it writes from now on is nobody's, and must not fill the pipe.
        output.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
    }

    func stop() {
        server.terminate()
        server.waitUntilExit()
    }

    /// Orders with one line that are paid in full.
    func orders() throws -> Int {
        let text = try cluster.run(
            """
            SELECT count(*) FROM public.order_order o
                JOIN public.order_line l ON l.order_id = o.id
                JOIN public.payment_source s ON s.order_id = o.id
            WHERE o.status = 'Paid' AND s.amount_debited = o.total_incl_tax
            """, on: Self.database)
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
    }

    /// Orders for wrk, each by the next customer.
    func script(run: String) -> String {
        """
        threads = {}
        function setup(thread)
          thread:set("id", #threads)
          table.insert(threads, thread)
        end
        failures, bought, refusal = 0, 0, nil
        local turn = 0
        function request()
          turn = turn + 1
          local body = string.format(
            '{"product":"com.example.bench.item1","quantity":1,"key":"bench-\(run)-%d-%09d"}', id, turn)
          return wrk.format("POST", "/buy", {
            ["Authorization"] = string.format("Token bench-token-%06d", (turn * 2 + id) % \(customers)),
            ["Content-Type"] = "application/json" }, body)
        end
        function response(status, headers, body)
          if status == 200 and body:find('"status":"Paid"', 1, true) then bought = bought + 1
          else
            failures = failures + 1
            refusal = refusal or (status .. " " .. body:sub(1, 400))
          end
        end

        """
    }
}
