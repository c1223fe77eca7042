package org.crabro.config.validation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.FieldDeclaration;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.SchemaDeclaration;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.ImportedField;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.document.FieldType.ReferenceOf;

/**
 * Checks the relations between document types: references, and the fields imported through them.
 * Runs after all schemas are compiled.
 */
public final class ReferenceCheck {
    private final Map<String, SchemaDeclaration> declarations;
    private final Map<String, Schema> schemas;
    private final List<ContentCluster> clusters;
    private final Map<String, SchemaFindings> findings;

    /** Of the schema that is checked now. */
    private SchemaFindings found = new SchemaFindings();

    private ReferenceCheck(
            Map<String, SchemaDeclaration> declarations,
            Map<String, Schema> schemas,
            List<ContentCluster> clusters,
            Map<String, SchemaFindings> findings) {
        this.declarations = declarations;
        this.schemas = schemas;
        this.clusters = clusters;
        this.findings = findings;
    }

    /**
     * Returns the schemas with their imported fields and reports problems.
     *
     * @param declarations by name, with all inherited parts
     * @param schemas those that could be compiled
     * @param findings by the names of schemas; receive the problems
     * @param clusters empty if services.xml could not be read; checks that need them are then
     *     skipped
     */
    public static Map<String, Schema> resolve(
            Map<String, SchemaDeclaration> declarations,
            Map<String, Schema> schemas,
            List<ContentCluster> clusters,
            Map<String, SchemaFindings> findings) {
        return new ReferenceCheck(declarations, schemas, clusters, findings).resolve();
    }

    private Map<String, Schema> resolve() {
        var resolved = new LinkedHashMap<String, Schema>();
        schemas.forEach((name, schema) -> {
            SchemaDeclaration declaration = declarations.get(name);
            found = findings.getOrDefault(name, found);
            if (declaration == null) {
                resolved.put(name, schema);
                return;
            }
            for (FieldDeclaration field : fields(declaration)) {
                SchemaField compiled = schema.fields().get(field.name().text());
                if (compiled != null
                        && compiled.field().type() instanceof ReferenceOf(var target)) {
                    check(schema, field.name(), compiled, target);
                }
            }
            resolved.put(name, schema.withImports(imports(declaration, schema)));
        });
        return resolved;
    }

    private static List<FieldDeclaration> fields(SchemaDeclaration declaration) {
        var fields = new ArrayList<FieldDeclaration>();
        declaration.types().documents().forEach(document -> fields.addAll(document.fields()));
        fields.addAll(declaration.fields().outside());
        return fields;
    }

    private void check(Schema schema, Name field, SchemaField compiled, String target) {
        if (!compiled.aspects().contains(Aspect.ATTRIBUTE)
                || compiled.aspects().contains(Aspect.INDEX)) {
            problem(
                    SchemaStep.REFERENCES,
                    field,
                    "a reference is an attribute and no index; write indexing: attribute");
        }
        List<String> cycle = cycle(schema.name(), target, new LinkedHashSet<>());
        if (!cycle.isEmpty()) {
            problem(
                    SchemaStep.REFERENCES,
                    field,
                    "documents of type '%s' refer to themselves: %s refers to %s"
                            .formatted(
                                    schema.name(),
                                    schema.name(),
                                    String.join(" refers to ", cycle)));
        }
        for (ContentCluster cluster : clusters) {
            document(cluster, schema.name())
                    .ifPresent(document -> check(field, target, cluster, document));
        }
    }

    private void check(
            Name field, String target, ContentCluster cluster, ClusterDocument document) {
        if (document.mode() == Mode.STREAMING) {
            problem(
                    SchemaStep.REFERENCES,
                    field,
                    "field '%s' refers to other documents, which is not possible because cluster '%s' has"
                                    .formatted(field.text(), cluster.id())
                            + " '%s' with mode=\"streaming\"; use mode=\"index\""
                                    .formatted(document.type()));
        } else if (!document(cluster, target).map(ClusterDocument::isGlobal).orElse(false)) {
            problem(
                    SchemaStep.REFERENCES,
                    field,
                    "field '%s' refers to documents of type '%s', which cluster '%s' does not have"
                                    .formatted(field.text(), target, cluster.id())
                            + " with global=\"true\"");
        }
    }

    private static Optional<ClusterDocument> document(ContentCluster cluster, String type) {
        return cluster.documents().stream()
                .filter(document -> document.type().equals(type))
                .findFirst();
    }

    /**
     * Returns the chain of references from {@code to} back to {@code from}, both included; empty if
     * there is none.
     */
    private List<String> cycle(String from, String to, Set<String> seen) {
        if (to.equals(from)) {
            return List.of(from);
        }
        Schema schema = schemas.get(to);
        if (schema == null || !seen.add(to)) {
            return List.of();
        }
        for (SchemaField field : schema.fields().values()) {
            if (field.field().type() instanceof ReferenceOf(var next)) {
                List<String> rest = cycle(from, next, seen);
                if (!rest.isEmpty()) {
                    var cycle = new ArrayList<String>();
                    cycle.add(to);
                    cycle.addAll(rest);
                    return cycle;
                }
            }
        }
        return List.of();
    }

    private Map<String, ImportedField> imports(SchemaDeclaration declaration, Schema schema) {
        var imports = new LinkedHashMap<String, ImportedField>();
        Optional<ContentCluster> streaming =
                clusters.stream()
                        .filter(cluster ->
                                document(cluster, schema.name())
                                        .filter(document -> document.mode() == Mode.STREAMING)
                                        .isPresent())
                        .findFirst();
        for (SchemaDeclaration.Import each : declaration.fields().imports()) {
            if (streaming.isPresent()) {
                problem(
                        SchemaStep.IMPORTS,
                        each.name(),
                        "'%s' cannot be imported because cluster '%s' has '%s' with mode=\"streaming\": a"
                                        .formatted(
                                                each.name().text(),
                                                streaming.get().id(),
                                                schema.name())
                                + " group is searched alone, without documents of other groups; use"
                                + " mode=\"index\"");
                continue;
            }
            target(each, declaration, schema)
                    .ifPresent(target -> {
                        String name = each.name().text();
                        if (isImportable(each, target)) {
                            imports.put(
                                    name,
                                    new ImportedField(
                                            name,
                                            each.reference().text(),
                                            target,
                                            each.field().text()));
                            found.at(SchemaStep.IMPORTS)
                                    .warn(
                                            "%s: imported field '%s' is not searched, ranked by or shown yet"
                                                    .formatted(each.name().at(), name));
                        }
                    });
        }
        return imports;
    }

    /** Returns the type of the documents that an import refers to. */
    private Optional<String> target(
            SchemaDeclaration.Import each, SchemaDeclaration declaration, Schema schema) {
        Name reference = each.reference();
        SchemaField field = schema.fields().get(reference.text());
        if (field != null && field.field().type() instanceof ReferenceOf(var target)) {
            return Optional.of(target);
        }
        boolean isBroken =
                field == null
                        && fields(declaration).stream()
                                .anyMatch(one -> one.name().text().equals(reference.text()));
        if (field != null) {
            problem(
                    SchemaStep.IMPORTS,
                    reference,
                    "field '%s' is of type %s and no reference, so nothing is imported through it"
                            .formatted(reference.text(), field.field().type().text()));
        } else if (!isBroken) {
            var known = new TreeSet<String>();
            schema.fields()
                    .forEach((name, one) -> {
                        if (one.field().type() instanceof ReferenceOf) {
                            known.add(name);
                        }
                    });
            problem(
                    SchemaStep.IMPORTS,
                    reference,
                    "there is no reference '%s' to import a field through%s"
                            .formatted(
                                    reference.text(), NearestName.hint(reference.text(), known)));
        }
        return Optional.empty();
    }

    private boolean isImportable(SchemaDeclaration.Import each, String target) {
        Schema schema = schemas.get(target);
        SchemaDeclaration declaration = declarations.get(target);
        if (schema == null || declaration == null) {
            return false;
        }
        String name = each.field().text();
        if (declaration.fields().imports().stream()
                .anyMatch(one -> one.name().text().equals(name))) {
            return true;
        }
        SchemaField field = schema.fields().get(name);
        if (field == null) {
            if (fields(declaration).stream().noneMatch(one -> one.name().text().equals(name))) {
                problem(
                        SchemaStep.IMPORTS,
                        each.field(),
                        "documents of type '%s' have no field '%s'%s"
                                .formatted(
                                        target,
                                        name,
                                        NearestName.hint(name, schema.fields().keySet())));
            }
            return false;
        }
        if (!field.aspects().contains(Aspect.ATTRIBUTE)) {
            problem(
                    SchemaStep.IMPORTS,
                    each.field(),
                    "field '%s' of '%s' cannot be imported: its indexing has no attribute"
                            .formatted(name, target));
            return false;
        }
        return true;
    }

    private void problem(SchemaStep step, Name at, String problem) {
        found.at(step).problem(at.at().pointing(problem));
    }
}
