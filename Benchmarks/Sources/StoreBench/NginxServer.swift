import Foundation

/// nginx over a file and the others of its folder, with sendfile.
final class NginxServer {
    let url: String
    let port: UInt16
    private let process: Process

    init(folder: URL, file: URL) throws {
        let (socket, port) = try Loopback.bind()
        close(socket)
        self.port = port
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
        for _ in 0..<100 {
            if let connection = Loopback.connect(port) {
                close(connection)
                break
            }
            usleep(20_000)
        }
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}
