package org.crabro.config.validation;

import java.util.Optional;
import java.util.Set;
import org.crabro.config.parser.FieldDeclaration;
import org.crabro.config.parser.FieldDeclaration.DeclaredGraph;
import org.crabro.config.parser.MatchDeclaration;
import org.crabro.config.parser.Name;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.MatchWord;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.ReferenceOf;
import org.crabro.document.FieldType.StructOf;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.document.FieldType.WeightedSetOf;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * Checks that the settings of a field agree with its type and with the aspects that its indexing
 * writes.
 */
final class FieldSettingsCheck {
    /** The settings of an attribute that a field of positions can have. */
    private static final Set<String> ON_POSITIONS = Set.of("fast-search", "fast-access", "paged");

    private final FieldDeclaration declaration;
    private final FieldType type;
    private final boolean inDocument;
    private final SchemaFindings findings;

    FieldSettingsCheck(
            FieldDeclaration declaration,
            FieldType type,
            boolean inDocument,
            SchemaFindings findings) {
        this.declaration = declaration;
        this.type = type;
        this.inDocument = inDocument;
        this.findings = findings;
    }

    /**
     * Reports settings that contradict each other.
     *
     * @param aspects the aspects that the indexing script of the field writes
     */
    void check(Set<Aspect> aspects) {
        boolean attribute = aspects.contains(Aspect.ATTRIBUTE);
        boolean index = aspects.contains(Aspect.INDEX);
        if (declaration.script().isPresent() && !inDocument && aspects.isEmpty()) {
            findings.at(SchemaStep.OUTPUTS)
                    .warn(
                            "%s: the script of field '%s' has no attribute, index or summary: the field has no value"
                                    .formatted(declaration.name().at(), declaration.name().text()));
        }
        checkAspects(attribute, index);
        checkTensor(attribute, index);
        checkAttribute();
        checkType(attribute, index);
    }

    private void checkAspects(boolean attribute, boolean index) {
        if (!attribute) {
            declaration.settings().attribute().items().stream()
                    .findFirst()
                    .ifPresent(setting ->
                            problem(
                                    SchemaStep.ATTRIBUTES,
                                    setting,
                                    setting.text()
                                            + " is set for an attribute, but the field's"
                                            + " indexing has no attribute"));
        }
        if (attribute && !index) {
            MatchDeclaration.find(declaration.settings().search().match(), MatchWord.GRAM)
                    .ifPresent(at ->
                            problem(
                                    SchemaStep.GRAM,
                                    at,
                                    "gram needs index in the field's indexing, not attribute"));
        }
        if (!attribute && !index) {
            refuseWithoutSearch(declaration.settings().ranking().at());
            refuseWithoutSearch(
                    declaration.settings().search().match().stream()
                            .findFirst()
                            .map(MatchDeclaration::name));
            declaration
                    .settings()
                    .search()
                    .index()
                    .first()
                    .ifPresent(setting ->
                            findings.at(SchemaStep.MATCH)
                                    .warn(
                                            "%s: %s has no effect: the indexing of field '%s' has no index"
                                                    .formatted(
                                                            setting.at(),
                                                            setting.text(),
                                                            declaration.name().text())));
        }
        if (index && declaration.type().name().equals("uri")) {
            findings.at(SchemaStep.ALIASES)
                    .warn(
                            "%s: field '%s' is searched as a text: parts of addresses, as in '%s.host', have"
                                            .formatted(
                                                    declaration.name().at(),
                                                    declaration.name().text(),
                                                    declaration.name().text())
                                    + " no fields of their own");
        }
    }

    private void checkPredicate(boolean attribute) {
        Optional<Name> arity = declaration.settings().search().index().arity();
        if (type != Primitive.PREDICATE) {
            arity.ifPresent(at ->
                    problem(
                            SchemaStep.FIELD_TYPES,
                            at,
                            "arity is for predicates, not for type " + type.text()));
        } else if (attribute && arity.isEmpty()) {
            problem(
                    SchemaStep.FIELD_TYPES,
                    declaration.settings().search().index().first().orElse(declaration.name()),
                    "predicate '%s' needs an arity, as in index { arity: 2 }"
                            .formatted(declaration.name().text()));
        }
    }

    private void checkType(boolean attribute, boolean index) {
        checkPredicate(attribute);
        declaration
                .settings()
                .weights()
                .at()
                .filter(_ -> !(type instanceof WeightedSetOf))
                .ifPresent(at ->
                        problem(
                                SchemaStep.FIELD_TYPES,
                                at,
                                "weightedset is for weighted sets, not for type " + type.text()));
        if (attribute && TypeContents.holdsRaw(type)) {
            problem(
                    SchemaStep.FIELD_TYPES,
                    declaration.name(),
                    "an attribute holds one raw value, not " + type.text());
        }
        boolean parts =
                new StructFieldCheck(findings.at(SchemaStep.FIELD_TYPES))
                        .check(declaration.structFields(), type, attribute || index);
        if (attribute && TypeContents.holdsStructs(type)) {
            problem(
                    SchemaStep.FIELD_TYPES,
                    declaration.name(),
                    "a field of type %s cannot be an attribute as a whole; make its parts attributes, in a"
                                    .formatted(type.text())
                            + " struct-field");
        } else if ((attribute || index || parts)
                && !TypeContents.isSearched(type)
                && !(type instanceof ReferenceOf)
                && !(type instanceof TensorOf)) {
            findings.at(SchemaStep.FIELD_TYPES)
                    .warn(
                            "%s: fields of type %s are not searched yet: queries that name '%s' are refused"
                                    .formatted(
                                            declaration.name().at(),
                                            type.text(),
                                            declaration.name().text()));
        }
    }

    private void refuseWithoutSearch(Optional<Name> setting) {
        setting.ifPresent(name ->
                problem(
                        SchemaStep.MATCH,
                        name,
                        name.text()
                                + " has no meaning for a field whose indexing has neither"
                                + " index nor attribute"));
    }

    private void checkTensor(boolean attribute, boolean index) {
        if (type instanceof TensorOf(var tensor)) {
            checkTensor(tensor, index, attribute);
        } else {
            declaration
                    .settings()
                    .search()
                    .hnsw()
                    .ifPresent(graph ->
                            problem(SchemaStep.TENSORS, graph.at(), "hnsw is for tensors alone"));
        }
    }

    private void checkTensor(TensorType tensor, boolean index, boolean attribute) {
        Name at =
                declaration
                        .settings()
                        .search()
                        .hnsw()
                        .map(DeclaredGraph::at)
                        .orElse(declaration.name());
        if (index && !attribute) {
            problem(
                    SchemaStep.TENSORS,
                    at,
                    "an index of vectors needs attribute in the field's indexing, too");
        }
        boolean oneIndexed =
                tensor.dimensions().stream().filter(Dimension.Indexed.class::isInstance).count()
                        == 1;
        if (index && !oneIndexed) {
            problem(
                    SchemaStep.TENSORS,
                    at,
                    "an index of vectors needs exactly one indexed dimension, not " + tensor);
        }
        if (declaration.settings().search().hnsw().isPresent() && !index) {
            findings.at(SchemaStep.TENSORS)
                    .warn(
                            "%s: hnsw has no effect: the indexing of field '%s' has no index"
                                    .formatted(at.at(), declaration.name().text()));
        }
    }

    private void checkAttribute() {
        if (inDocument) {
            declaration
                    .settings()
                    .attribute()
                    .mutable()
                    .ifPresent(at ->
                            problem(
                                    SchemaStep.MUTABLE,
                                    at,
                                    "mutable is for fields outside the document"));
        } else {
            declaration
                    .settings()
                    .attribute()
                    .mutable()
                    .ifPresent(at ->
                            findings.at(SchemaStep.MUTABLE)
                                    .warn(
                                            at.at()
                                                    + ": mutable is ignored: ranking changes no"
                                                    + " document"));
        }
        declaration
                .settings()
                .attribute()
                .fastRank()
                .filter(_ -> !(type instanceof TensorOf(var tensor)) || tensor.isDense())
                .ifPresent(at ->
                        problem(
                                SchemaStep.TENSORS,
                                at,
                                "fast-rank is for tensors with a mapped dimension"));
        declaration
                .settings()
                .search()
                .gramSize()
                .filter(_ -> !matches(MatchWord.GRAM))
                .ifPresent(at -> problem(SchemaStep.GRAM, at, "gram-size needs match: gram"));
        attributeItem("paged")
                .filter(_ ->
                        type == Primitive.PREDICATE
                                || declaration.settings().attribute().fastRank().isPresent())
                .ifPresent(at ->
                        problem(
                                SchemaStep.PAGED,
                                at,
                                "paged is neither for predicates nor for fast-rank tensors"));
        if (type.equals(StructOf.POSITION)) {
            declaration.settings().attribute().items().stream()
                    .filter(item -> !ON_POSITIONS.contains(item.text()))
                    .forEach(item ->
                            problem(
                                    SchemaStep.POSITION,
                                    item,
                                    "of positions an attribute is only fast-search, fast-access or"
                                            + " paged, not "
                                            + item.text()));
        }
        checkDictionary();
    }

    private void checkDictionary() {
        if (declaration.settings().attribute().dictionary().isEmpty()) {
            return;
        }
        boolean isCased = matches(MatchWord.CASED);
        if (attributeItem("fast-search").isEmpty()) {
            problem(
                    SchemaStep.DICTIONARY,
                    declaration.settings().attribute().dictionary().getFirst(),
                    "a dictionary is that of an attribute with fast-search");
        }
        Optional<Name> cased = dictionaryItem("cased");
        cased.filter(_ -> !isCased)
                .ifPresent(at ->
                        problem(
                                SchemaStep.DICTIONARY,
                                at,
                                "a cased dictionary needs match: cased"));
        dictionaryItem("hash")
                .filter(_ -> TypeContents.holdsTexts(type) && !(isCased && cased.isPresent()))
                .ifPresent(at ->
                        problem(
                                SchemaStep.DICTIONARY,
                                at,
                                "a hash dictionary of texts has to be cased, and needs match:"
                                        + " cased"));
    }

    private Optional<Name> attributeItem(String word) {
        return Name.find(declaration.settings().attribute().items(), word);
    }

    private Optional<Name> dictionaryItem(String word) {
        return Name.find(declaration.settings().attribute().dictionary(), word);
    }

    private boolean matches(MatchWord word) {
        return MatchDeclaration.find(declaration.settings().search().match(), word).isPresent();
    }

    private void problem(SchemaStep step, Name at, String problem) {
        findings.at(step).problem(at.at().pointing(problem));
    }
}
