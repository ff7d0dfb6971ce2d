import StoreTestSupport
import Testing

@testable import StoreCore
@testable import StoreDatabase

/// A database of an earlier program, opened by this one.
@Suite(.usesDrivers) struct PostgresMigrationTests {
    @Test func `a store of an earlier schema keeps what it holds and gets all of the newest`()
        async throws
    {
        let place = try PostgresTestDatabase(isEmpty: true)
        let address = try PostgresAddress(place.address)
        let connection = try PostgresConnection(address)
        try connection.script(["CREATE SCHEMA \(PostgresAddress.schema)"])
        try PostgresMigration.addFoundation(connection)
        var script = PostgresScript()
        try connection.script(try script.statements(of: try EarlierStore.statements()))
        try place.run(
            """
            SET search_path TO \(PostgresAddress.schema);
            UPDATE schema_version SET number = \(EarlierStore.schema);
            CREATE FUNCTION events_in_order() RETURNS trigger LANGUAGE plpgsql
                AS $$ BEGIN RETURN NULL; END $$;
            CREATE TRIGGER device_event_in_order BEFORE INSERT ON device_event
                FOR EACH STATEMENT EXECUTE FUNCTION events_in_order();
            \(EarlierStore.shop)
            """)

        let database = try PostgresDatabase(address)
        try await EarlierStore.expectShop(in: database)
        database.close()
        #expect(try PostgresMigration.version(connection) == DatabaseSchema.store.newest)
        #expect(try PostgresMigration(.store).missingParts(address) == [])
        let offers = try place.run(
            "SELECT \(EarlierStore.tier) FROM \(PostgresAddress.schema).kept_resource")
        #expect(offers == [["t"]])
    }
}
