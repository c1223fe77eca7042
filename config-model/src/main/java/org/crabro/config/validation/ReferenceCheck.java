package org.crabro.config.validation;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.parser.FieldDeclaration;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.SchemaDeclaration;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.document.FieldType.ReferenceOf;

/**
 * Checks that the documents that references refer to are searched together with the referring ones.
 * Runs after all schemas are compiled.
 */
public final class ReferenceCheck {
    private final Map<String, Schema> schemas;
    private final List<ContentCluster> clusters;
    private final SchemaFindings findings;

    private ReferenceCheck(
            Map<String, Schema> schemas, List<ContentCluster> clusters, SchemaFindings findings) {
        this.schemas = schemas;
        this.clusters = clusters;
        this.findings = findings;
    }

    /**
     * Checks the references in all schemas.
     *
     * @param declarations by name, with all inherited parts
     * @param schemas those that could be compiled
     * @param clusters empty if services.xml could not be read; checks that need them are then
     *     skipped
     * @param findings by the names of schemas; receive the problems
     */
    public static void check(
            Map<String, SchemaDeclaration> declarations,
            Map<String, Schema> schemas,
            List<ContentCluster> clusters,
            Map<String, SchemaFindings> findings) {
        declarations.forEach((name, declaration) -> {
            Schema schema = schemas.get(name);
            SchemaFindings ownFindings = findings.get(name);
            if (schema != null && ownFindings != null) {
                new ReferenceCheck(schemas, clusters, ownFindings).check(declaration, schema);
            }
        });
    }

    private void check(SchemaDeclaration declaration, Schema schema) {
        for (FieldDeclaration field : SchemaOrder.fields(declaration)) {
            SchemaField compiled = schema.fields().get(field.name().text());
            if (compiled != null && compiled.field().type() instanceof ReferenceOf(var target)) {
                check(schema, field.name(), compiled, target);
            }
        }
    }

    private void check(Schema schema, Name field, SchemaField compiled, String target) {
        if (!compiled.aspects().contains(Aspect.ATTRIBUTE)
                || compiled.aspects().contains(Aspect.INDEX)) {
            problem(field, "a reference is an attribute and no index; write indexing: attribute");
        }
        List<String> cycle = cycle(schema.name(), target, new LinkedHashSet<>());
        if (!cycle.isEmpty()) {
            problem(
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

    /**
     * Documents in mode streaming may also refer to others in that mode, which cannot be global.
     */
    private void check(
            Name field, String target, ContentCluster cluster, ClusterDocument document) {
        boolean isStreamed = document.mode() == Mode.STREAMING;
        boolean exists =
                document(cluster, target)
                        .filter(to -> to.isGlobal() || (isStreamed && to.mode() == Mode.STREAMING))
                        .isPresent();
        if (!exists) {
            problem(
                    field,
                    "field '%s' refers to documents of type '%s', which cluster '%s' does not have with %s"
                            .formatted(
                                    field.text(),
                                    target,
                                    cluster.id(),
                                    isStreamed
                                            ? "mode=\"streaming\" or global=\"true\""
                                            : "global=\"true\""));
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
                List<String> tail = cycle(from, next, seen);
                if (!tail.isEmpty()) {
                    var cycle = new ArrayList<String>();
                    cycle.add(to);
                    cycle.addAll(tail);
                    return cycle;
                }
            }
        }
        return List.of();
    }

    private void problem(Name at, String problem) {
        findings.at(SchemaStep.REFERENCES).problem(at.at().pointing(problem));
    }
}
