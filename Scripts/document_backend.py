"""A publisher's server for the documents that need one: takes what it gets, and says 200.

usage: document_backend.py PORT
"""

import http.server
import sys


class Backend(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers.get('Content-Length') or 0))
        self.send_response(200)
        self.send_header('Content-Length', '0')
        self.end_headers()

    do_GET = do_POST


http.server.ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Backend).serve_forever()
