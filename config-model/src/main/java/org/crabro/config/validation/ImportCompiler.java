package org.crabro.config.validation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.FieldDeclaration;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.SchemaDeclaration;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.ImportedField;
import org.crabro.config.schema.ImportedField.Link;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.MatchRules;
import org.crabro.config.schema.MatchRules.PartRules;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.document.Field;
import org.crabro.document.FieldType.ReferenceOf;

/** Resolves the fields that a schema imports from documents of other types. */
final class ImportCompiler {
    private final SchemaDeclaration declaration;
    private final Map<String, SchemaField> fields;
    private final Components.Parents parents;
    private final Findings findings;

    /**
     * @param fields those of the schema's own type
     * @param parents the schemas of the types that these fields refer to
     */
    ImportCompiler(
            SchemaDeclaration declaration,
            Map<String, SchemaField> fields,
            Components.Parents parents,
            Findings findings) {
        this.declaration = declaration;
        this.fields = fields;
        this.parents = parents;
        this.findings = findings;
    }

    /** Returns the imported fields by name, without those that have problems. */
    Map<String, ImportedField> compile() {
        var imports = new LinkedHashMap<String, ImportedField>();
        for (SchemaDeclaration.Import each : declaration.fields().imports()) {
            link(each)
                    .flatMap(link -> imported(each, link))
                    .ifPresent(field -> imports.putIfAbsent(field.name(), field));
        }
        return imports;
    }

    /** Returns the reference that a field is imported through. */
    private Optional<Link> link(SchemaDeclaration.Import each) {
        Name name = each.reference();
        SchemaField field = fields.get(name.text());
        if (field != null && field.field().type() instanceof ReferenceOf(var target)) {
            return Optional.of(new Link(field.field(), target));
        }
        if (field != null) {
            problem(
                    name,
                    "field '%s' is of type %s and no reference, so nothing is imported through it"
                            .formatted(name.text(), field.field().type().text()));
        } else if (!hasField(declaration, name.text())) {
            var names = new TreeSet<String>();
            fields.forEach((reference, one) -> {
                if (one.field().type() instanceof ReferenceOf) {
                    names.add(reference);
                }
            });
            problem(
                    name,
                    "there is no reference '%s' to import a field through%s"
                            .formatted(name.text(), NearestName.hint(name.text(), names)));
        }
        return Optional.empty();
    }

    private Optional<ImportedField> imported(SchemaDeclaration.Import each, Link link) {
        String target = link.target();
        Schema schema = parents.schemas().get(target);
        SchemaDeclaration declared = parents.declarations().get(target);
        if (schema == null || declared == null) {
            return Optional.empty();
        }
        String name = each.field().text();
        ImportedField further = schema.names().imports().get(name);
        if (further != null) {
            var links = new ArrayList<Link>();
            links.add(link);
            links.addAll(further.links());
            SchemaField field = renamed(further.field(), each.name().text());
            return Optional.of(new ImportedField(field, links, further.source()));
        }
        SchemaField field = schema.fields().get(name);
        if (field == null) {
            if (!hasField(declared, name) && !hasImport(declared, name)) {
                problem(
                        each.field(),
                        "documents of type '%s' have no field '%s'%s"
                                .formatted(
                                        target,
                                        name,
                                        NearestName.hint(name, schema.fields().keySet())));
            }
            return Optional.empty();
        }
        if (!isImportable(field)) {
            problem(
                    each.field(),
                    "field '%s' of '%s' cannot be imported: its indexing has no attribute"
                            .formatted(name, target));
            return Optional.empty();
        }
        if (field.isText() && field.aspects().contains(Aspect.INDEX)) {
            findings.warn(
                    "%s: '%s' has whole values and no words in '%s': the index of '%s' in '%s' is not imported, only its attribute"
                            .formatted(
                                    each.name().at(),
                                    each.name().text(),
                                    declaration.header().name().text(),
                                    name,
                                    target));
        }
        SchemaField seen = renamed(asAttribute(field), each.name().text());
        return Optional.of(new ImportedField(seen, List.of(link), field.field()));
    }

    /** Returns whether the field, or a part of it, is an attribute. */
    private static boolean isImportable(SchemaField field) {
        return SchemaCompiler.isAttribute(field)
                || field.matching().parts().values().stream()
                        .anyMatch(part -> part.aspects().contains(Aspect.ATTRIBUTE));
    }

    /** Returns a field without its index: texts are matched as whole values. */
    private static SchemaField asAttribute(SchemaField field) {
        var parts = new LinkedHashMap<String, PartRules>();
        field.matching()
                .parts()
                .forEach((path, part) ->
                        parts.put(
                                path,
                                new PartRules(
                                        asAttribute(part.mode()),
                                        asAttribute(part.aspects()),
                                        part.ranking())));
        return new SchemaField(
                field.field(),
                asAttribute(field.aspects()),
                new MatchRules(
                        asAttribute(field.matching().mode()), parts, field.matching().readings()),
                new IndexingScript(List.of()),
                field.values(),
                field.ranking());
    }

    private static Set<Aspect> asAttribute(Set<Aspect> aspects) {
        return aspects.contains(Aspect.ATTRIBUTE) ? Set.of(Aspect.ATTRIBUTE) : Set.of();
    }

    private static MatchMode asAttribute(MatchMode mode) {
        return mode.unit() == MatchMode.Unit.VALUE
                ? mode
                : new MatchMode(MatchMode.Unit.VALUE, MatchMode.Affix.WHOLE, mode.cased())
                        .upTo(mode.maxLength());
    }

    private static SchemaField renamed(SchemaField field, String name) {
        return new SchemaField(
                new Field(name, field.field().type(), false),
                field.aspects(),
                field.matching(),
                field.script(),
                field.values(),
                field.ranking());
    }

    private static boolean hasField(SchemaDeclaration declaration, String name) {
        return SchemaOrder.fields(declaration).stream()
                .map(FieldDeclaration::name)
                .anyMatch(field -> field.text().equals(name));
    }

    private static boolean hasImport(SchemaDeclaration declaration, String name) {
        return declaration.fields().imports().stream()
                .anyMatch(each -> each.name().text().equals(name));
    }

    private void problem(Name at, String problem) {
        findings.problem(at.at().pointing(problem));
    }
}
