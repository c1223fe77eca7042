package org.crabro.config.parser;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.crabro.config.parser.FieldDeclaration.DeclaredAttribute;
import org.crabro.config.parser.FieldDeclaration.DeclaredGraph;
import org.crabro.config.parser.FieldDeclaration.DeclaredIndex;
import org.crabro.config.parser.FieldDeclaration.DeclaredRanking;
import org.crabro.config.parser.FieldDeclaration.DeclaredSearch;
import org.crabro.config.parser.FieldDeclaration.DeclaredSummary;
import org.crabro.config.parser.FieldDeclaration.DeclaredWeights;
import org.crabro.config.parser.FieldDeclaration.FieldSettings;
import org.crabro.config.parser.FieldDeclaration.FieldSummary;
import org.crabro.config.parser.FieldDeclaration.PartSettings;
import org.crabro.config.parser.FieldDeclaration.StructField;
import org.crabro.config.parser.SchemaScanner.Kind;
import org.crabro.config.parser.SchemaScanner.Token;
import org.crabro.config.schema.FieldRanking;
import org.crabro.config.schema.GraphRules;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.MatchWord;
import org.crabro.config.schema.SortSettings;
import org.jspecify.annotations.Nullable;

/**
 * Parses fields, starting after the word {@code field}.
 *
 * <pre>
 *   field     := id "type" type "{" { item } "}"
 *   type      := id [ "&lt;" type { "," type } ">" ] [ "[" "]" ] | tensor type
 *   item      := "indexing" ( ":" statement | script )
 *              | "attribute" [ id ] ( ":" attribute | "{" { attribute } "}" )
 *              | "index" ( ":" index { "," index } | "{" { index } "}" )
 *              | "match" ( ":" match | "{" { match } "}" )
 *              | "rank" ( ":" rank | "{" { rank } "}" ) | "rank-type" [ id ] ":" id
 *              | "weight" ":" int | "id" ":" int | "stemming" ":" did | "normalizing" ":" did
 *              | "bolding" ":" bool | "query-command" ":" ( did | string )
 *              | "dictionary" ( ":" dictionary | "{" { dictionary } "}" ) | "linguistics" block
 *              | "summary" [ id [ "type" type ] ] ( ":" shown | "{" { shown } "}" )
 *              | "summary-to" [ id ] ":" did { "," did }
 *              | "alias" [ id ] ":" did | "sorting" ( ":" sorting | "{" { sorting } "}" )
 *              | "weightedset" ( ":" flag | "{" { flag } "}" ) | "kind" ":" did
 *              | "struct-field" id "{" { the items allowed for a part of a field } "}"
 *   attribute := "fast-search" | "fast-access" | "fast-rank" | "mutable" | "paged"
 *              | "enable-bit-vectors" | "enable-only-bit-vector" | "distance-metric" ":" did
 *              | "alias" [ id ] ":" did | "sorting" ( ":" sorting | "{" { sorting } "}" )
 *   shown     := item of {@link SummaryItems}
 *   sorting   := "ascending" | "descending" | "function" ":" ( "uca" | "lowercase" | "raw" )
 *              | "strength" ":" strength | "locale" ":" did
 *   flag      := "create-if-nonexistent" | "remove-if-zero"
 *   index     := "enable-bm25" | "prefix" | "stemming" ":" did | "hnsw" [ block ] | "alias" ":" did
 *              | "arity" ":" int | ( "lower-bound" | "upper-bound" ) ":" long
 *              | "dense-posting-list-threshold" ":" decimal
 *   match     := type or case or part word | "gram-size" ":" int | "max-occurrences" ":" int
 *              | "max-token-length" ":" int | "max-length" ":" int | "exact-terminator" ":" string
 *   dictionary := "hash" | "btree" | "cased" | "uncased"
 * </pre>
 *
 * <p>A name after {@code attribute} or {@code index} is the name of the field. {@link
 * IndexingParser} parses {@code statement} and {@code script}. It has a method for each rule of the
 * grammar.
 */
final class FieldParser {
    private static final int FIRST_RESERVED_ID = 100;
    private static final int LAST_RESERVED_ID = 127;

    private static final Set<String> ITEMS =
            Set.of(
                    "alias",
                    "attribute",
                    "bolding",
                    "dictionary",
                    "sorting",
                    "stemming",
                    "id",
                    "index",
                    "indexing",
                    "kind",
                    "linguistics",
                    "match",
                    "normalizing",
                    "query-command",
                    "rank",
                    "rank-type",
                    "struct-field",
                    "summary",
                    "summary-to",
                    "weight",
                    "weightedset",
                    "map");
    private static final Set<String> ATTRIBUTE_ITEMS =
            Set.of(
                    "fast-search",
                    "fast-access",
                    "fast-rank",
                    "mutable",
                    "paged",
                    "enable-bit-vectors",
                    "enable-only-bit-vector",
                    "distance-metric",
                    "sorting",
                    "alias");
    private static final Set<String> INDEX_ITEMS =
            Set.of(
                    "enable-bm25",
                    "prefix",
                    "stemming",
                    "hnsw",
                    "arity",
                    "lower-bound",
                    "upper-bound",
                    "dense-posting-list-threshold",
                    "alias");
    private static final Set<String> MATCH_SETTINGS =
            Set.of(
                    "gram-size",
                    "exact-terminator",
                    "max-length",
                    "max-occurrences",
                    "max-token-length");
    private static final Set<String> STRUCT_FIELD_ITEMS =
            Set.of(
                    "summary",
                    "indexing",
                    "attribute",
                    "kind",
                    "match",
                    "query-command",
                    "rank",
                    "struct-field",
                    "summary-to");

    /** Grams that are longer are words. */
    private static final int GRAM_SIZE_MAX = 64;

    private static final Set<String> STEMMING_MODES =
            Set.of("none", "best", "shortest", "multiple");
    private static final Set<String> NORMALIZING_MODES =
            Set.of("accent", "all", "none", "lowercase", "codepoint");

    /** Deeper than any meaningful type, and far below the limit of the stack. */
    private static final int TYPE_DEPTH_LIMIT = 16;

    private final SchemaCursor cursor;

    /** The number of struct-fields around the current position. */
    private int structFieldDepth;

    FieldParser(SchemaCursor cursor) {
        this.cursor = cursor;
    }

    FieldDeclaration field() {
        Name name = cursor.id("a field's name");
        cursor.expect("type");
        TypeDeclaration type = type();
        var items = new Items(name);
        cursor.recoveringBlock(() -> item(items));
        return items.field(name, type);
    }

    TypeDeclaration type() {
        return type(0);
    }

    private TypeDeclaration type(int depth) {
        Token token = cursor.peek();
        if (token.is("tensor")) {
            return new TypeDeclaration(
                    cursor.at(token), "tensor", List.of(), Optional.of(cursor.tensorType()));
        }
        Name name = cursor.id("a type");
        var arguments = new ArrayList<TypeDeclaration>();
        if (cursor.peek().is("<")) {
            if (depth == TYPE_DEPTH_LIMIT) {
                throw new SchemaSyntaxException(
                        name.at(), "types are nested deeper than " + TYPE_DEPTH_LIMIT);
            }
            cursor.next();
            do {
                arguments.add(type(depth + 1));
            } while (cursor.accept(","));
            cursor.expect(">");
        }
        var type = new TypeDeclaration(name.at(), name.text(), arguments, Optional.empty());
        if (!cursor.accept("[")) {
            return type;
        }
        cursor.expect("]");
        cursor.warn(token, "T[] is an old form: write array<" + name.text() + ">");
        return new TypeDeclaration(name.at(), "array", List.of(type), Optional.empty());
    }

    /** Parses an item in the block of a field of {@code owner}, such as a struct. */
    void memberItem(String owner) {
        Token token = cursor.peek();
        if (token.is("id")) {
            cursor.next();
            fieldId();
        } else if (token.is("match")) {
            cursor.next();
            cursor.itemOrBlock(() -> match(new Items(cursor.name(token))));
            cursor.warn(
                    token,
                    "match in a struct is ignored: write it into a struct-field of the field"
                            + " that has the struct");
        } else if (token.kind() == Kind.WORD && ITEMS.contains(token.text())) {
            throw new SchemaSyntaxException(
                    cursor.at(token),
                    token.text()
                            + " cannot stand in a field of "
                            + owner
                            + "; write it into a struct-field of the field that has the struct");
        } else {
            throw cursor.unknown(token, Set.of("id", "match"));
        }
    }

    /** Takes the number of a field. It has no effect, but some numbers are not for fields. */
    private void fieldId() {
        Token colon = cursor.peek();
        int id = cursor.integerBehindColon();
        if (id < 0 || (id >= FIRST_RESERVED_ID && id <= LAST_RESERVED_ID)) {
            throw new SchemaSyntaxException(
                    cursor.at(colon),
                    "id %d is not for fields; expected a number from 0 to %d, or above %d"
                            .formatted(id, FIRST_RESERVED_ID - 1, LAST_RESERVED_ID));
        }
    }

    private void item(Items items) {
        Token token = cursor.peek();
        if (token.kind() != Kind.WORD || !ITEMS.contains(token.text())) {
            throw cursor.unknown(token, ITEMS);
        }
        cursor.next();
        switch (token.text()) {
            case "indexing" -> items.script = once(token, items.script, script(token));
            case "attribute" -> attribute(items);
            case "index" -> index(token, items);
            case "match" -> cursor.itemOrBlock(() -> match(items));
            case "rank" -> rank(token, items);
            case "rank-type" -> rankType(token, items);
            case "weight" -> {
                items.ranking = items.ranking.withWeight(cursor.integerBehindColon());
                items.rankSettings = cursor.name(token);
            }
            case "id" -> fieldId();
            case "kind" ->
                    items.kind =
                            once(
                                    token,
                                    items.kind,
                                    cursor.dashedIdBehindColon("time, time-ms, time-us or date"));
            case "stemming" -> items.stemming = stemming();
            case "normalizing" -> items.normalizing = normalizing();
            case "bolding" -> {
                if (cursor.booleanBehindColon()) {
                    items.transform(SummaryTransform.of(cursor.name(token)));
                }
            }
            case "query-command" -> queryCommand(items);
            case "dictionary" -> cursor.itemOrBlock(() -> dictionary(items));
            case "linguistics" -> cursor.block(() -> linguistics(items));
            case "summary" -> summary(token, items);
            case "alias" -> alias(items);
            case "sorting" -> cursor.itemOrBlock(() -> sorting(items));
            case "weightedset" -> {
                items.weightedSet = cursor.name(token);
                cursor.itemOrBlock(() ->
                        items.weightRules.add(
                                cursor.oneOf(Set.of("create-if-nonexistent", "remove-if-zero"))));
            }
            case "map" ->
                    throw new SchemaSyntaxException(
                            cursor.at(token),
                            "map: fast-search is refused: no index of maps is kept");
            case "struct-field" -> items.structFields.add(structField());
            case "summary-to" -> summaryTo(items);
            default -> throw cursor.notBuilt(token);
        }
    }

    private ScriptDeclaration script(Token keyword) {
        return IndexingParser.script(cursor, keyword);
    }

    private <T> T once(Token token, @Nullable T given, T now) {
        if (given != null) {
            throw new SchemaSyntaxException(
                    cursor.at(token), token.text() + " is given twice for one field");
        }
        return now;
    }

    private void attribute(Items items) {
        ownName("an attribute", items);
        cursor.itemOrBlock(() -> attributeItem(items));
    }

    private void attributeItem(Items items) {
        Token word = cursor.peek();
        Name item = cursor.oneOf(ATTRIBUTE_ITEMS);
        items.attributeItems.add(item);
        switch (item.text()) {
            case "distance-metric" ->
                    items.metric = cursor.dashedIdBehindColon("a distance metric");
            case "mutable" -> items.mutable = item;
            case "fast-rank" -> items.fastRank = item;
            case "enable-bit-vectors" ->
                    cursor.warn(word, "enable-bit-vectors is obsolete and has no effect");
            case "fast-search", "fast-access", "paged", "enable-only-bit-vector" -> {
                // Only fast-search has a meaning, in mode index; there is no memory layout.
            }
            case "sorting" -> cursor.itemOrBlock(() -> sorting(items));
            default -> alias(items);
        }
    }

    /** Parses an index that is declared outside of a field; it has a name. */
    SchemaDeclaration.Index schemaIndex() {
        Name name = cursor.id("the index's name");
        var items = new Items(name);
        if (!cursor.accept(":")) {
            cursor.block(() -> indexItem(items));
        } else {
            do {
                indexItem(items);
            } while (cursor.accept(","));
        }
        return new SchemaDeclaration.Index(name, items.aliases);
    }

    /** Takes an optional name of an attribute or index; it must be the name of the field. */
    private void ownName(String what, Items items) {
        Token token = cursor.peek();
        if (token.kind() != Kind.WORD) {
            return;
        }
        if (!token.is(items.name.text())) {
            cursor.warn(
                    token,
                    "%s with a name of its own is an old form: it is the field's, '%s'"
                            .formatted(what, items.name.text()));
        }
        cursor.next();
    }

    private void alias(Items items) {
        Name target = cursor.peek().is(":") ? items.name : cursor.id("a name");
        items.aliases.add(
                new DeclaredAlias(cursor.dashedIdBehindColon("another name of the field"), target));
    }

    private void sorting(Items items) {
        Name item =
                cursor.oneOf(Set.of("ascending", "descending", "function", "strength", "locale"));
        switch (item.text()) {
            case "ascending" -> items.sortDescends = false;
            case "function" ->
                    items.sortFunction =
                            cursor.oneOfBehindColon(Set.of("uca", "raw", "lowercase")).text();
            case "strength" ->
                    items.sortStrength =
                            cursor.oneOfBehindColon(
                                            Set.of(
                                                    "primary",
                                                    "secondary",
                                                    "tertiary",
                                                    "quaternary",
                                                    "identical"))
                                    .text();
            case "locale" -> items.sortLocale = cursor.dashedIdBehindColon("a language").text();
            default -> items.sortDescends = true;
        }
    }

    private void linguistics(Items items) {
        Token keyword = cursor.peek();
        cursor.expect("profile");
        if (cursor.accept(":")) {
            items.searchProfile = cursor.id("a profile's name");
        } else {
            cursor.block(() -> {
                boolean isSearch = cursor.oneOf(Set.of("index", "search")).text().equals("search");
                Name profile = cursor.idBehindColon("a profile's name");
                // The profile for documents also applies to queries, unless queries have one of
                // their own.
                if (isSearch || items.searchProfile == null) {
                    items.searchProfile = profile;
                }
            });
        }
        cursor.inform(
                keyword, "linguistics profiles have no effect: all words are tokenized alike");
    }

    private StructField structField() {
        Token word = cursor.peek();
        Name path = cursor.id("the name of a part of the field");
        if (structFieldDepth == TYPE_DEPTH_LIMIT) {
            throw new SchemaSyntaxException(
                    path.at(), "struct-fields are nested deeper than " + TYPE_DEPTH_LIMIT);
        }
        var items = new Items(path);
        structFieldDepth++;
        try {
            cursor.recoveringBlock(() -> {
                Token token = cursor.peek();
                if (token.kind() != Kind.WORD || !STRUCT_FIELD_ITEMS.contains(token.text())) {
                    throw cursor.unknown(token, STRUCT_FIELD_ITEMS);
                }
                item(items);
            });
        } finally {
            structFieldDepth--;
        }
        if (!items.summaries.isEmpty() || items.summary != null) {
            cursor.warn(word, "summaries of parts of a field are ignored: it is shown whole");
        }
        if (!items.aliases.isEmpty()) {
            cursor.warn(word, "aliases of parts of a field are ignored: queries name them by path");
        }
        return new StructField(
                path,
                Optional.ofNullable(items.script),
                items.match,
                items.words(),
                new PartSettings(
                        items.attributeItems.stream().findFirst(),
                        items.ranking,
                        Optional.ofNullable(items.kind)),
                items.structFields);
    }

    private void index(Token keyword, Items items) {
        ownName("an index", items);
        items.indexSettings = cursor.name(keyword);
        if (!cursor.accept(":")) {
            cursor.block(() -> indexItem(items));
            return;
        }
        do {
            indexItem(items);
        } while (cursor.accept(","));
    }

    private void indexItem(Items items) {
        Token token = cursor.peek();
        Name item = cursor.oneOf(INDEX_ITEMS);
        switch (item.text()) {
            case "enable-bm25", "prefix" -> {}
            case "stemming" -> items.indexStemming = stemming();
            case "arity" -> {
                items.arity = item;
                cursor.integerBehindColon(2);
            }
            case "lower-bound", "upper-bound" -> cursor.longBehindColon();
            case "dense-posting-list-threshold" -> cursor.decimalBehindColon();
            case "hnsw" -> {
                items.hnsw = item;
                if (cursor.peek().is("{")) {
                    cursor.block(() -> hnswItem(items));
                }
                cursor.warnWhereStreaming(token, "hnsw is ignored: the search is exact");
            }
            default -> alias(items);
        }
    }

    private void hnswItem(Items items) {
        Name item =
                cursor.oneOf(
                        Set.of(
                                "max-links-per-node",
                                "neighbors-to-explore-at-insert",
                                "multi-threaded-indexing"));
        GraphRules before = items.graph;
        switch (item.text()) {
            case "multi-threaded-indexing" -> cursor.booleanBehindColon();
            case "max-links-per-node" ->
                    items.graph = new GraphRules(cursor.integerBehindColon(), before.explored());
            default -> items.graph = new GraphRules(before.links(), cursor.integerBehindColon());
        }
    }

    private void match(Items items) {
        Token token = cursor.peek();
        Optional<MatchWord> word =
                token.kind() == Kind.WORD ? MatchWord.of(token.text()) : Optional.empty();
        if (word.isPresent()) {
            cursor.next();
            items.match.add(new MatchDeclaration(cursor.at(token), word.get()));
            return;
        }
        if (token.kind() != Kind.WORD || !MATCH_SETTINGS.contains(token.text())) {
            var words = new HashSet<>(MatchWord.texts());
            words.addAll(MATCH_SETTINGS);
            throw cursor.unknown(token, words);
        }
        cursor.next();
        if (token.is("exact-terminator")) {
            cursor.expect(":");
            if (cursor.peek().kind() != Kind.STRING) {
                throw cursor.expected(cursor.peek(), "a string");
            }
            items.terminator = new Name(cursor.at(token), cursor.next().text());
            return;
        }
        long number = cursor.integerBehindColon();
        if (token.is("gram-size")) {
            items.gramSize = cursor.name(token);
            if (number < 1) {
                throw new SchemaSyntaxException(cursor.at(token), "gram-size has to be at least 1");
            }
            if (number > GRAM_SIZE_MAX) {
                throw new SchemaSyntaxException(
                        cursor.at(token), "gram-size can be at most " + GRAM_SIZE_MAX);
            }
            items.gramCharacters = OptionalInt.of((int) number);
        } else if (token.is("max-length")) {
            if (number < 1) {
                throw new SchemaSyntaxException(
                        cursor.at(token), "max-length has to be at least 1");
            }
            items.maxLength = OptionalInt.of((int) Math.min(number, MatchMode.LENGTH_MAX));
        }
    }

    private void rank(Token keyword, Items items) {
        items.rankSettings = cursor.name(keyword);
        cursor.itemOrBlock(() -> {
            Token item = cursor.peek();
            Name rank = cursor.oneOf(Set.of("literal", "normal", "filter"));
            switch (rank.text()) {
                case "filter" -> items.ranking = items.ranking.filtering();
                case "normal" -> items.ranking = items.ranking.scoring();
                default ->
                        cursor.warn(
                                item,
                                "literal has no effect: the field gets no second field with its words unstemmed");
            }
        });
    }

    private void rankType(Token keyword, Items items) {
        ownName("a rank-type for an index", items);
        items.ranking = items.ranking.with(rankType(cursor));
        items.rankSettings = cursor.name(keyword);
    }

    /** Parses the value of {@code rank-type}: the tables that native scores use. */
    static FieldRanking.RankType rankType(SchemaCursor cursor) {
        Name name =
                cursor.oneOfBehindColon(Set.of("identity", "about", "tags", "empty", "default"));
        if (name.text().equals("default")) {
            return FieldRanking.RankType.ABOUT;
        }
        return FieldRanking.RankType.valueOf(name.text().toUpperCase(Locale.ROOT));
    }

    /** Parses the value of {@code stemming}. */
    Name stemming() {
        return mode(STEMMING_MODES);
    }

    /** Reads how words are changed; letter case does not count there. */
    private Name mode(Set<String> modes) {
        cursor.expect(":");
        Token mode = cursor.peek();
        String word = mode.text().toLowerCase(Locale.ROOT);
        if (mode.kind() != Kind.WORD || !modes.contains(word)) {
            throw cursor.unknown(mode, modes);
        }
        cursor.next();
        return new Name(cursor.at(mode), word);
    }

    private Name normalizing() {
        Name mode = mode(NORMALIZING_MODES);
        return mode.text().equals("all") ? new Name(mode.at(), "accent") : mode;
    }

    private void queryCommand(Items items) {
        cursor.expect(":");
        Token token = cursor.peek();
        if (token.kind() != Kind.WORD && token.kind() != Kind.STRING) {
            throw cursor.expected(token, "a word or a string");
        }
        cursor.next();
        items.commands.add(token.text());
        if (!DeclaredReading.isKnown(token.text())) {
            cursor.inform(
                    token, "query-command is left out: searchers of the application do not see it");
        }
    }

    private void dictionary(Items items) {
        Name item = cursor.oneOf(Set.of("hash", "btree", "cased", "uncased"));
        items.dictionary.add(item);
    }

    private void summary(Token keyword, Items items) {
        Token token = cursor.peek();
        Name name = items.name;
        Optional<TypeDeclaration> type = Optional.empty();
        boolean named = token.kind() == Kind.WORD;
        if (named) {
            name = cursor.id("the name of a summary field");
            if (cursor.accept("type")) {
                type = Optional.of(type());
            }
        }
        var shown = new SummaryItems(cursor);
        cursor.itemOrBlock(shown::item);
        if (!named && shown.sources.isEmpty() && shown.to.isEmpty()) {
            items.summary = cursor.name(keyword);
            shown.transform().ifPresent(transform -> items.transform(transform));
        } else {
            items.summaries.add(
                    new FieldSummary(
                            name,
                            type,
                            shown.sources.isEmpty() ? List.of(items.name) : shown.sources,
                            shown.to,
                            shown.transform()));
        }
    }

    private void summaryTo(Items items) {
        Name name = cursor.peek().is(":") ? items.name : cursor.id("the name of a summary field");
        cursor.expect(":");
        items.summaries.add(
                new FieldSummary(
                        name,
                        Optional.empty(),
                        List.of(items.name),
                        cursor.dashedIds("a document-summary's name"),
                        Optional.empty()));
    }

    /** Returns a parser of the items of a field set that fields have too. */
    FieldsetItems fieldsetItems(Name fieldset) {
        return new FieldsetItems(new Items(fieldset));
    }

    /** The items of a field set's block that are parsed so far. */
    final class FieldsetItems {
        private final Items items;

        private FieldsetItems(Items items) {
            this.items = items;
        }

        /** Parses the value of {@code match}. */
        void match() {
            cursor.itemOrBlock(() -> FieldParser.this.match(items));
        }

        /** Parses the value of {@code query-command}. */
        void queryCommand() {
            FieldParser.this.queryCommand(items);
        }

        SchemaDeclaration.Fieldset fieldset(List<Name> members) {
            return new SchemaDeclaration.Fieldset(
                    items.name, members, items.match, items.reading());
        }
    }

    /** The items of a field's block that are parsed so far. */
    private static final class Items {
        private final Name name;
        private final List<DeclaredAlias> aliases = new ArrayList<>();
        private final List<StructField> structFields = new ArrayList<>();
        private final List<FieldSummary> summaries = new ArrayList<>();
        private @Nullable Name kind;
        private @Nullable Name weightedSet;
        private final List<Name> weightRules = new ArrayList<>();
        private @Nullable ScriptDeclaration script;
        private final List<MatchDeclaration> match = new ArrayList<>();
        private @Nullable Name gramSize;
        private @Nullable Name terminator;
        private final List<String> commands = new ArrayList<>();
        private OptionalInt gramCharacters = OptionalInt.empty();
        private OptionalInt maxLength = OptionalInt.empty();
        private @Nullable Name metric;
        private final List<Name> attributeItems = new ArrayList<>();
        private @Nullable Name indexSettings;
        private @Nullable Name arity;
        private @Nullable Name rankSettings;
        private FieldRanking ranking = FieldRanking.NONE;
        private @Nullable Name hnsw;
        private GraphRules graph = GraphRules.DEFAULT;
        private @Nullable Name mutable;
        private @Nullable Name fastRank;
        private final List<Name> dictionary = new ArrayList<>();
        private @Nullable Name stemming;
        private @Nullable Name indexStemming;
        private @Nullable Name normalizing;
        private @Nullable Name searchProfile;
        private @Nullable Name summary;
        private SummaryTransform transform = SummaryTransform.NONE;
        private @Nullable String sortFunction;
        private @Nullable String sortStrength;
        private @Nullable String sortLocale;
        private boolean sortDescends;

        Items(Name name) {
            this.name = name;
        }

        void transform(SummaryTransform given) {
            transform = transform.with(given);
        }

        WordSettings words() {
            return new WordSettings(
                    Optional.ofNullable(indexStemming == null ? stemming : indexStemming),
                    Optional.ofNullable(normalizing),
                    Optional.ofNullable(searchProfile),
                    gramCharacters,
                    maxLength,
                    reading());
        }

        DeclaredReading reading() {
            return new DeclaredReading(Optional.ofNullable(terminator), commands);
        }

        FieldDeclaration field(Name name, TypeDeclaration type) {
            return new FieldDeclaration(
                    name,
                    type,
                    Optional.ofNullable(script),
                    structFields,
                    new FieldSettings(
                            attribute(),
                            search(),
                            new DeclaredSummary(
                                    Optional.ofNullable(summary),
                                    Optional.of(transform).filter(given -> !given.isNone()),
                                    summaries),
                            new DeclaredRanking(Optional.ofNullable(rankSettings), ranking),
                            new DeclaredWeights(Optional.ofNullable(weightedSet), weightRules),
                            Optional.ofNullable(kind)));
        }

        private DeclaredAttribute attribute() {
            return new DeclaredAttribute(
                    attributeItems,
                    Optional.ofNullable(metric),
                    Optional.ofNullable(mutable),
                    Optional.ofNullable(fastRank),
                    dictionary,
                    new SortSettings(
                            Optional.ofNullable(sortFunction)
                                    .map(function ->
                                            SortSettings.Function.valueOf(
                                                    function.toUpperCase(Locale.ROOT))),
                            Optional.ofNullable(sortStrength),
                            Optional.ofNullable(sortLocale),
                            sortDescends));
        }

        private DeclaredSearch search() {
            return new DeclaredSearch(
                    match,
                    Optional.ofNullable(gramSize),
                    words(),
                    new DeclaredIndex(
                            Optional.ofNullable(indexSettings), Optional.ofNullable(arity)),
                    Optional.ofNullable(hnsw).map(at -> new DeclaredGraph(at, graph)),
                    aliases);
        }
    }
}
