package org.crabro.config.validation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.FieldDeclaration;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.RankProfileDeclaration;
import org.crabro.config.parser.RawText;
import org.crabro.config.parser.SchemaDeclaration;
import org.crabro.config.parser.SchemaDeclaration.Summary;
import org.crabro.config.parser.SummaryTransform;
import org.crabro.config.parser.TypeDeclaration;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.config.schema.DocumentSummary.Elements;
import org.crabro.config.schema.DocumentSummary.SummaryField;
import org.crabro.config.schema.DocumentSummary.Transform;
import org.crabro.config.schema.SchemaField;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.MapOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.StructOf;
import org.crabro.document.FieldType.WeightedSetOf;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.expression.ExpressionSyntaxException;

/**
 * Checks the document summaries of a schema and adds inherited fields to them.
 *
 * <p>The summary {@code default} always exists. It has every field with {@code summary}, the fields
 * of a declared summary of that name, and fields of other summaries that are neither attributes nor
 * imported.
 */
final class SummaryCompiler {
    private static final String DEFAULT = "default";

    /** The document's id may be shown, though it is no field. */
    private static final String DOCUMENT_ID = "documentid";

    /** Longer than any meaningful chain of parents, and far below the limit of the stack. */
    private static final int DEPTH_LIMIT = 100;

    private static final Elements ALL = new Elements.All();
    private static final Set<String> RESERVED = Set.of("rankfeatures", "summaryfeatures");

    private final SchemaDeclaration schema;
    private final Map<String, SchemaField> fields;
    private final Set<String> broken;
    private final Findings findings;
    private final Map<String, Summary> declared = new LinkedHashMap<>();
    private final Map<String, Map<String, Shown>> compiled = new LinkedHashMap<>();

    /** By name: the longest row of summaries that it inherits through. */
    private final Map<String, Integer> depths = new HashMap<>();

    private final SummarySources sources;
    private SummaryReferences references;
    private final Map<String, Treatment> ownTreatments = new LinkedHashMap<>();

    /** The features that select elements, by name, with the place of their first use. */
    private final Map<String, RawText> selectors = new LinkedHashMap<>();

    /** The content of each summary field, by its name; all summaries say it together. */
    private final Map<String, Shown> agreed = new LinkedHashMap<>();

    /** How the value of a field is transformed for display. */
    private record Treatment(Transform transform, Elements elements) {
        static final Treatment NONE = new Treatment(Transform.NONE, ALL);

        /** Returns whether at most one of the two says each part. */
        boolean agrees(Treatment that) {
            return (transform == that.transform
                            || transform == Transform.NONE
                            || that.transform == Transform.NONE)
                    && (elements.equals(that.elements)
                            || elements.equals(ALL)
                            || that.elements.equals(ALL));
        }

        /** Returns what both say together. */
        Treatment with(Treatment that) {
            return new Treatment(
                    transform == Transform.NONE ? that.transform : transform,
                    elements.equals(ALL) ? that.elements : elements);
        }
    }

    /**
     * A field of a summary.
     *
     * @param filtered whether it shows the value around its sources with these parts only
     * @param at where it is declared
     */
    private record Shown(List<String> sources, boolean filtered, Treatment treatment, Name at) {
        boolean agrees(Shown that) {
            return sources.equals(that.sources)
                    && filtered == that.filtered
                    && treatment.agrees(that.treatment);
        }

        Shown with(Shown that) {
            return new Shown(sources, filtered, treatment.with(that.treatment), at);
        }
    }

    /**
     * @param sources the fields and parts that can be shown
     */
    SummaryCompiler(
            SchemaDeclaration schema,
            Map<String, SchemaField> fields,
            Set<String> broken,
            SummarySources sources,
            Findings findings) {
        this.sources = sources;
        this.schema = schema;
        this.fields = fields;
        this.broken = broken;
        this.findings = findings;
        this.references = new SummaryReferences(List.of(), sources, findings);
    }

    Map<String, DocumentSummary> compile() {
        for (Summary summary : schema.summaries()) {
            Summary first = declared.putIfAbsent(summary.name().text(), summary);
            if (first != null) {
                problem(
                        summary.name(),
                        "document-summary '%s' is declared twice; the first is at line %d"
                                .formatted(summary.name().text(), first.name().at().line()));
            }
        }
        addFromFields();
        references = new SummaryReferences(declared.values(), sources, findings);
        declaredFields().forEach(field -> ownTreatment(field.name().text()));
        compiled.put(DEFAULT, implicit());
        for (Summary summary : declared.values()) {
            shown(summary, new LinkedHashSet<>());
        }
        addToDefault();
        var summaries = new LinkedHashMap<String, DocumentSummary>();
        compiled.forEach((name, shown) -> {
            Summary summary = declared.get(name);
            summaries.put(
                    name,
                    new DocumentSummary(
                            name, list(shown), summary != null && summary.omitsFeatures()));
        });
        SnippetSummary.addTo(summaries, sources);
        return summaries;
    }

    /** Adds the summary settings of fields to the summaries that they name. */
    private void addFromFields() {
        var all = new ArrayList<FieldDeclaration>(schema.fields().outside());
        schema.types().documents().forEach(document -> all.addAll(document.fields()));
        for (FieldDeclaration field : all) {
            for (FieldDeclaration.FieldSummary shown : field.settings().summary().others()) {
                var added =
                        new SchemaDeclaration.SummaryField(
                                shown.name(), shown.type(), shown.sources(), shown.transform());
                List<Name> to =
                        shown.to().isEmpty()
                                ? List.of(new Name(shown.name().at(), DEFAULT))
                                : shown.to();
                for (Name name : to) {
                    Summary before =
                            declared.getOrDefault(
                                    name.text(), new Summary(name, List.of(), List.of(), false));
                    var fields = new ArrayList<>(before.fields());
                    fields.add(added);
                    declared.put(
                            name.text(),
                            new Summary(
                                    before.name(),
                                    before.parents(),
                                    fields,
                                    before.omitsFeatures()));
                }
            }
        }
    }

    private Map<String, Shown> implicit() {
        var shown = new LinkedHashMap<String, Shown>();
        var asked = new TreeSet<String>();
        var names = new LinkedHashMap<String, Name>();
        for (FieldDeclaration field : declaredFields()) {
            names.putIfAbsent(field.name().text(), field.name());
            if (field.settings().summary().inDefault().isPresent()) {
                asked.add(field.name().text());
            }
        }
        for (SchemaField field : fields.values()) {
            String name = field.field().name();
            if (field.aspects().contains(Aspect.SUMMARY) || asked.contains(name)) {
                Name at = Objects.requireNonNull(names.get(name));
                Shown itself = new Shown(List.of(name), false, ownTreatment(name), at);
                shown.put(name, agreed(name, itself));
            }
        }
        return shown;
    }

    private List<FieldDeclaration> declaredFields() {
        var all = new ArrayList<FieldDeclaration>();
        schema.types().documents().forEach(document -> all.addAll(document.fields()));
        all.addAll(schema.fields().outside());
        return all;
    }

    /**
     * Returns the transform that a field declares for its own value, if it fits the type of the
     * field.
     */
    private Treatment ownTreatment(String field) {
        Treatment treatment = ownTreatments.get(field);
        if (treatment == null) {
            treatment = findOwnTreatment(field);
            ownTreatments.put(field, treatment);
        }
        return treatment;
    }

    private Treatment findOwnTreatment(String field) {
        for (FieldDeclaration declaration : declaredFields()) {
            if (declaration.name().text().equals(field)) {
                return declaration
                        .settings()
                        .summary()
                        .transform()
                        .map(given -> treatment(given, List.of(field)))
                        .orElse(Treatment.NONE);
            }
        }
        return Treatment.NONE;
    }

    private Treatment treatment(SummaryTransform given, List<String> shown) {
        List<String> around = shown.stream().map(SummarySources::base).distinct().toList();
        return new Treatment(
                given.form().map(word -> transform(word, shown)).orElse(Transform.NONE),
                given.selection()
                        .map(word ->
                                given.feature()
                                        .map(feature -> selection(word, feature, around))
                                        .orElseGet(() -> matched(word, around)))
                        .orElse(ALL));
    }

    private Transform transform(Name word, List<String> shown) {
        Transform transform =
                switch (word.text()) {
                    case "bolding" -> Transform.BOLDED;
                    case "dynamic" -> Transform.DYNAMIC;
                    case "tokens" -> Transform.TOKENS;
                    default -> throw new IllegalStateException("the parser let through " + word);
                };
        for (String source : shown) {
            SchemaField field = sources.field(source).orElse(null);
            FieldType type = sources.type(source).orElse(null);
            if (field == null || type == null) {
                continue;
            }
            if (!isFor(transform, type)) {
                if (transform != Transform.TOKENS && shown.size() > 1) {
                    findings.warn(
                            "%s: %s highlights texts: field '%s' of type %s is shown without marks"
                                    .formatted(word.at(), word.text(), source, type.text()));
                    continue;
                }
                problem(
                        word,
                        "%s is for %s, and field '%s' is of type %s"
                                .formatted(word.text(), fitting(transform), source, type.text()));
                return Transform.NONE;
            }
            if (transform == Transform.TOKENS && !field.isSearchable()) {
                problem(
                        word,
                        "tokens is for fields that are searched, and the indexing of '%s' has"
                                        .formatted(source)
                                + " neither index nor attribute");
                return Transform.NONE;
            }
        }
        return transform;
    }

    private Elements matched(Name word, List<String> shown) {
        if (!haveElements(word, shown)) {
            return ALL;
        }
        for (String source : shown) {
            SchemaField field = fields.get(source);
            if (field != null && !field.isSearchable()) {
                findings.warn(
                        "%s: no element of '%s' is shown: its indexing has neither index nor attribute"
                                .formatted(word.at(), source));
            }
        }
        return new Elements.Matched();
    }

    /** Returns whether all sources have elements, and reports one that has none. */
    private boolean haveElements(Name word, List<String> shown) {
        for (String source : shown) {
            SchemaField field = fields.get(source);
            if (field != null && !hasElements(field.field().type())) {
                problem(
                        word,
                        "%s is for arrays, weighted sets and maps, and field '%s' is of type %s"
                                .formatted(word.text(), source, field.field().type().text()));
                return false;
            }
        }
        return true;
    }

    private static boolean hasElements(FieldType type) {
        return type instanceof WeightedSetOf
                || type instanceof MapOf
                || (type instanceof ArrayOf(var element)
                        && (element instanceof Primitive || element instanceof StructOf));
    }

    /** Elements are selected by a feature that some rank profile sends hits with. */
    private Elements selection(Name word, RawText feature, List<String> shown) {
        if (!haveElements(word, shown)) {
            return ALL;
        }
        String name = name(feature);
        Set<String> features = hitFeatures();
        if (!features.contains(name)) {
            findings.problem(
                    feature.at()
                            .pointing(
                                    "'%s' is in the match-features and summary-features of no rank profile%s"
                                            .formatted(
                                                    feature.text(),
                                                    NearestName.hint(feature.text(), features))));
            return ALL;
        }
        selectors.putIfAbsent(name, feature);
        return new Elements.SelectedBy(name);
    }

    private Set<String> hitFeatures() {
        var names = new TreeSet<String>();
        for (RankProfileDeclaration profile : schema.rankProfiles()) {
            profile.features()
                    .match()
                    .ifPresent(given -> given.features().forEach(each -> names.add(name(each))));
            RankProfileDeclaration.Features shown =
                    profile.features().shown().get("summary-features");
            if (shown != null) {
                shown.features().forEach(each -> names.add(name(each)));
            }
        }
        return names;
    }

    /** Returns the name of a feature in hits; a malformed feature is reported elsewhere. */
    private static String name(RawText feature) {
        try {
            return ExpressionParser.parse(feature.text()).toString();
        } catch (ExpressionSyntaxException _) {
            return feature.text();
        }
    }

    /** Returns the features that select elements by name, once {@link #compile} was called. */
    Map<String, RawText> selectors() {
        return Collections.unmodifiableMap(selectors);
    }

    private static boolean isFor(Transform transform, FieldType type) {
        return switch (transform) {
            case NONE -> true;
            case BOLDED, DYNAMIC -> type.isText();
            case TOKENS ->
                    type == Primitive.STRING
                            || type.equals(new ArrayOf(Primitive.STRING))
                            || type.equals(new WeightedSetOf(Primitive.STRING));
        };
    }

    private static String fitting(Transform transform) {
        return switch (transform) {
            case NONE -> "everything";
            case BOLDED, DYNAMIC -> "texts and arrays of texts";
            case TOKENS -> "string, array<string> and weightedset<string>";
        };
    }

    /**
     * A summary field name has one meaning in all summaries that show it. A summary that does not
     * say how shows the field like the others.
     */
    private Shown agreed(String name, Shown shown) {
        Shown before = agreed.get(name);
        if (before != null && !before.agrees(shown)) {
            problem(
                    shown.at(),
                    "'%s' is shown differently elsewhere, at %s: all summaries that have a name"
                                    .formatted(name, before.at().at().seenFrom(shown.at().at()))
                            + " must show the same source in the same way");
            return shown;
        }
        agreed.put(name, before == null ? shown : before.with(shown));
        return shown;
    }

    /** Returns the names shown by {@code summary} with their sources, parents' first. */
    private Map<String, Shown> shown(Summary summary, Set<String> open) {
        String name = summary.name().text();
        Map<String, Shown> done = compiled.get(name);
        if (done != null && !name.equals(DEFAULT)) {
            return done;
        }
        var shown = new LinkedHashMap<String, Shown>();
        if (!open.add(name)) {
            problem(
                    summary.name(),
                    "document-summary '%s' inherits itself: %s"
                            .formatted(
                                    name, String.join(" inherits ", open) + " inherits " + name));
            return shown;
        }
        if (done != null) {
            shown.putAll(done);
        }
        for (Name parent : summary.parents()) {
            shown.putAll(inherited(parent, name, open));
        }
        var own = new TreeSet<String>();
        for (SchemaDeclaration.SummaryField field : summary.fields()) {
            add(summary, field, own, shown);
        }
        open.remove(name);
        compiled.put(name, shown);
        return shown;
    }

    private Map<String, Shown> inherited(Name parent, String child, Set<String> open) {
        Summary summary = declared.get(parent.text());
        if (summary != null && !(parent.text().equals(DEFAULT) && child.equals(DEFAULT))) {
            boolean tooDeep = open.size() > DEPTH_LIMIT;
            Map<String, Shown> shown = tooDeep ? Map.of() : shown(summary, open);
            int depth = 1 + depths.getOrDefault(parent.text(), 0);
            depths.merge(child, depth, Math::max);
            if (!tooDeep && depth <= DEPTH_LIMIT) {
                return shown;
            }
            problem(
                    parent,
                    "document-summary '%s' inherits through more than %d others"
                            .formatted(child, DEPTH_LIMIT));
            return Map.of();
        }
        if (parent.text().equals(DEFAULT)) {
            return compiled.getOrDefault(DEFAULT, Map.of());
        }
        var names = new TreeSet<>(declared.keySet());
        names.add(DEFAULT);
        problem(
                parent,
                "document-summary '%s' inherits '%s', which does not exist%s"
                        .formatted(child, parent.text(), NearestName.hint(parent.text(), names)));
        return Map.of();
    }

    private void add(
            Summary summary,
            SchemaDeclaration.SummaryField field,
            Set<String> own,
            Map<String, Shown> into) {
        String name = field.name().text();
        if (RESERVED.contains(name)) {
            problem(field.name(), "'" + name + "' is a reserved word in summaries");
            return;
        }
        var shown = new ArrayList<String>();
        boolean isWhole = true;
        for (Name source : SummaryReferences.sources(field)) {
            List<String> all = shown(summary, source);
            isWhole &= !all.isEmpty();
            shown.addAll(all);
        }
        if (!isWhole) {
            return;
        }
        if (!own.add(name)) {
            findings.warn(
                    "%s: '%s' is declared twice in document-summary '%s'"
                            .formatted(field.name().at(), name, summary.name().text()));
        }
        SequencedSet<SchemaDeclaration.SummaryField> chain = references.chain(field);
        Optional<TypeDeclaration> type =
                chain.stream().flatMap(each -> each.type().stream()).findFirst();
        boolean isFiltered = sources.isFiltered(field.name(), type, shown);
        List<String> formed = isFiltered ? List.of(SummarySources.base(shown.getFirst())) : shown;
        Treatment treatment =
                chain.stream()
                        .flatMap(each -> each.transform().stream())
                        .findFirst()
                        .map(transform -> treatment(transform, formed))
                        .orElseGet(() ->
                                formed.equals(List.of(name)) ? ownTreatment(name) : Treatment.NONE);
        into.put(name, agreed(name, new Shown(shown, isFiltered, treatment, field.name())));
    }

    /**
     * Returns the fields and parts that a source stands for. Empty if something is wrong, which is
     * reported.
     */
    private List<String> shown(Summary summary, Name source) {
        Optional<SchemaDeclaration.SummaryField> other = references.field(source);
        if (other.isEmpty()) {
            return isShown(summary, source) ? List.of(source.text()) : List.of();
        }
        List<String> all = references.shown(other.get());
        return all.stream().allMatch(this::isDeclared) ? all : List.of();
    }

    private boolean isDeclared(String source) {
        return sources.type(source).isPresent() || source.equals(DOCUMENT_ID);
    }

    private boolean isShown(Summary summary, Name source) {
        if (isDeclared(source.text())) {
            return true;
        }
        if (!broken.contains(SummarySources.base(source.text()))) {
            problem(
                    source,
                    "document-summary '%s' shows the %s '%s', which does not exist%s"
                            .formatted(
                                    summary.name().text(),
                                    sources.field(source.text()).isPresent() ? "part" : "field",
                                    source.text(),
                                    NearestName.hint(source.text(), fields.keySet())));
        }
        return false;
    }

    private void addToDefault() {
        var all = new LinkedHashMap<>(compiled.getOrDefault(DEFAULT, Map.of()));
        for (Map<String, Shown> shown : compiled.values()) {
            shown.forEach((name, field) -> {
                boolean isStored =
                        field.sources().stream()
                                .filter(source -> !isImported(SummarySources.base(source)))
                                .flatMap(source -> sources.field(source).stream())
                                .anyMatch(source -> !SchemaCompiler.isAttribute(source));
                if (isStored) {
                    all.putIfAbsent(name, field);
                }
            });
        }
        compiled.put(DEFAULT, all);
    }

    private boolean isImported(String name) {
        return schema.fields().imports().stream().anyMatch(each -> each.name().text().equals(name));
    }

    private List<SummaryField> list(Map<String, Shown> shown) {
        var list = new ArrayList<SummaryField>();
        shown.forEach((name, field) -> {
            Treatment treatment = agreed.getOrDefault(name, field).treatment();
            list.add(
                    new SummaryField(
                            name,
                            field.sources(),
                            treatment.transform(),
                            treatment.elements(),
                            field.filtered()));
        });
        return list;
    }

    private void problem(Name at, String problem) {
        findings.problem(at.at().pointing(problem));
    }
}
