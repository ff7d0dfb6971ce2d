/// What searches look through: only what customers see, kept by the program, since triggers may
/// not use virtual tables where the schema is not trusted.
///
/// Rows are numbered by `SearchRow`: the most popular items come first in the order of rows, so
/// that a search ends with the last result that is wanted, and kind, explicitness and the like
/// are known without a look at the item. Texts come folded, words parted by single spaces, from
/// `SearchText`.
let schema7Search: String = """
    CREATE TABLE item_title (
        title TEXT NOT NULL,
        search_row INTEGER NOT NULL,
        PRIMARY KEY (title, search_row)
    ) STRICT, WITHOUT ROWID;

    -- Short names, by which most searches are answered. `titles` are those in other languages
    -- than the primary one, one a line.
    CREATE VIRTUAL TABLE item_name_search USING fts5 (
        title, titles, artist, collection,
        tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'",
        prefix = '1 2 3', columnsize = 0);
    -- Words of names, by what `TypingErrors` finds them: a word that nothing has any more is only
    -- a guess too many.
    CREATE TABLE search_word (
        word TEXT PRIMARY KEY
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE search_word_part (
        part TEXT NOT NULL,
        word TEXT NOT NULL REFERENCES search_word (word),
        PRIMARY KEY (part, word)
    ) STRICT, WITHOUT ROWID;
    CREATE VIRTUAL TABLE item_name_word USING fts5vocab (item_name_search, row);

    -- Everything that is said; `marks` are words such as `year2012`.
    CREATE VIRTUAL TABLE item_text_search USING fts5 (
        names, description, keywords, composer, director, producer, actor, marks,
        tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'",
        columnsize = 0);

    CREATE VIRTUAL TABLE artist_search USING fts5 (
        name, tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'",
        prefix = '1 2 3', columnsize = 0);
    CREATE VIRTUAL TABLE artist_word USING fts5vocab (artist_search, row);

    """
