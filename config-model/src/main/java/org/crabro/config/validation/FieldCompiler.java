package org.crabro.config.validation;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.FieldDeclaration;
import org.crabro.config.parser.FieldDeclaration.DeclaredGraph;
import org.crabro.config.parser.FieldDeclaration.StructField;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.ScriptDeclaration;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.GraphRules;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.Stemming;
import org.crabro.config.schema.ValueRules;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.document.json.WeightRules;
import org.crabro.ranking.kernel.DistanceMetric;

/**
 * Compiles one field after the types of all fields are resolved: its indexing script and match
 * settings. Also checks its other settings.
 */
final class FieldCompiler {
    private final FieldDeclaration declaration;
    private final FieldType type;
    private final boolean inDocument;
    private final SchemaFindings findings;
    private final Stemming stemming;

    /**
     * @param stemming of words if the field does not set it
     */
    FieldCompiler(
            FieldDeclaration declaration,
            FieldType type,
            boolean inDocument,
            SchemaFindings findings,
            Stemming stemming) {
        this.declaration = declaration;
        this.type = type;
        this.inDocument = inDocument;
        this.findings = findings;
        this.stemming = stemming;
    }

    /**
     * Returns the field and reports its problems.
     *
     * @param scope the names that scripts can use
     * @param isIndexed whether a content cluster has the type in mode {@code index}
     */
    SchemaField compile(ScriptScope scope, boolean isIndexed) {
        String name = declaration.name().text();
        var script = new ScriptCompiler(name, type, inDocument, scope, findings);
        Set<Aspect> unwritten = aspectsOfUnwritten();
        IndexingScript compiled =
                declaration
                        .script()
                        .filter(_ -> unwritten.isEmpty())
                        .map(script::compile)
                        .orElse(new IndexingScript(List.of()));
        if (declaration.script().isEmpty() && !inDocument) {
            findings.at(SchemaStep.INPUTS)
                    .warn(
                            "%s: field '%s' is outside the document and has no indexing script: it has no value"
                                    .formatted(declaration.name().at(), name));
        }
        Set<Aspect> aspects = unwritten.isEmpty() ? script.aspects() : unwritten;
        boolean whole =
                !unwritten.isEmpty()
                        || declaration
                                .script()
                                .map(given ->
                                        given.statements().size() == compiled.statements().size())
                                .orElse(true);
        if (whole) {
            new FieldSettingsCheck(declaration, type, inDocument, findings).check(aspects);
        }
        if (isIndexed && script.hasIndexOfNumbers()) {
            findings.at(SchemaStep.INDEX_OF_NUMBERS)
                    .warn(
                            "%s: numbers have no words: index of field '%s' is taken as attribute"
                                    .formatted(declaration.name().at(), name));
        }
        if (isIndexed) {
            warnOfWords(declaration.structFields());
        }
        var matching = new FieldMatching(declaration, type, stemming, findings);
        return new SchemaField(
                new Field(name, type, inDocument),
                aspects,
                matching.rules(aspects),
                compiled,
                new ValueRules(
                        metric(),
                        weightRules(),
                        declaration.settings().attribute().sorting(),
                        declaration.settings().attribute().items().stream()
                                .anyMatch(item -> item.text().equals("fast-search")),
                        declaration
                                .settings()
                                .search()
                                .hnsw()
                                .map(DeclaredGraph::rules)
                                .orElse(GraphRules.DEFAULT),
                        FieldTimes.of(declaration, type, findings.at(SchemaStep.FIELD_TYPES))),
                FieldMatching.ranking(
                        declaration.settings().ranking().values(),
                        declaration.settings().search().match(),
                        aspects));
    }

    private void warnOfWords(List<StructField> parts) {
        for (StructField part : parts) {
            if (part.aspects().contains(Aspect.INDEX)) {
                findings.at(SchemaStep.FIELD_TYPES)
                        .warn(
                                "%s: index of struct-field '%s': in mode index, Vespa searches parts of fields only with attribute; here its words are searched"
                                        .formatted(part.path().at(), part.path().text()));
            }
            warnOfWords(part.structFields());
        }
    }

    /**
     * Returns the outputs of a mutable field whose script only has outputs: ranking would write it.
     * Empty for other fields.
     */
    private Set<Aspect> aspectsOfUnwritten() {
        if (inDocument || declaration.settings().attribute().mutable().isEmpty()) {
            return Set.of();
        }
        var aspects = EnumSet.noneOf(Aspect.class);
        for (ScriptDeclaration.Statement statement :
                declaration.script().map(ScriptDeclaration::statements).orElse(List.of())) {
            for (ScriptDeclaration.Step step : statement.steps()) {
                if (!(step instanceof ScriptDeclaration.Step.Output output)
                        || output.field().isPresent()) {
                    return Set.of();
                }
                aspects.add(output.aspect());
            }
        }
        return aspects;
    }

    /**
     * Elements of type {@code tag} are created, and removed at zero, by changes of their weight.
     */
    private WeightRules weightRules() {
        boolean isTag = declaration.type().name().equals("tag");
        return new WeightRules(
                isTag
                        || Name.find(
                                        declaration.settings().weights().rules(),
                                        "create-if-nonexistent")
                                .isPresent(),
                isTag
                        || Name.find(declaration.settings().weights().rules(), "remove-if-zero")
                                .isPresent());
    }

    private DistanceMetric metric() {
        if (declaration.settings().attribute().metric().isEmpty()) {
            return DistanceMetric.EUCLIDEAN;
        }
        Name name = declaration.settings().attribute().metric().get();
        if (!(type instanceof TensorOf)) {
            problem(
                    SchemaStep.TENSORS,
                    name,
                    "distance-metric is for tensors alone, not for type " + type.text());
        }
        Optional<DistanceMetric> metric = DistanceMetric.named(name.text());
        if (metric.isEmpty()) {
            var names = new TreeSet<String>();
            for (DistanceMetric each : DistanceMetric.values()) {
                names.add(each.toString());
            }
            problem(
                    SchemaStep.TENSORS,
                    name,
                    "unknown distance metric '%s'; there are %s%s"
                            .formatted(
                                    name.text(),
                                    String.join(", ", names),
                                    NearestName.hint(name.text(), names)));
        }
        if (metric.equals(Optional.of(DistanceMetric.GEODEGREES))
                && type instanceof TensorOf(var tensor)
                && TypeContents.isVector(tensor)
                && tensor.subspaceType().cellCount() != 2) {
            findings.at(SchemaStep.TENSORS)
                    .warn(
                            "%s: geodegrees compares latitude and longitude: queries for the nearest of field '%s' of type %s, which has other cells, are refused"
                                    .formatted(name.at(), declaration.name().text(), type.text()));
        }
        return metric.orElse(DistanceMetric.EUCLIDEAN);
    }

    private void problem(SchemaStep step, Name at, String problem) {
        findings.at(step).problem(at.at().pointing(problem));
    }
}
