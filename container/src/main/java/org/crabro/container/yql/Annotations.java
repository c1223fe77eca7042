package org.crabro.container.yql;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.crabro.protocol.query.TermHints;
import org.crabro.protocol.query.TermLink;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.query.TermStatistics;

/**
 * The annotations that hold for an expression: its own, then those around it.
 *
 * <p>Values have the types in {@link StandardAnnotation}. Other annotations are ignored.
 */
final class Annotations {
    private final Operands operands;
    private final TermIds ids;

    /** The innermost annotation of each key. */
    private final Map<String, YqlExpression.Entry> entries;

    private Annotations(Operands operands, TermIds ids, Map<String, YqlExpression.Entry> entries) {
        this.operands = operands;
        this.ids = ids;
        this.entries = entries;
    }

    /**
     * @param ids collects the names of leaves, and the names that annotations refer to
     */
    static Annotations none(Operands operands, TermIds ids) {
        return new Annotations(operands, ids, Map.of());
    }

    /**
     * Returns these with {@code inner} inside them.
     *
     * @throws YqlSyntaxException if one of them has a wrong type, or is unknown and the request is
     *     strict
     */
    Annotations with(YqlExpression.MapOf inner) {
        var both = new HashMap<>(entries);
        for (YqlExpression.Entry entry : inner.entries()) {
            Optional<StandardAnnotation> annotation = StandardAnnotation.of(entry.key());
            if (annotation.isPresent()) {
                check(annotation.get(), entry);
                both.put(entry.key(), entry);
            } else {
                operands.ignore(entry);
            }
        }
        return new Annotations(operands, ids, both);
    }

    private void check(StandardAnnotation annotation, YqlExpression.Entry entry) {
        switch (annotation.type()) {
            case TRUTH -> operands.truth(entry.value(), annotation.shown());
            case WHOLE -> operands.whole(entry.value(), annotation.shown());
            case REAL -> operands.real(entry.value(), annotation.shown());
            case TEXT -> operands.text(entry.value(), annotation.shown());
            case MAP -> map(entry);
            case ELEMENTS -> {
                // Read later as indices, with other errors.
            }
        }
    }

    /** Returns these without one annotation, which applies to the enclosing expression only. */
    Annotations without(StandardAnnotation annotation) {
        if (!entries.containsKey(annotation.key())) {
            return this;
        }
        var others = new HashMap<>(entries);
        others.remove(annotation.key());
        return new Annotations(operands, ids, others);
    }

    Optional<YqlExpression.Entry> find(StandardAnnotation annotation) {
        return Optional.ofNullable(entries.get(annotation.key()));
    }

    boolean truth(StandardAnnotation annotation, boolean otherwise) {
        return find(annotation)
                .map(entry -> operands.truth(entry.value(), annotation.shown()))
                .orElse(otherwise);
    }

    String text(StandardAnnotation annotation, String otherwise) {
        return find(annotation)
                .map(entry -> operands.text(entry.value(), annotation.shown()))
                .orElse(otherwise);
    }

    /** Returns the text to search for: the same, or normalised to NFKC. */
    String normalized(String text) {
        return truth(StandardAnnotation.NFKC, false)
                ? Normalizer.normalize(text, Normalizer.Form.NFKC)
                : text;
    }

    int whole(StandardAnnotation annotation, int otherwise) {
        return find(annotation)
                .map(entry -> operands.whole(entry.value(), annotation.shown()))
                .orElse(otherwise);
    }

    OptionalDouble real(StandardAnnotation annotation) {
        return find(annotation)
                .map(entry -> OptionalDouble.of(operands.real(entry.value(), annotation.shown())))
                .orElse(OptionalDouble.empty());
    }

    /**
     * Returns the settings of a leaf.
     *
     * @throws YqlSyntaxException if annotations name more than one kind of affix
     */
    TermSettings termSettings() {
        return settings(affix());
    }

    /** Returns the settings of a leaf without affix. */
    TermSettings unaffixed() {
        return settings(TermSettings.Affix.FIELD);
    }

    private TermSettings settings(TermSettings.Affix affix) {
        if (entries.isEmpty()) {
            return TermSettings.DEFAULT.with(operands.stems(), operands.language());
        }
        boolean filter = truth(StandardAnnotation.FILTER, false);
        boolean ranked = truth(StandardAnnotation.RANKED, true) && !filter;
        var hints =
                new TermHints(
                        text(StandardAnnotation.LABEL, ""),
                        new TermStatistics(
                                real(StandardAnnotation.SIGNIFICANCE),
                                find(StandardAnnotation.DOCUMENT_FREQUENCY).map(this::frequency)),
                        new TermLink(
                                find(StandardAnnotation.ID)
                                        .map(this::id)
                                        .orElse(TermHints.NONE.link().id()),
                                find(StandardAnnotation.CONNECTIVITY).map(this::connectivity)),
                        filter,
                        truth(StandardAnnotation.USE_POSITION_DATA, true),
                        new TermHints.Words(
                                truth(StandardAnnotation.STEM, operands.stems()),
                                truth(StandardAnnotation.NORMALIZE_CASE, true),
                                truth(StandardAnnotation.ACCENT_DROP, true),
                                truth(StandardAnnotation.IMPLICIT_TRANSFORMS, true),
                                language()));
        return new TermSettings(whole(StandardAnnotation.WEIGHT, 100), ranked, affix, hints);
    }

    /** Returns the language of words; that of the query if no annotation names one. */
    private String language() {
        Optional<YqlExpression.Entry> said = find(StandardAnnotation.LANGUAGE);
        String tag = text(StandardAnnotation.LANGUAGE, operands.language());
        if (said.isPresent()
                && Locale.forLanguageTag(tag.replace('_', '-')).getLanguage().isEmpty()) {
            throw operands.expected(
                    "a language tag such as de or en-US",
                    StandardAnnotation.LANGUAGE.shown(),
                    said.get().value());
        }
        return tag;
    }

    private TermHints.Frequency frequency(YqlExpression.Entry entry) {
        Map<String, YqlExpression.Entry> parts = map(entry);
        long documents = count(parts, "frequency", entry);
        long total = count(parts, "count", entry);
        if (documents > total) {
            throw operands.error(
                    entry.offset(),
                    "annotation 'documentFrequency': a word in %d of %d documents"
                            .formatted(documents, total));
        }
        return new TermHints.Frequency(documents, total);
    }

    private long count(Map<String, YqlExpression.Entry> parts, String key, YqlExpression.Entry in) {
        YqlExpression.Entry part = part(parts, key, in);
        double count =
                operands.real(part.value(), "'" + key + "' of annotation '" + in.key() + "'");
        if (count < 0 || count != Math.rint(count)) {
            throw operands.expected(
                    "a whole number from 0 on",
                    "'" + key + "' of annotation '" + in.key() + "'",
                    part.value());
        }
        return (long) count;
    }

    private int id(YqlExpression.Entry entry) {
        int id = operands.whole(entry.value(), StandardAnnotation.ID.shown());
        if (id < 1) {
            throw operands.expected(
                    "a whole number from 1 on", StandardAnnotation.ID.shown(), entry.value());
        }
        ids.has(id);
        return id;
    }

    private TermHints.Connectivity connectivity(YqlExpression.Entry entry) {
        Map<String, YqlExpression.Entry> parts = map(entry);
        YqlExpression.Entry other = part(parts, "id", entry);
        int id = operands.whole(other.value(), "'id' of annotation 'connectivity'");
        ids.needs(id, other.value().offset());
        double weight =
                operands.real(
                        part(parts, "weight", entry).value(),
                        "'weight' of annotation 'connectivity'");
        return new TermHints.Connectivity(id, weight);
    }

    private YqlExpression.Entry part(
            Map<String, YqlExpression.Entry> parts, String key, YqlExpression.Entry in) {
        YqlExpression.Entry part = parts.get(key);
        if (part == null) {
            throw operands.error(
                    in.offset(), "annotation '%s' lacks '%s'".formatted(in.key(), key));
        }
        return part;
    }

    private Map<String, YqlExpression.Entry> map(YqlExpression.Entry entry) {
        List<YqlExpression.Entry> parts = new ArrayList<>();
        if (entry.value() instanceof YqlExpression.MapOf(_, var inner)) {
            parts.addAll(inner);
        } else {
            StandardAnnotation annotation = StandardAnnotation.of(entry.key()).orElseThrow();
            throw operands.expected("a map", annotation.shown(), entry.value());
        }
        var byKey = new HashMap<String, YqlExpression.Entry>();
        parts.forEach(part -> byKey.put(part.key(), part));
        return byKey;
    }

    private TermSettings.Affix affix() {
        var affix = TermSettings.Affix.FIELD;
        for (TermSettings.Affix each : TermSettings.Affix.values()) {
            Optional<StandardAnnotation> annotation = annotation(each);
            if (annotation.isPresent() && truth(annotation.get(), false)) {
                if (affix != TermSettings.Affix.FIELD) {
                    throw operands.error(
                            find(annotation.get()).orElseThrow().offset(),
                            "only one of prefix, substring and suffix may be set");
                }
                affix = each;
            }
        }
        return affix;
    }

    private static Optional<StandardAnnotation> annotation(TermSettings.Affix affix) {
        return switch (affix) {
            case FIELD -> Optional.empty();
            case PREFIX -> Optional.of(StandardAnnotation.PREFIX);
            case SUFFIX -> Optional.of(StandardAnnotation.SUFFIX);
            case SUBSTRING -> Optional.of(StandardAnnotation.SUBSTRING);
        };
    }
}
