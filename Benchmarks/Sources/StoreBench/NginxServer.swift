import Foundation

/// nginx over one file, with sendfile.
final class NginxServer {
    let url: String
    private let process: Process

    init(folder: URL, file: URL) throws {
        let port = try Self.freePort()
        url = "http://127.0.0.1:\(port)/\(file.lastPathComponent)"
        let configuration = """
            daemon off;
            worker_processes 2;
            pid \(folder.path)/nginx.pid;
            error_log /dev/null;
            events { worker_connections 512; }
            http {
              access_log off;
              sendfile on;
              tcp_nopush on;
              keepalive_requests 1000000;
              client_body_temp_path \(folder.path)/nginx-body;
              proxy_temp_path \(folder.path)/nginx-proxy;
              fastcgi_temp_path \(folder.path)/nginx-fastcgi;
              uwsgi_temp_path \(folder.path)/nginx-uwsgi;
              scgi_temp_path \(folder.path)/nginx-scgi;
              server { listen 127.0.0.1:\(port); root \(file.deletingLastPathComponent().path); }
            }

            """
        let conf = folder.appendingPathComponent("nginx.conf")
        // The workers run as another user unless told otherwise.
        let user = getuid() == 0 ? "user root;\n" : ""
        try (user + configuration).write(to: conf, atomically: true, encoding: .utf8)
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/sbin/nginx")
        process.arguments = ["-c", conf.path]
        process.standardError = FileHandle.nullDevice
        try process.run()
        for _ in 0..<100 where !Self.answers(port) { usleep(20_000) }
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    private static func freePort() throws -> UInt16 {
        let (descriptor, port) = try bound()
        close(descriptor)
        return port
    }

    private static func bound() throws -> (Int32, UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard result else { throw BenchFailure("no free port") }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    private static func answers(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = port.bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
