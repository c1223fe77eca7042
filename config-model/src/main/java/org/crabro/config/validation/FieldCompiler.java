package org.crabro.config.validation;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.FieldDeclaration;
import org.crabro.config.parser.FieldDeclaration.StructField;
import org.crabro.config.parser.MatchDeclaration;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.WordSettings;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.MatchMode.Unit;
import org.crabro.config.schema.MatchWord;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.Stemming;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.MapOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.ReferenceOf;
import org.crabro.document.FieldType.StructOf;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.document.FieldType.WeightedSetOf;
import org.crabro.document.json.WeightRules;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/** Checks one field, once the types of all are known. */
final class FieldCompiler {
    /** How many characters grams have unless said. */
    private static final int GRAM_SIZE = 2;

    private static final Set<String> ON_POSITIONS = Set.of("fast-search", "fast-access", "paged");

    private final FieldDeclaration declaration;
    private final FieldType type;
    private final boolean inDocument;
    private final SchemaFindings findings;
    private final Stemming stemming;

    /**
     * @param stemming of words where the field does not say it
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
        this.stemming =
                declaration.words().stemming().map(FieldCompiler::stemming).orElse(stemming);
    }

    static Stemming stemming(Name word) {
        return Stemming.valueOf(word.text().toUpperCase(Locale.ROOT));
    }

    /**
     * Returns the field; what is wrong with it is reported.
     *
     * @param documentFields the types of the fields that clients feed, by name
     * @param broken the fields whose types were refused
     * @param isIndexed whether the type has mode {@code index} somewhere
     */
    SchemaField compile(
            Map<String, FieldType> documentFields,
            Set<String> broken,
            Optional<Set<String>> embedders,
            boolean isIndexed) {
        String name = declaration.name().text();
        var script =
                new ScriptCompiler(
                        name, type, inDocument, documentFields, broken, embedders, findings);
        IndexingScript compiled =
                declaration.script().map(script::compile).orElse(new IndexingScript(List.of()));
        if (declaration.script().isEmpty() && !inDocument) {
            problem(
                    SchemaStep.INPUTS,
                    declaration.name(),
                    "field '" + name + "' is outside the document, so it needs an indexing script");
        }
        boolean whole =
                declaration
                        .script()
                        .map(given -> given.statements().size() == compiled.statements().size())
                        .orElse(true);
        if (whole) {
            checkAspects(script.aspects());
        }
        if (isIndexed && script.hasIndexOfNumbers()) {
            findings.at(SchemaStep.INDEX_OF_NUMBERS)
                    .warn(
                            "%s: numbers have no words: index of field '%s' is taken as attribute"
                                    .formatted(declaration.name().at(), name));
        }
        return new SchemaField(
                new Field(name, type, inDocument),
                script.aspects(),
                with(match(script.aspects()), declaration.match(), declaration.words()),
                metric(),
                compiled,
                weightRules(),
                parts("", declaration.structFields()),
                declaration.sorting(),
                declaration.ranking());
    }

    /** Returns how texts in parts of the field are matched, of those parts that are searched. */
    private Map<String, MatchMode> parts(String above, List<StructField> structFields) {
        var parts = new LinkedHashMap<String, MatchMode>();
        for (StructField part : structFields) {
            String path = above + part.path().text();
            Set<Aspect> aspects = part.aspects();
            if (aspects.contains(Aspect.ATTRIBUTE) || aspects.contains(Aspect.INDEX)) {
                parts.put(path, partMatch(part, aspects));
            }
            parts.putAll(parts(path + ".", part.structFields()));
        }
        return parts;
    }

    /** Returns a mode with what depends on it: words of whole texts alone have other forms. */
    private MatchMode with(MatchMode mode, List<MatchDeclaration> match, WordSettings words) {
        boolean byGrams = find(match, MatchWord.GRAM).isPresent();
        MatchMode cut = mode.upTo(words.maxLength().orElse(MatchMode.LENGTH_MAX));
        if (byGrams) {
            return cut.byGrams(words.gramSize().orElse(GRAM_SIZE));
        }
        boolean hasForms = mode.unit() == Unit.TOKEN && !mode.cased() && holdsTexts(type);
        return hasForms ? cut.with(stemming) : cut;
    }

    private MatchMode partMatch(StructField part, Set<Aspect> aspects) {
        MatchMode match = aspects.contains(Aspect.INDEX) ? MatchMode.TEXT : MatchMode.WORD;
        for (MatchDeclaration each : part.match()) {
            match = each.word().applied(match);
        }
        return with(match, part.match(), part.words());
    }

    /** A tag makes its elements, and lets them go, as they are counted up and down. */
    private WeightRules weightRules() {
        boolean isTag = declaration.type().name().equals("tag");
        return new WeightRules(
                isTag || find(declaration.weightRules(), "create-if-nonexistent").isPresent(),
                isTag || find(declaration.weightRules(), "remove-if-zero").isPresent());
    }

    private void checkAspects(Set<Aspect> aspects) {
        boolean attribute = aspects.contains(Aspect.ATTRIBUTE);
        boolean index = aspects.contains(Aspect.INDEX);
        if (declaration.script().isPresent() && !inDocument && aspects.isEmpty()) {
            problem(
                    SchemaStep.OUTPUTS,
                    declaration.name(),
                    "the script of field '%s' has no output; expected attribute, index or summary"
                            .formatted(declaration.name().text()));
        }
        if (!attribute) {
            declaration.attributeItems().stream()
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
            find(declaration.match(), MatchWord.GRAM)
                    .ifPresent(at ->
                            problem(
                                    SchemaStep.GRAM,
                                    at,
                                    "gram needs index in the field's indexing, not attribute"));
        }
        if (!attribute && !index) {
            refuseWithoutSearch(declaration.rankSettings());
            refuseWithoutSearch(
                    declaration.match().stream().findFirst().map(MatchDeclaration::name));
            declaration
                    .indexSettings()
                    .ifPresent(setting ->
                            problem(
                                    SchemaStep.MATCH,
                                    setting,
                                    "an index is set up, but the field's indexing has no"
                                            + " index"));
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
        if (type instanceof TensorOf(var tensor)) {
            checkTensor(tensor, index, attribute);
        } else {
            declaration
                    .hnsw()
                    .ifPresent(at -> problem(SchemaStep.TENSORS, at, "hnsw is for tensors alone"));
        }
        checkAttribute();
        declaration
                .weightedSet()
                .filter(_ -> !(type instanceof WeightedSetOf))
                .ifPresent(at ->
                        problem(
                                SchemaStep.FIELD_TYPES,
                                at,
                                "weightedset is for weighted sets, not for type " + type.text()));
        if (attribute && holdsRaw(type)) {
            problem(
                    SchemaStep.FIELD_TYPES,
                    declaration.name(),
                    "an attribute holds one raw value, not " + type.text());
        }
        boolean parts =
                new StructFieldCheck(findings.at(SchemaStep.FIELD_TYPES))
                        .check(declaration.structFields(), type);
        if (attribute && holdsStructs(type)) {
            problem(
                    SchemaStep.FIELD_TYPES,
                    declaration.name(),
                    "a field of type %s cannot be an attribute as a whole; say it of its parts, in a"
                                    .formatted(type.text())
                            + " struct-field");
        } else if ((attribute || index || parts)
                && !isSearched(type)
                && !(type instanceof ReferenceOf)) {
            findings.at(SchemaStep.FIELD_TYPES)
                    .warn(
                            "%s: fields of type %s are not searched yet: queries that name '%s' are refused"
                                    .formatted(
                                            declaration.name().at(),
                                            type.text(),
                                            declaration.name().text()));
        }
    }

    private static boolean holdsRaw(FieldType type) {
        return switch (type) {
            case ArrayOf(var element) -> element == Primitive.RAW;
            case WeightedSetOf(var element) -> element == Primitive.RAW;
            case Primitive _, MapOf _, StructOf _, ReferenceOf _, TensorOf _ -> false;
        };
    }

    /** Returns whether values have parts with names, other than those of positions. */
    private static boolean holdsStructs(FieldType type) {
        return switch (type) {
            case Primitive _, TensorOf _, WeightedSetOf _, ReferenceOf _ -> false;
            case MapOf _ -> true;
            case StructOf struct -> !struct.equals(StructOf.POSITION);
            case ArrayOf(var element) -> holdsStructs(element);
        };
    }

    /** Returns whether queries find documents by values of {@code type}. */
    static boolean isSearched(FieldType type) {
        return switch (type) {
            case Primitive primitive ->
                    primitive.isText() || primitive.stored() != Primitive.STRING;
            case ArrayOf(var element) -> isSearched(element);
            case WeightedSetOf(var element) -> isSearched(element);
            case MapOf(var key, var value) -> isSearched(key) || isSearched(value);
            case StructOf(_, var fields) ->
                    fields.stream().anyMatch(field -> isSearched(field.type()));
            case TensorOf(var tensor) -> isVector(tensor);
            case ReferenceOf _ -> false;
        };
    }

    /** Returns whether values are vectors, one of a document or several. */
    static boolean isVector(TensorType tensor) {
        return tensor.dimensions().stream().filter(Dimension.Indexed.class::isInstance).count()
                == 1;
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

    private void checkTensor(TensorType tensor, boolean index, boolean attribute) {
        Name at = declaration.hnsw().orElse(declaration.name());
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
        if (declaration.hnsw().isPresent() && !index) {
            problem(SchemaStep.TENSORS, at, "hnsw needs index in the field's indexing");
        }
    }

    private void checkAttribute() {
        if (inDocument) {
            declaration
                    .mutable()
                    .ifPresent(at ->
                            problem(
                                    SchemaStep.MUTABLE,
                                    at,
                                    "mutable is for fields outside the document"));
        } else {
            declaration
                    .mutable()
                    .ifPresent(at ->
                            findings.at(SchemaStep.MUTABLE)
                                    .warn(
                                            at.at()
                                                    + ": mutable is ignored: ranking changes no"
                                                    + " document"));
        }
        declaration
                .fastRank()
                .filter(_ -> !(type instanceof TensorOf(var tensor)) || tensor.isDense())
                .ifPresent(at ->
                        problem(
                                SchemaStep.TENSORS,
                                at,
                                "fast-rank is for tensors with a mapped dimension"));
        declaration
                .gramSize()
                .filter(_ -> !matches(MatchWord.GRAM))
                .ifPresent(at -> problem(SchemaStep.GRAM, at, "gram-size needs match: gram"));
        attributeItem("paged")
                .filter(_ -> type == Primitive.PREDICATE || declaration.fastRank().isPresent())
                .ifPresent(at ->
                        problem(
                                SchemaStep.PAGED,
                                at,
                                "paged is neither for predicates nor for fast-rank tensors"));
        if (type.equals(StructOf.POSITION)) {
            declaration.attributeItems().stream()
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
        if (declaration.dictionary().isEmpty()) {
            return;
        }
        boolean isCased = matches(MatchWord.CASED);
        if (attributeItem("fast-search").isEmpty()) {
            problem(
                    SchemaStep.DICTIONARY,
                    declaration.dictionary().getFirst(),
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
                .filter(_ -> holdsTexts(type) && !(isCased && cased.isPresent()))
                .ifPresent(at ->
                        problem(
                                SchemaStep.DICTIONARY,
                                at,
                                "a hash dictionary of texts has to be cased, and needs match:"
                                        + " cased"));
    }

    private Optional<Name> attributeItem(String word) {
        return find(declaration.attributeItems(), word);
    }

    private Optional<Name> dictionaryItem(String word) {
        return find(declaration.dictionary(), word);
    }

    private static Optional<Name> find(List<Name> items, String word) {
        return items.stream().filter(item -> item.text().equals(word)).findFirst();
    }

    private static Optional<Name> find(List<MatchDeclaration> items, MatchWord word) {
        return items.stream()
                .filter(item -> item.word() == word)
                .map(MatchDeclaration::name)
                .findFirst();
    }

    private boolean matches(MatchWord word) {
        return find(declaration.match(), word).isPresent();
    }

    private MatchMode match(Set<Aspect> aspects) {
        boolean words =
                declaration.type().name().equals("tag")
                        || (aspects.contains(Aspect.ATTRIBUTE) && !aspects.contains(Aspect.INDEX));
        MatchMode usual = words ? MatchMode.WORD : MatchMode.TEXT;
        var given = EnumSet.noneOf(MatchWord.Part.class);
        MatchMode mode = usual;
        for (MatchDeclaration each : declaration.match()) {
            if (!given.add(each.word().part())) {
                problem(
                        SchemaStep.MATCH,
                        each.name(),
                        "match: " + each.word().text() + " does not go with what stands before it");
            }
            mode = each.word().applied(mode);
        }
        if (!declaration.match().isEmpty() && !holdsTexts(type)) {
            findings.at(SchemaStep.MATCH)
                    .warn(
                            declaration.match().getFirst().at()
                                    + ": match has no meaning for type "
                                    + type.text());
            return usual;
        }
        return mode;
    }

    private static boolean holdsTexts(FieldType type) {
        return switch (type) {
            case Primitive _, ArrayOf _ -> type.isText();
            case WeightedSetOf(var element) -> element.isText();
            case MapOf(var key, var value) -> holdsTexts(key) || holdsTexts(value);
            case StructOf(_, var fields) ->
                    fields.stream().anyMatch(field -> holdsTexts(field.type()));
            case ReferenceOf _, TensorOf _ -> false;
        };
    }

    private DistanceMetric metric() {
        if (declaration.metric().isEmpty()) {
            return DistanceMetric.EUCLIDEAN;
        }
        Name name = declaration.metric().get();
        if (!(type instanceof TensorOf)) {
            problem(
                    SchemaStep.TENSORS,
                    name,
                    "distance-metric is for tensors alone, not for type " + type.text());
        }
        Optional<DistanceMetric> metric = DistanceMetric.named(name.text());
        if (metric.isEmpty()) {
            var known = new TreeSet<String>();
            for (DistanceMetric each : DistanceMetric.values()) {
                known.add(each.toString());
            }
            problem(
                    SchemaStep.TENSORS,
                    name,
                    "unknown distance metric '%s'; there are %s%s"
                            .formatted(
                                    name.text(),
                                    String.join(", ", known),
                                    NearestName.hint(name.text(), known)));
        }
        if (metric.equals(Optional.of(DistanceMetric.GEODEGREES))
                && type instanceof TensorOf(var tensor)
                && isVector(tensor)
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
