/// What a review of Connect found. One migration, in parts by subject.
let schema6: String = [
    schema6Identifiers, schema6Review, schema6Subscriptions,
].joined(separator: "\n")
