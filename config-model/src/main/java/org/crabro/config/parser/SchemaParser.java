package org.crabro.config.parser;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.parser.SchemaDeclaration.DeclaredFields;
import org.crabro.config.parser.SchemaDeclaration.DeclaredTypes;
import org.crabro.config.parser.SchemaDeclaration.Document;
import org.crabro.config.parser.SchemaDeclaration.Fieldset;
import org.crabro.config.parser.SchemaDeclaration.SchemaHeader;
import org.crabro.config.parser.SchemaDeclaration.Struct;
import org.crabro.config.parser.SchemaDeclaration.Summary;
import org.crabro.config.parser.SchemaDeclaration.SummaryField;
import org.crabro.config.parser.SchemaScanner.Kind;
import org.crabro.config.parser.SchemaScanner.Token;
import org.jspecify.annotations.Nullable;

/**
 * Parses schema files.
 *
 * <pre>
 *   file      := { NL } document { NL } { document { NL } } | { NL } "schema" id [ "inherits" id ] "{" { item } "}" { NL }
 *   item      := document | field | struct | annotation | fieldset | summary | profile | hint
 *              | "constant" constant | "onnx-model" model | "index" id settings
 *              | "import" "field" id "." id "as" id "{" "}"
 *   document  := "document" [ id ] [ "inherits" id { "," id } ]
 *                "{" { field | struct | annotation } "}"
 *   fieldset  := "fieldset" id "{" { "fields" ":" id { "," id } | "query-command" ":" word
 *                | "match" matching } "}"
 *   summary   := "document-summary" did [ "inherits" did { "," did } ]
 *                "{" { "from-disk" | "omit-summary-features" | show } "}"
 *   show      := "summary" did [ "type" type ] "{" { item of SummaryItems } "}"
 *   hint      := "stemming" ":" did | "documentid" ":" ( "attribute" | "from-disk" )
 *                | "raw-as-base64-in-summary" [ ":" ( "true" | "false" ) ]
 * </pre>
 *
 * <p>{@link FieldParser} parses {@code field}, {@link StructParser} parses {@code struct} and
 * {@code annotation}, {@link RankProfileParser} parses {@code profile}. Line ends are allowed
 * around braces and after items only. Other elements of the language are rejected by name.
 */
public final class SchemaParser {
    private static final Set<String> ITEMS =
            Set.of(
                    "document",
                    "field",
                    "fieldset",
                    "document-summary",
                    "rank-profile",
                    "model",
                    "stemming",
                    "documentid",
                    "raw-as-base64-in-summary",
                    "struct",
                    "annotation",
                    "index",
                    "import",
                    "onnx-model",
                    "constant");

    private final SchemaCursor cursor;
    private final FieldParser fieldParser;
    private final RankProfileParser rankProfileParser;

    private final StructParser structParser;
    private final ModelParser modelParser;

    private final List<SchemaDeclaration.PackagedFile> files = new ArrayList<>();
    private final List<SchemaDeclaration.Import> imports = new ArrayList<>();
    private final List<SchemaDeclaration.Index> indexes = new ArrayList<>();
    private final List<Struct> structs = new ArrayList<>();
    private final List<Struct> annotations = new ArrayList<>();
    private final List<Document> documents = new ArrayList<>();
    private final List<FieldDeclaration> fields = new ArrayList<>();
    private final List<Fieldset> fieldsets = new ArrayList<>();
    private final List<RankProfileDeclaration> rankProfiles = new ArrayList<>();
    private final List<Summary> summaries = new ArrayList<>();
    private @Nullable Name stemming;
    private Optional<Boolean> rawAsBase64 = Optional.empty();

    private SchemaParser(SourceText source) {
        this.cursor = new SchemaCursor(source);
        this.fieldParser = new FieldParser(cursor);
        this.structParser = new StructParser(cursor, fieldParser);
        this.modelParser = new ModelParser(cursor);
        this.rankProfileParser = new RankProfileParser(cursor, modelParser, files);
    }

    /**
     * The result of parsing a file.
     *
     * @param schemas one, or several documents without a schema, as far as they could be read;
     *     empty if not even a name could be read
     * @param errors in the order of the file; if there are any, the schemas are incomplete
     * @param tokens how many were read, without those of scripts and expressions
     */
    public record Result(
            List<SchemaDeclaration> schemas, List<SchemaSyntaxException> errors, int tokens) {
        /** The result of a file that cannot be read. */
        public static final Result NONE = new Result(List.of(), List.of(), 0);

        public Result {
            schemas = List.copyOf(schemas);
            errors = List.copyOf(errors);
        }

        /** Returns the first of them. */
        public Optional<SchemaDeclaration> schema() {
            return schemas.stream().findFirst();
        }
    }

    /** Returns the declarations of {@code source}, and all errors found. */
    public static Result parse(SourceText source) {
        var parser = new SchemaParser(source);
        var schemas = new ArrayList<SchemaDeclaration>();
        try {
            parser.schemas(schemas);
            parser.end();
        } catch (SchemaSyntaxException e) {
            parser.cursor.errors().add(e);
        }
        return new Result(schemas, parser.cursor.errors(), parser.cursor.tokens());
    }

    /**
     * The result of parsing a file with a rank profile.
     *
     * @param rankProfiles the profile and those inside it; empty if not even its name could be read
     * @param files their models and constants
     * @param ignored elements of the file that have no effect
     * @param errors in the order of the file
     * @param tokens how many were read, without those of expressions
     */
    public record ProfileResult(
            List<RankProfileDeclaration> rankProfiles,
            List<SchemaDeclaration.PackagedFile> files,
            List<IgnoredElement> ignored,
            List<SchemaSyntaxException> errors,
            int tokens) {
        public ProfileResult {
            rankProfiles = List.copyOf(rankProfiles);
            files = List.copyOf(files);
            ignored = List.copyOf(ignored);
            errors = List.copyOf(errors);
        }
    }

    /** Returns the rank profile that a file of its own declares. */
    public static ProfileResult parseProfile(SourceText source) {
        var parser = new SchemaParser(source);
        try {
            parser.cursor.skipNewlines();
            parser.cursor.expect("rank-profile");
            parser.rankProfiles.addAll(parser.rankProfileParser.rankProfiles());
            parser.end();
        } catch (SchemaSyntaxException e) {
            parser.cursor.errors().add(e);
        }
        return new ProfileResult(
                parser.rankProfiles,
                parser.files,
                parser.cursor.ignored(),
                parser.cursor.errors(),
                parser.cursor.tokens());
    }

    private void schemas(List<SchemaDeclaration> into) {
        cursor.skipNewlines();
        Token keyword = cursor.peek();
        if (keyword.is("document")) {
            documentsAlone(into);
            return;
        }
        if (!keyword.is("schema") && !keyword.is("search")) {
            throw cursor.expected(keyword, "'schema'");
        }
        cursor.next();
        Name name = cursor.id("the schema's name");
        Optional<Name> parent =
                cursor.accept("inherits")
                        ? Optional.of(cursor.id("a schema's name"))
                        : Optional.empty();
        cursor.recoveringBlock(() -> item(name));
        into.add(declaration(name, parent, false));
    }

    /**
     * Parses documents without a schema around them: types whose fields are stored but not
     * searched.
     */
    private void documentsAlone(List<SchemaDeclaration> into) {
        while (cursor.peek().is("document")) {
            Token keyword = cursor.next();
            document(new Name(cursor.at(keyword), ""));
            cursor.skipNewlines();
            Name own = documents.getLast().name();
            if (own.text().isEmpty()) {
                throw new SchemaSyntaxException(
                        own.at(), "a document without a schema needs a name");
            }
            boolean isOneOfSeveral = !into.isEmpty() || cursor.peek().is("document");
            into.add(declaration(own, Optional.empty(), isOneOfSeveral));
            documents.clear();
            structs.clear();
            annotations.clear();
            cursor.ignored().clear();
        }
    }

    private SchemaDeclaration declaration(
            Name name, Optional<Name> parent, boolean isOneOfSeveral) {
        return new SchemaDeclaration(
                new SchemaHeader(name, parent, isOneOfSeveral, cursor.ignored()),
                new DeclaredTypes(documents, structs, annotations),
                new DeclaredFields(
                        fields,
                        fieldsets,
                        imports,
                        indexes,
                        Optional.ofNullable(stemming),
                        rawAsBase64),
                rankProfiles,
                summaries,
                files);
    }

    private void end() {
        cursor.skipNewlines();
        if (cursor.peek().kind() != Kind.END) {
            throw cursor.expected(cursor.peek(), "the end of the file");
        }
    }

    private void item(Name schema) {
        Token token = cursor.peek();
        if (token.kind() != Kind.WORD || !ITEMS.contains(token.text())) {
            throw cursor.unknown(token, ITEMS);
        }
        cursor.next();
        switch (token.text()) {
            case "document" -> document(schema);
            case "field" -> fields.add(fieldParser.field());
            case "struct" -> structs.add(structParser.struct());
            case "annotation" -> annotations.add(structParser.annotation());
            case "import" -> imports.add(modelParser.importedField());
            case "constant" -> files.add(modelParser.constant());
            case "onnx-model" -> files.add(modelParser.model(""));
            case "index" -> indexes.add(fieldParser.schemaIndex());
            case "fieldset" -> fieldset();
            case "document-summary" -> summary();
            case "rank-profile", "model" -> rankProfiles.addAll(rankProfileParser.rankProfiles());
            case "stemming" -> stemming = fieldParser.stemming();
            case "documentid" -> cursor.oneOfBehindColon(Set.of("attribute", "from-disk"));
            case "raw-as-base64-in-summary" ->
                    rawAsBase64 =
                            Optional.of(
                                    !cursor.peek().is(":")
                                            || cursor.oneOfBehindColon(Set.of("true", "false"))
                                                    .text()
                                                    .equals("true"));
            default -> throw new IllegalStateException("unknown: " + token.text());
        }
    }

    private void document(Name schema) {
        Name name = schema;
        if (cursor.peek().kind() == Kind.WORD && !cursor.peek().is("inherits")) {
            name = cursor.id("the document's name");
        }
        List<Name> parents =
                cursor.accept("inherits") ? cursor.ids("a document's name") : List.of();
        var inside = new ArrayList<FieldDeclaration>();
        cursor.recoveringBlock(() -> {
            Token token = cursor.peek();
            if (token.is("struct") || token.is("annotation")) {
                cursor.next();
                if (token.is("struct")) {
                    structs.add(structParser.struct());
                } else {
                    annotations.add(structParser.annotation());
                }
                return;
            }
            if (token.is("compression")) {
                cursor.next();
                cursor.skipBlock();
                cursor.warn(token, "compression is ignored: stored data is always compressed");
                return;
            }
            if (!token.is("field")) {
                throw cursor.unknown(token, Set.of("field", "struct", "annotation"));
            }
            cursor.next();
            inside.add(fieldParser.field());
        });
        documents.add(new Document(name, parents, inside));
    }

    private void fieldset() {
        Name name = cursor.id("the field set's name");
        var members = new ArrayList<Name>();
        FieldParser.FieldsetItems words = fieldParser.fieldsetItems(name);
        cursor.block(() -> {
            Token token = cursor.peek();
            if (token.is("match")) {
                cursor.next();
                words.match();
                return;
            }
            if (token.is("query-command")) {
                cursor.next();
                words.queryCommand();
                return;
            }
            if (!token.is("fields")) {
                throw cursor.unknown(token, Set.of("fields", "query-command", "match"));
            }
            cursor.next();
            cursor.expect(":");
            members.addAll(cursor.ids("a field's name"));
        });
        fieldsets.add(words.fieldset(members));
    }

    private void summary() {
        Name name = cursor.dashedId("the summary's name");
        List<Name> parents =
                cursor.accept("inherits") ? cursor.dashedIds("a summary's name") : List.of();
        var shown = new ArrayList<SummaryField>();
        var omitted = new ArrayList<Token>();
        cursor.recoveringBlock(() -> {
            Token token = cursor.peek();
            Set<String> items = Set.of("summary", "from-disk", "omit-summary-features");
            if (token.kind() != Kind.WORD || !items.contains(token.text())) {
                throw cursor.unknown(token, items);
            }
            cursor.next();
            if (token.is("summary")) {
                shown.add(summaryField());
            } else if (token.is("omit-summary-features")) {
                omitted.add(token);
            }
        });
        summaries.add(new Summary(name, parents, shown, !omitted.isEmpty()));
    }

    private SummaryField summaryField() {
        Name name = cursor.dashedId("a field's name");
        Optional<TypeDeclaration> type =
                cursor.accept("type") ? Optional.of(fieldParser.type()) : Optional.empty();
        var items = new SummaryItems(cursor);
        cursor.block(items::item);
        items.refuseTo();
        return new SummaryField(name, type, items.sources, items.transform());
    }
}
