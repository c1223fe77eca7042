package org.crabro.config.validation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.Notice;
import org.crabro.config.parser.FieldDeclaration;
import org.crabro.config.parser.IgnoredElement;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.SchemaDeclaration;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.config.schema.Fieldset;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.TensorOf;
import org.jspecify.annotations.Nullable;

/**
 * Checks a schema as a whole and turns it into the value that containers and content nodes work
 * with.
 */
public final class SchemaCompiler {
    /** Names that mean something else wherever fields are named; letter case does not matter. */
    private static final Set<String> RESERVED =
            Set.of(
                    "index",
                    "index_url",
                    "summary",
                    "attribute",
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

    private final SchemaDeclaration declaration;
    private final Components components;
    private final Findings findings;

    private SchemaCompiler(
            SchemaDeclaration declaration, Components components, Findings findings) {
        this.declaration = declaration;
        this.components = components;
        this.findings = findings;
    }

    /**
     * Returns the schema; what is wrong with it is reported to {@code findings}, and nothing is
     * returned where that leaves no schema.
     *
     * @param declaration read without errors
     */
    public static Optional<Schema> compile(
            SchemaDeclaration declaration, Components components, Findings findings) {
        return new SchemaCompiler(declaration, components, findings).compile();
    }

    private Optional<Schema> compile() {
        checkName();
        declaration.ignored().forEach(this::tellIgnored);
        if (declaration.documents().size() != 1) {
            problem(
                    declaration.documents().isEmpty()
                            ? declaration.name()
                            : declaration.documents().get(1).name(),
                    "schema '%s' has %s; expected exactly one document block"
                            .formatted(
                                    declaration.name().text(),
                                    declaration.documents().isEmpty()
                                            ? "no document"
                                            : "a second document"));
            return Optional.empty();
        }
        var document = declaration.documents().getFirst();
        if (!document.name().text().equals(declaration.name().text())) {
            problem(
                    document.name(),
                    "a document called other than its schema '%s' is not built yet"
                            .formatted(declaration.name().text()));
        }
        checkFieldNames();
        Set<String> imported = imported();
        checkStructNames(document.name());
        checkFiles();
        Map<String, SchemaField> fields = fields(document);
        Set<String> broken = broken(fields.keySet());
        // In the order in which the language is checked: ranking comes last.
        Map<String, String> aliases = aliases(fields);
        Map<String, DocumentSummary> summaries =
                new SummaryCompiler(declaration, fields, broken, imported, findings).compile();
        Map<String, Fieldset> fieldsets = fieldsets(fields, broken, imported);
        var stored = new ArrayList<Field>();
        fields.values().forEach(field -> stored.add(field.field()));
        return Optional.of(
                new Schema(
                        declaration.name().text(),
                        new DocumentType(document.name().text(), stored),
                        fields,
                        fieldsets,
                        new RankProfileCompiler(
                                        declaration.rankProfiles(),
                                        constantFiles(),
                                        fields,
                                        broken,
                                        imported,
                                        components,
                                        findings)
                                .compile(),
                        summaries,
                        aliases,
                        Map.of()));
    }

    /** Returns the names of the constants that stand in files. */
    private Set<String> constantFiles() {
        return declaration.files().stream()
                .filter(file -> file.kind().equals("constant"))
                .map(file -> file.name().text())
                .collect(Collectors.toSet());
    }

    private Map<String, String> aliases(Map<String, SchemaField> fields) {
        var seen = new LinkedHashMap<String, Name>();
        var aliases = new LinkedHashMap<String, String>();
        for (FieldDeclaration field : allFields()) {
            for (Name alias : field.aliases()) {
                if (fields.containsKey(alias.text())) {
                    problem(alias, "alias '" + alias.text() + "' is the name of a field");
                }
                refuseSecond("alias", alias, seen.putIfAbsent(alias.text(), alias));
                aliases.put(alias.text(), field.name().text());
            }
        }
        return aliases;
    }

    private void checkName() {
        String file = declaration.name().at().source().file();
        String base = file.substring(file.lastIndexOf('/') + 1);
        String name = declaration.name().text();
        if (!declaration.isOneOfSeveral() && !base.equals(name + ".sd")) {
            problem(
                    declaration.name(),
                    "schema '%s' has to stand in a file called %s.sd".formatted(name, name));
        }
        if (name.equals("document")) {
            problem(declaration.name(), "a schema cannot be called document");
        }
    }

    private void tellIgnored(IgnoredElement element) {
        if (element.streamingOnly() && !components.modes().contains(Mode.STREAMING)) {
            return;
        }
        String message = element.at() + ": " + element.consequence();
        if (element.level() == Notice.Level.WARNING) {
            findings.warn(message);
        } else {
            findings.inform(message);
        }
    }

    private List<FieldDeclaration> allFields() {
        var all = new ArrayList<FieldDeclaration>();
        declaration.documents().forEach(document -> all.addAll(document.fields()));
        all.addAll(declaration.fields());
        return all;
    }

    /** Returns the fields whose types were refused: what names them is not wrong for that. */
    private Set<String> broken(Set<String> whole) {
        var broken = new HashSet<String>();
        for (FieldDeclaration field : allFields()) {
            if (!whole.contains(field.name().text())) {
                broken.add(field.name().text());
            }
        }
        return broken;
    }

    private void checkFieldNames() {
        var seen = new LinkedHashMap<String, Name>();
        for (FieldDeclaration field : allFields()) {
            Name name = field.name();
            String folded = name.text().toLowerCase(Locale.ROOT);
            if (!name.text().matches("[a-zA-Z][a-zA-Z0-9_]*")) {
                problem(
                        name,
                        "'%s' cannot be a field's name: expected a letter, then letters, digits and"
                                        .formatted(name.text())
                                + " underscores");
            } else if (RESERVED.contains(folded)) {
                problem(
                        name,
                        "'" + name.text() + "' is a reserved word and cannot be a field's name");
            }
            refuseSecond("field", name, seen.putIfAbsent(folded, name));
        }
    }

    /** Returns the names of imported fields, which are told apart from those of other fields. */
    private Set<String> imported() {
        var fields = new LinkedHashMap<String, Name>();
        allFields()
                .forEach(field ->
                        fields.putIfAbsent(
                                field.name().text().toLowerCase(Locale.ROOT), field.name()));
        var imported = new LinkedHashSet<String>();
        for (SchemaDeclaration.Import each : declaration.imports()) {
            Name name = each.name();
            refuseSecond(
                    "field", name, fields.putIfAbsent(name.text().toLowerCase(Locale.ROOT), name));
            imported.add(name.text());
        }
        return imported;
    }

    /** Checks what stands beside the fields: files with models and constants, and indexes. */
    private void checkFiles() {
        var seen = new LinkedHashMap<String, Name>();
        for (SchemaDeclaration.PackagedFile file : declaration.files()) {
            Name name = file.name();
            refuseSecond(
                    file.kind(),
                    name,
                    seen.putIfAbsent(file.kind() + " " + file.owner() + " " + name.text(), name));
            if (!components.files().contains(file.file().text())) {
                problem(
                        file.file(),
                        "there is no file '%s' in the package%s"
                                .formatted(
                                        file.file().text(),
                                        NearestName.hint(file.file().text(), components.files())));
            }
        }
        var indexes = new LinkedHashMap<String, Name>();
        for (Name name : declaration.indexes()) {
            refuseSecond("index", name, indexes.putIfAbsent(name.text(), name));
        }
        Set<String> fields =
                allFields().stream().map(field -> field.name().text()).collect(Collectors.toSet());
        for (Name name : declaration.indexes()) {
            if (!fields.contains(name.text())) {
                problem(
                        name,
                        "there is no field '%s' to set up an index for%s"
                                .formatted(name.text(), NearestName.hint(name.text(), fields)));
            }
        }
    }

    private void checkStructNames(Name document) {
        var structs = new LinkedHashMap<String, Name>();
        for (SchemaDeclaration.Struct struct : declaration.structs()) {
            Name name = struct.name();
            if (TypeResolver.isBuiltIn(name.text())) {
                problem(name, "'" + name.text() + "' is a type and cannot be a struct's name");
            } else if (name.text().equals(document.text())) {
                problem(name, "a struct cannot be called as the document, " + name.text());
            }
            refuseSecond("struct", name, structs.putIfAbsent(name.text(), name));
        }
        var annotations = new LinkedHashMap<String, Name>();
        for (SchemaDeclaration.Struct annotation : declaration.annotations()) {
            Name name = annotation.name();
            refuseSecond("annotation", name, annotations.putIfAbsent(name.text(), name));
        }
    }

    private Map<String, SchemaField> fields(SchemaDeclaration.Document document) {
        var types = new LinkedHashMap<FieldDeclaration, FieldType>();
        var resolver =
                new TypeResolver(
                        declaration.structs(),
                        declaration.annotations().stream()
                                .map(annotation -> annotation.name().text())
                                .collect(Collectors.toSet()),
                        components.documents(),
                        findings);
        var documentTypes = new LinkedHashMap<String, FieldType>();
        for (FieldDeclaration field : allFields()) {
            resolver.resolve(field.type()).ifPresent(type -> types.put(field, type));
        }
        for (FieldDeclaration field : document.fields()) {
            if (types.containsKey(field)) {
                documentTypes.putIfAbsent(field.name().text(), types.get(field));
            }
        }
        var inDocument = new HashSet<>(document.fields());
        var whole = new HashSet<String>();
        types.keySet().forEach(field -> whole.add(field.name().text()));
        Set<String> broken = broken(whole);
        var fields = new LinkedHashMap<String, SchemaField>();
        types.forEach((field, type) ->
                fields.putIfAbsent(
                        field.name().text(),
                        new FieldCompiler(field, type, inDocument.contains(field), findings)
                                .compile(
                                        documentTypes,
                                        broken,
                                        components.embedders(),
                                        components.modes().contains(Mode.INDEX))));
        return fields;
    }

    private Map<String, Fieldset> fieldsets(
            Map<String, SchemaField> fields, Set<String> broken, Set<String> imported) {
        var seen = new LinkedHashMap<String, Name>();
        var fieldsets = new LinkedHashMap<String, Fieldset>();
        for (SchemaDeclaration.Fieldset fieldset : declaration.fieldsets()) {
            Name name = fieldset.name();
            refuseSecond("fieldset", name, seen.putIfAbsent(name.text(), name));
            var members = new ArrayList<String>();
            for (Name member : fieldset.fields()) {
                if (fields.containsKey(member.text())) {
                    members.add(member.text());
                } else if (imported.contains(member.text())) {
                    findings.warn(
                            "%s: fieldset '%s' is searched without '%s': imported fields are not"
                                            .formatted(member.at(), name.text(), member.text())
                                    + " searched yet");
                } else if (!broken.contains(member.text())) {
                    problem(
                            member,
                            "fieldset '%s' names the field '%s', which does not exist%s"
                                    .formatted(
                                            name.text(),
                                            member.text(),
                                            NearestName.hint(member.text(), fields.keySet())));
                }
            }
            if (fieldset.fields().isEmpty()) {
                problem(name, "fieldset '" + name.text() + "' has no fields");
            }
            checkMembers(fieldset, members.stream().map(fields::get).toList());
            fieldsets.put(name.text(), new Fieldset(name.text(), members, parsedAs(fieldset)));
        }
        return fieldsets;
    }

    private static Optional<MatchMode.Unit> parsedAs(SchemaDeclaration.Fieldset fieldset) {
        Optional<MatchMode.Unit> unit = Optional.empty();
        for (Name word : fieldset.match()) {
            switch (word.text()) {
                case "word", "exact" -> unit = Optional.of(MatchMode.Unit.VALUE);
                case "text", "token", "gram" -> unit = Optional.of(MatchMode.Unit.TOKEN);
                default -> {}
            }
        }
        return unit;
    }

    private void checkMembers(SchemaDeclaration.Fieldset fieldset, List<SchemaField> members) {
        long tensors =
                members.stream().filter(field -> field.field().type() instanceof TensorOf).count();
        if (tensors > 0 && tensors < members.size()) {
            problem(
                    fieldset.name(),
                    "fieldset '%s' mixes tensors and other fields"
                            .formatted(fieldset.name().text()));
        }
        var unsearchable = new TreeSet<String>();
        var texts = new LinkedHashMap<String, String>();
        for (SchemaField field : members) {
            if (!field.isSearchable()) {
                unsearchable.add(field.field().name());
            } else if (field.field().type().isText()) {
                texts.put(field.field().name(), field.match().toString());
            }
        }
        if (!unsearchable.isEmpty()) {
            findings.warn(
                    "%s: fieldset '%s' holds fields that cannot be searched: %s; give them index or"
                                    .formatted(
                                            fieldset.name().at(),
                                            fieldset.name().text(),
                                            String.join(", ", unsearchable))
                            + " attribute");
        }
        if (fieldset.match().isEmpty() && new HashSet<>(texts.values()).size() > 1) {
            findings.warn(
                    "%s: the fields of fieldset '%s' match differently: %s; the words of a query are"
                                    .formatted(
                                            fieldset.name().at(),
                                            fieldset.name().text(),
                                            String.join(", ", texts.keySet()))
                            + " matched by the rule of each");
        }
    }

    private void refuseSecond(String kind, Name name, @Nullable Name first) {
        if (first != null) {
            String spelled =
                    first.text().equals(name.text())
                            ? ""
                            : " (letter case does not count: '" + first.text() + "')";
            problem(
                    name,
                    "%s '%s' is there twice; the first is at %s%s"
                            .formatted(kind, name.text(), first.at().seenFrom(name.at()), spelled));
        }
    }

    private void problem(Name at, String problem) {
        findings.problem(at.at().pointing(problem));
    }

    /** Returns whether the script of {@code field} makes an attribute of it. */
    static boolean isAttribute(SchemaField field) {
        return field.aspects().contains(Aspect.ATTRIBUTE);
    }
}
