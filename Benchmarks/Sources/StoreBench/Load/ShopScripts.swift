import Foundation

/// What many customers ask of a shop, as scripts for wrk. An answer that is not the one expected
/// is counted in `failures`, and the first of them is kept in `refusal`.
struct ShopScripts {
    let shop: BenchShop
    let rows: LedgerRows
    let key: APIKey

    init(shop: BenchShop, rows: LedgerRows, program: String) throws {
        (self.shop, self.rows) = (shop, rows)
        key = try APIKey(program: program, for: shop)
    }

    /// Gives a shop so many customers who are signed in, each with purchases, and a key for a
    /// publisher's server.
    init(filling shop: BenchShop, customers: Int, program: String) async throws {
        let rows = try LedgerRows(
            rows: customers * LedgerRows.purchasesEach, signedIn: customers, in: shop.database)
        try self.init(shop: shop, rows: rows, program: program)
        try await shop.pause { try rows.insert(into: shop.database) }
    }

    /// What `mixedDay` counts.
    static let counts = ["failures", "products", "bought", "finished", "restored", "histories"]

    /// Purchases, each by the next customer under a key of its own.
    ///
    /// - Parameter run: a word for the keys, another one each time.
    func purchases(run: String) -> String {
        beginning(run) + """
            function request() return purchase(customer()) end
            function response(status, headers, body)
              if status == 200 then bought = bought + 1 else refuse(status, body) end
            end

            """
    }

    /// Requests for twenty products.
    func products() -> String {
        beginning("products") + """
            function request() return ask_products(customer()) end
            function response(status, headers, body)
              if status == 200 and body:find('"products":', 1, true)
                and body:find('.item20"', 1, true)
              then products = products + 1 else refuse(status, body) end
            end

            """
    }

    /// A shop's day: of 200 steps 180 ask for products, 10 buy and finish what was bought, 5
    /// restore, 5 are a server's that reads a customer's history.
    ///
    /// - Parameter rate: requests per second of all; as many as there are answers unless given.
    func mixedDay(run: String, rate: Double? = nil) throws -> String {
        try beginning(run) + history() + (rate.map(pace) ?? "") + """
            function init() math.randomseed(id + \(abs(run.hashValue) % 1_000_000)) end
            local waiting, first, last = {}, 1, 0
            function request()
              if first <= last then
                local one = waiting[first]
                waiting[first] = nil
                first = first + 1
                return post("/device/v1/transactions/" .. one.id .. "/finish", one.customer, "")
              end
              local step = math.random(200)
              if step <= 180 then return ask_products(customer()) end
              if step <= 190 then return purchase(customer()) end
              if step <= 195 then return restore(customer()) end
              return read_history()
            end
            function response(status, headers, body)
              if status == 204 then
                finished = finished + 1
              elseif status ~= 200 then
                refuse(status, body)
              elseif body:find('"products":', 1, true) then
                if body:find('.item20"', 1, true) then products = products + 1
                else refuse(status, body) end
              elseif body:find('"transactions":[{', 1, true) then
                restored = restored + 1
              elseif body:find('"signedTransactions":["', 1, true) then
                histories = histories + 1
              else
                local claims = body:match('"signedTransaction":"[^.]*%.([^.]*)%.')
                claims = claims and decoded(claims)
                local id = claims and claims:match('"transactionId":"(%d+)"')
                local buyer = claims and claims:match('"purchaseKey":"bench%-[^"]-%-(%d+)%-%d+"')
                if not id or not buyer then return refuse(status, body) end
                bought = bought + 1
                last = last + 1
                waiting[last] = { id = id, customer = tonumber(buyer) }
              end
            end

            """
    }

    // MARK: Parts

    private func beginning(_ run: String) -> String {
        let list = BenchShop.identifiers.map { "\"\($0)\"" }.joined(separator: ",")
        return """
            threads = {}
            function setup(thread)
              thread:set("id", #threads)
              table.insert(threads, thread)
            end
            failures, products, bought, finished, restored, histories = 0, 0, 0, 0, 0, 0
            refusal = nil
            function refuse(status, body)
              failures = failures + 1
              refusal = refusal or (status .. " " .. body:sub(1, 400))
            end

            -- Each thread has every other customer, in turns: nobody asks twice at once, and who asks
            -- beside one another has an account that lies far away.
            local turn = 0
            function customer()
              turn = turn + 1
              return (turn * 2 + id) * 7919 % \(rows.signedIn)
            end
            local heads = {}
            function head(customer)
              local text = heads[customer]
              if not text then
                text = " HTTP/1.1\\r\\nHost: " .. wrk.headers["Host"] ..
                  "\\r\\nOpenStore-Profile: sha256:\(shop.profileDigest)\\r\\nOpenStore-Device: bench-phone-" ..
                  customer .. "\\r\\nAuthorization: Bearer bench-token-of-somebody-" ..
                  string.format("%06d", customer) .. "\\r\\nContent-Length: "
                heads[customer] = text
              end
              return text
            end
            function post(path, customer, body)
              return "POST /sandbox" .. path .. head(customer) .. #body .. "\\r\\n\\r\\n" .. body
            end

            local count = 0
            local function fresh(customer)
              count = count + 1
              return string.format("bench-\(run)-%d-%06d-%09d", id, customer, count)
            end
            function ask_products(customer)
              return post("/device/v1/products", customer, '{"productIds":[\(list)]}')
            end
            function purchase(customer)
              return post("/device/v1/purchases", customer,
                '{"confirmedPrice":{"currency":"USD","thousandths":990},"productId":"\(BenchShop.identifiers[0])",' ..
                '"purchaseKey":"' .. fresh(customer) .. '","quantity":1}')
            end
            function restore(customer)
              return post("/device/v1/restores", customer, '{"restoreKey":"' .. fresh(customer) .. '"}')
            end

            """
    }

    /// Reading a customer's history as a publisher's server does, and reading what was signed.
    private func history() throws -> String {
        """
        local server = " HTTP/1.1\\r\\nHost: %s\\r\\nAuthorization: Bearer \
        \(try key.token(bundle: BenchShop.bundle))\\r\\n\\r\\n"
        function read_history()
          return "GET /sandbox/inApps/v2/history/" ..
            string.format("%.0f", \(rows.transactionBase) + math.random(\(rows.rows))) ..
            string.format(server, wrk.headers["Host"])
        end
        local values = {}
        local letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        for index = 1, 64 do values[letters:byte(index)] = index - 1 end
        function decoded(text)
          local bytes, buffer, bits = {}, 0, 0
          for index = 1, #text do
            buffer = buffer * 64 + values[text:byte(index)]
            bits = bits + 6
            if bits >= 8 then
              bits = bits - 8
              local byte = math.floor(buffer / 2 ^ bits)
              buffer = buffer - byte * 2 ^ bits
              bytes[#bytes + 1] = string.char(byte)
            end
          end
          return table.concat(bytes)
        end

        """
    }

    /// Lets the next request of a thread wait for its time. A thread that is late by more than a
    /// second does not catch up.
    private func pace(_ rate: Double) -> String {
        """
        local ffi = require("ffi")
        ffi.cdef("struct bench_time { long s; long n; }; int clock_gettime(int, struct bench_time *);")
        local time, slot = ffi.new("struct bench_time"), nil
        function delay()
          ffi.C.clock_gettime(1, time)
          local now = tonumber(time.s) * 1000 + tonumber(time.n) / 1e6
          slot = math.max((slot or now) + \(2000 / rate), now - 1000)
          return math.max(0, math.floor(slot - now))
        end

        """
    }
}
