/// What servers of publishers ask for. One migration, in parts by subject.
let schema8: String = [
    schema8Transactions, schema8Subscriptions, schema8Refunds, schema8Receipts,
    schema8Notifications, schema8Servers, schema8Messaging,
].joined(separator: "\n")
