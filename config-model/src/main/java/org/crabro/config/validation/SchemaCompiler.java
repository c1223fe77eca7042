package org.crabro.config.validation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.Notice;
import org.crabro.config.parser.DeclaredAlias;
import org.crabro.config.parser.FieldDeclaration;
import org.crabro.config.parser.IgnoredElement;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.SchemaDeclaration;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.config.schema.FieldNames;
import org.crabro.config.schema.Fieldset;
import org.crabro.config.schema.ImportedField;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.SnippetRules;
import org.crabro.config.schema.Stemming;
import org.crabro.config.schema.SummaryRules;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.jspecify.annotations.Nullable;

/**
 * Checks a schema as a whole and turns it into the value that containers and content nodes work
 * with.
 */
public final class SchemaCompiler {
    /** Names that mean something else wherever fields are named; letter case does not matter. */
    private static final Set<String> RESERVED =
            Set.of(
                    "index_url",
                    "select_input",
                    "host",
                    "documentid",
                    "position",
                    "split_foreach",
                    "tokenize",
                    "if",
                    "else",
                    "switch",
                    "case",
                    "sddocname",
                    "relevancy");

    /** Words of the language of selections; letter case does not matter. */
    private static final Set<String> SELECTION_WORDS =
            Set.of("and", "false", "id", "not", "null", "or", "true");

    private final SchemaDeclaration declaration;
    private final Components components;
    private final SchemaFindings findings;

    private SchemaCompiler(
            SchemaDeclaration declaration, Components components, SchemaFindings findings) {
        this.declaration = declaration;
        this.components = components;
        this.findings = findings;
    }

    /**
     * Returns the schema and reports its problems to {@code findings}. The result is empty if the
     * problems leave no usable schema.
     *
     * @param declaration read without errors
     */
    public static Optional<Schema> compile(
            SchemaDeclaration declaration, Components components, Findings findings) {
        var ownFindings = new SchemaFindings();
        Optional<Schema> schema = compile(declaration, components, ownFindings);
        ownFindings.tell(findings);
        return schema;
    }

    /** Compiles like the other overload; the caller decides when the findings are reported. */
    public static Optional<Schema> compile(
            SchemaDeclaration declaration, Components components, SchemaFindings findings) {
        return new SchemaCompiler(declaration, components, findings).compile();
    }

    private Optional<Schema> compile() {
        checkName();
        declaration.header().ignored().forEach(this::tellIgnored);
        if (declaration.types().documents().size() != 1) {
            problem(
                    SchemaStep.DOCUMENT,
                    declaration.types().documents().isEmpty()
                            ? declaration.header().name()
                            : declaration.types().documents().get(1).name(),
                    "schema '%s' has %s; expected exactly one document block"
                            .formatted(
                                    declaration.header().name().text(),
                                    declaration.types().documents().isEmpty()
                                            ? "no document"
                                            : "a second document"));
            return Optional.empty();
        }
        var document = declaration.types().documents().getFirst();
        if (!document.name().text().equals(declaration.header().name().text())) {
            checkServed(document.name());
        }
        if (SELECTION_WORDS.contains(document.name().text().toLowerCase(Locale.ROOT))) {
            problem(
                    SchemaStep.DOCUMENT,
                    document.name(),
                    "'%s' is a word of document selections and cannot be a document type's name"
                            .formatted(document.name().text()));
        }
        checkFieldNames();
        checkImportedNames();
        checkStructNames(document.name());
        checkFiles();
        Map<String, SchemaField> own = fields(document);
        Map<String, ImportedField> imports =
                new ImportCompiler(
                                declaration,
                                own,
                                components.parents(),
                                findings.at(SchemaStep.IMPORTS))
                        .compile();
        var fields = new LinkedHashMap<>(own);
        imports.forEach((name, imported) -> fields.putIfAbsent(name, imported.field()));
        Set<String> broken = broken(fields.keySet());
        // In the order in which the language is checked: ranking is last.
        Map<String, String> aliases = aliases(fields);
        var summaryCompiler =
                new SummaryCompiler(
                        declaration,
                        fields,
                        broken,
                        new SummarySources(
                                declaration,
                                fields,
                                components.modes().contains(Mode.INDEX),
                                findings.at(SchemaStep.SUMMARIES)),
                        findings.at(SchemaStep.SUMMARIES));
        Map<String, DocumentSummary> summaries = summaryCompiler.compile();
        Map<String, Fieldset> fieldsets =
                new FieldsetCompiler(declaration, fields, broken, findings.at(SchemaStep.FIELDSETS))
                        .compile();
        var stored = new ArrayList<Field>();
        own.values().forEach(field -> stored.add(field.field()));
        return Optional.of(
                new Schema(
                        declaration.header().name().text(),
                        new DocumentType(document.name().text(), stored),
                        own,
                        new FieldNames(fieldsets, aliases, imports),
                        new RankProfileCompiler(
                                        declaration.rankProfiles(),
                                        declaration.files(),
                                        new ProfileFields(fields, broken),
                                        components,
                                        summaryCompiler.selectors(),
                                        findings)
                                .compile(),
                        new SummaryRules(
                                summaries,
                                SnippetRules.DEFAULT,
                                declaration.fields().rawAsBase64().orElse(true),
                                components.modes().contains(Mode.INDEX))));
    }

    /** Checks that no content cluster has a schema whose document has another name. */
    private void checkServed(Name document) {
        String schema = declaration.header().name().text();
        if (components.modes().isEmpty()) {
            findings.at(SchemaStep.DOCUMENT)
                    .warn(
                            "%s: the document of schema '%s' has another name: it can only be inherited"
                                    .formatted(document.at(), schema));
        } else {
            problem(
                    SchemaStep.DOCUMENT,
                    document,
                    "the document of schema '%1$s' must be called '%1$s', too: document types are identified by the names of their schemas"
                            .formatted(schema));
        }
    }

    private Map<String, String> aliases(Map<String, SchemaField> fields) {
        var seen = new LinkedHashMap<String, Name>();
        var aliases = new LinkedHashMap<String, String>();
        for (FieldDeclaration field : allFields()) {
            addAliases(field.settings().search().aliases(), fields, seen, aliases);
        }
        for (SchemaDeclaration.Index index : declaration.fields().indexes()) {
            addAliases(index.aliases(), fields, seen, aliases);
        }
        return aliases;
    }

    private void addAliases(
            List<DeclaredAlias> given,
            Map<String, SchemaField> fields,
            Map<String, Name> seen,
            Map<String, String> into) {
        for (DeclaredAlias declared : given) {
            Name alias = declared.name();
            warnOfUnknown(declared, fields);
            SchemaField target = fields.get(declared.target().text());
            if (target != null && isComposite(target.field().type())) {
                problem(
                        SchemaStep.ALIASES,
                        alias,
                        "'%s' is of type %s, which cannot have an alias"
                                .formatted(declared.target().text(), target.field().type().text()));
            }
            if (fields.containsKey(alias.text())) {
                problem(
                        SchemaStep.ALIASES,
                        alias,
                        "alias '" + alias.text() + "' is the name of a field");
            }
            refuseSecond(SchemaStep.ALIASES, "alias", alias, seen.putIfAbsent(alias.text(), alias));
            into.put(alias.text(), declared.target().text());
        }
    }

    private static boolean isComposite(FieldType type) {
        return type instanceof FieldType.MapOf
                || (type instanceof FieldType.StructOf && !type.equals(FieldType.StructOf.POSITION))
                || (type instanceof FieldType.ArrayOf(var element) && isComposite(element));
    }

    /** Warns of another name of something that queries cannot search. */
    private void warnOfUnknown(DeclaredAlias alias, Map<String, SchemaField> fields) {
        String target = alias.target().text();
        String field = target.split("\\.", 2)[0];
        boolean isFieldset =
                declaration.fields().fieldsets().stream()
                        .anyMatch(each -> each.name().text().equals(target));
        boolean isImported =
                declaration.fields().imports().stream()
                        .anyMatch(each -> each.name().text().equals(field));
        if (!fields.containsKey(field) && !isFieldset && !isImported) {
            findings.at(SchemaStep.ALIASES)
                    .warn(
                            "%s: alias '%s' finds nothing: '%s' is neither a field nor a fieldset"
                                    .formatted(alias.target().at(), alias.name().text(), target));
        }
    }

    private void checkName() {
        String file = declaration.header().name().at().source().file();
        String base = file.substring(file.lastIndexOf('/') + 1);
        String name = declaration.header().name().text();
        if (!declaration.header().isOneOfSeveral() && !base.equals(name + ".sd")) {
            problem(
                    SchemaStep.DOCUMENT,
                    declaration.header().name(),
                    "schema '%s' must be in a file called %s.sd".formatted(name, name));
        }
        if (name.equals("document")) {
            problem(
                    SchemaStep.DOCUMENT,
                    declaration.header().name(),
                    "a schema cannot be called document");
        }
    }

    private void tellIgnored(IgnoredElement element) {
        if (element.streamingOnly() && !components.modes().contains(Mode.STREAMING)) {
            return;
        }
        String message = element.at() + ": " + element.consequence();
        if (element.level() == Notice.Level.WARNING) {
            findings.at(SchemaStep.IGNORED).warn(message);
        } else {
            findings.at(SchemaStep.IGNORED).inform(message);
        }
    }

    private List<FieldDeclaration> allFields() {
        return SchemaOrder.fields(declaration);
    }

    /**
     * Returns the fields whose types are invalid, and imported fields that could not be resolved. A
     * use of such a field is not reported as a problem.
     */
    private Set<String> broken(Set<String> whole) {
        var broken = new HashSet<String>();
        allFields().forEach(field -> broken.add(field.name().text()));
        declaration.fields().imports().forEach(each -> broken.add(each.name().text()));
        broken.removeAll(whole);
        return broken;
    }

    private void checkFieldNames() {
        var seen = new LinkedHashMap<String, Name>();
        for (FieldDeclaration field : allFields()) {
            Name name = field.name();
            String folded = name.text().toLowerCase(Locale.ROOT);
            if (!name.text().matches("[a-zA-Z][a-zA-Z0-9_]*")) {
                problem(
                        SchemaStep.NAMES,
                        name,
                        "'%s' cannot be a field's name: expected a letter, then letters, digits and"
                                        .formatted(name.text())
                                + " underscores");
            } else if (RESERVED.contains(folded)) {
                problem(
                        SchemaStep.NAMES,
                        name,
                        "'" + name.text() + "' is a reserved word and cannot be a field's name");
            }
            refuseSecond(SchemaStep.NAMES, "field", name, seen.putIfAbsent(folded, name));
        }
    }

    /** Reports imported fields whose name another field has. */
    private void checkImportedNames() {
        var fields = new LinkedHashMap<String, Name>();
        allFields()
                .forEach(field ->
                        fields.putIfAbsent(
                                field.name().text().toLowerCase(Locale.ROOT), field.name()));
        for (SchemaDeclaration.Import each : declaration.fields().imports()) {
            Name name = each.name();
            refuseSecond(
                    SchemaStep.IMPORTS,
                    "field",
                    name,
                    fields.putIfAbsent(name.text().toLowerCase(Locale.ROOT), name));
        }
    }

    /** Checks the declarations next to the fields: files with models and constants, and indexes. */
    private void checkFiles() {
        var seen = new LinkedHashMap<String, Name>();
        for (SchemaDeclaration.PackagedFile file : declaration.files()) {
            Name name = file.name();
            refuseSecond(
                    SchemaStep.MODELS,
                    file.kind(),
                    name,
                    seen.putIfAbsent(file.kind() + " " + file.owner() + " " + name.text(), name));
            if (!file.isRemote() && !components.files().paths().contains(file.file().text())) {
                problem(
                        SchemaStep.MODELS,
                        file.file(),
                        "there is no file '%s' in the package%s"
                                .formatted(
                                        file.file().text(),
                                        NearestName.hint(
                                                file.file().text(), components.files().paths())));
            }
        }
        var indexes = new LinkedHashMap<String, Name>();
        for (SchemaDeclaration.Index index : declaration.fields().indexes()) {
            Name name = index.name();
            refuseSecond(SchemaStep.MATCH, "index", name, indexes.putIfAbsent(name.text(), name));
        }
        Set<String> fields =
                allFields().stream().map(field -> field.name().text()).collect(Collectors.toSet());
        for (SchemaDeclaration.Index index : declaration.fields().indexes()) {
            Name name = index.name();
            if (!fields.contains(name.text())) {
                findings.at(SchemaStep.MATCH)
                        .warn(
                                "%s: index '%s' is left out: there is no such field%s"
                                        .formatted(
                                                name.at(),
                                                name.text(),
                                                NearestName.hint(name.text(), fields)));
            }
        }
    }

    private void checkStructNames(Name document) {
        var structs = new LinkedHashMap<String, Name>();
        for (SchemaDeclaration.Struct struct : declaration.types().structs()) {
            Name name = struct.name();
            if (TypeResolver.isBuiltIn(name.text())) {
                problem(
                        SchemaStep.TYPES,
                        name,
                        "'" + name.text() + "' is a type and cannot be a struct's name");
            } else if (name.text().equals(document.text())) {
                problem(
                        SchemaStep.TYPES,
                        name,
                        "a struct cannot be called as the document, " + name.text());
            }
            refuseSecond(SchemaStep.TYPES, "struct", name, structs.putIfAbsent(name.text(), name));
        }
        var annotations = new LinkedHashMap<String, Name>();
        for (SchemaDeclaration.Struct annotation : declaration.types().annotations()) {
            Name name = annotation.name();
            refuseSecond(
                    SchemaStep.TYPES,
                    "annotation",
                    name,
                    annotations.putIfAbsent(name.text(), name));
        }
    }

    private Map<String, SchemaField> fields(SchemaDeclaration.Document document) {
        var types = new LinkedHashMap<FieldDeclaration, FieldType>();
        var resolver =
                new TypeResolver(
                        declaration.types().structs(),
                        declaration.types().annotations().stream()
                                .map(annotation -> annotation.name().text())
                                .collect(Collectors.toSet()),
                        components.documents(),
                        findings.at(SchemaStep.TYPES));
        var documentTypes = new LinkedHashMap<String, FieldType>();
        for (FieldDeclaration field : allFields()) {
            resolver.resolve(field.type()).ifPresent(type -> types.put(field, type));
        }
        for (FieldDeclaration field : document.fields()) {
            if (types.containsKey(field)) {
                documentTypes.putIfAbsent(field.name().text(), types.get(field));
            }
        }
        for (FieldDeclaration field : declaration.fields().outside()) {
            if (types.containsKey(field) && field.settings().attribute().mutable().isPresent()) {
                documentTypes.putIfAbsent(field.name().text(), types.get(field));
            }
        }
        var inDocument = new HashSet<>(document.fields());
        var whole = new HashSet<String>();
        types.keySet().forEach(field -> whole.add(field.name().text()));
        Set<String> broken = broken(whole);
        var fields = new LinkedHashMap<String, SchemaField>();
        Stemming stemming = stemming();
        types.forEach((field, type) ->
                fields.putIfAbsent(
                        field.name().text(),
                        new FieldCompiler(
                                        field, type, inDocument.contains(field), findings, stemming)
                                .compile(
                                        new ScriptScope(
                                                documentTypes, broken, components.scripts()),
                                        components.modes().contains(Mode.INDEX))));
        return fields;
    }

    /** Types in mode streaming match other forms of a word only if the schema sets stemming. */
    private Stemming stemming() {
        boolean isIndexed = components.modes().contains(Mode.INDEX);
        return declaration
                .fields()
                .stemming()
                .map(FieldMatching::stemming)
                .orElse(isIndexed ? Stemming.BEST : Stemming.NONE);
    }

    private void refuseSecond(SchemaStep step, String kind, Name name, @Nullable Name first) {
        if (first != null) {
            String spelled =
                    first.text().equals(name.text())
                            ? ""
                            : " (letter case does not count: '" + first.text() + "')";
            problem(
                    step,
                    name,
                    "%s '%s' is declared twice; the first is at %s%s"
                            .formatted(kind, name.text(), first.at().seenFrom(name.at()), spelled));
        }
    }

    private void problem(SchemaStep step, Name at, String problem) {
        findings.at(step).problem(at.at().pointing(problem));
    }

    /** Returns whether the script of {@code field} makes an attribute of it. */
    static boolean isAttribute(SchemaField field) {
        return field.aspects().contains(Aspect.ATTRIBUTE);
    }
}
