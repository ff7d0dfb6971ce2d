/// What SQLite has built in, and the store's statements use: functions in the store's own schema
/// of a PostgreSQL database. All are inlined where they are called, or cost little.
enum PostgresFunctions {
    static let statements: [String] = [
        // As SQLite's NOCASE: letters of ASCII without their case, then bytes.
        """
        CREATE FUNCTION nocase(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
            AS $$ SELECT pg_catalog.lower($1 COLLATE "C") $$
        """,
        """
        CREATE FUNCTION iif(boolean, anycompatible, anycompatible) RETURNS anycompatible
            LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT CASE WHEN $1 THEN $2 ELSE $3 END $$
        """,
        """
        CREATE FUNCTION instr(text, text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
            AS $$ SELECT pg_catalog.strpos($1, $2) $$
        """,
        """
        CREATE FUNCTION hex(bytea) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
            AS $$ SELECT pg_catalog.upper(pg_catalog.encode($1, 'hex')) $$
        """,
        // Random bytes, up to the six at the end of a UUID that are random throughout.
        """
        CREATE FUNCTION randomblob(integer) RETURNS bytea LANGUAGE sql VOLATILE PARALLEL SAFE
            AS $$ SELECT pg_catalog.substr(
                pg_catalog.uuid_send(pg_catalog.gen_random_uuid()), 11, least($1, 6)) $$
        """,
        // The elements of an array, with their places.
        """
        CREATE FUNCTION json_each(text) RETURNS TABLE (key bigint, value text)
            LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 20 AS $$
            SELECT e.place - 1, e.value
            FROM pg_catalog.json_array_elements_text(CAST($1 AS json))
                WITH ORDINALITY AS e (value, place) $$
        """,
        // `$.name.of.a.member`; a text, also where the value is a number.
        """
        CREATE FUNCTION json_extract(text, text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
            AS $$ SELECT CAST($1 AS json) #>> pg_catalog.string_to_array(substr($2, 3), '.') $$
        """,
        """
        CREATE FUNCTION json_set(text, text, text) RETURNS text
            LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
            SELECT CAST(pg_catalog.jsonb_set(CAST($1 AS jsonb),
                pg_catalog.string_to_array(substr($2, 3), '.'), to_jsonb($3)) AS text) $$
        """,
        // Characters as searches fold them, whatever the language.
        """
        CREATE FUNCTION folded(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
            AS $$ SELECT pg_catalog.lower($1 COLLATE "und-x-icu") $$
        """,
        // Words with their places. Before each stands the letter of its column, so that a phrase
        // never goes from one into the next; a column begins with its letter alone, which is what
        // phrases at its beginning follow. Positions end at 16383, and words at 2046 bytes.
        """
        CREATE FUNCTION search_words(text[]) RETURNS tsvector
            LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
            SELECT CAST(coalesce(pg_catalog.string_agg(
                '''' || w.lexeme || ''':' || least(w.place, 16383), ' '), '') AS tsvector)
            FROM (
                SELECT pg_catalog.chr(CAST(96 + c.number AS integer)) AS lexeme, 1 AS place
                FROM pg_catalog.unnest($1) WITH ORDINALITY AS c (value, number)
                WHERE c.value <> ''
                UNION ALL
                SELECT pg_catalog.chr(CAST(96 + c.number AS integer)) || '_'
                    || pg_catalog.replace(pg_catalog.replace(t.word, '\\', '\\\\'), '''', ''''''),
                    1 + t.place
                FROM pg_catalog.unnest($1) WITH ORDINALITY AS c (value, number),
                    pg_catalog.unnest(pg_catalog.string_to_array(
                        pg_catalog.translate(c.value, E'\\n', ' '), ' '))
                        WITH ORDINALITY AS t (word, place)
                WHERE t.word <> '' AND pg_catalog.octet_length(t.word) < 1000
            ) w $$
        """,
    ]

    /// What is made anew with each newer schema.
    static let additions: [String] = [
        // Each transaction that writes asks for the schema that its program knows.
        """
        CREATE OR REPLACE FUNCTION require_schema(known bigint) RETURNS void
            LANGUAGE plpgsql STABLE AS $$
        DECLARE there bigint;
        BEGIN
            SELECT number INTO there FROM schema_version;
            IF there IS DISTINCT FROM known THEN
                RAISE EXCEPTION USING ERRCODE = '\(otherSchema)', MESSAGE =
                    'the database has schema ' || coalesce(there, 0) || ' by now, and this program knows '
                    || known || ': start the program that brought it there instead';
            END IF;
        END $$
        """
    ]

    /// The code of the error that `require_schema` raises.
    static let otherSchema = "OS001"

    /// The number of an advisory lock.
    static let migrationLock: Int64 = 0x6F70_656E_7374_6F01
}
