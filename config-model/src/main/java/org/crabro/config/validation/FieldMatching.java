package org.crabro.config.validation;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.application.Findings;
import org.crabro.config.parser.DeclaredReading;
import org.crabro.config.parser.FieldDeclaration;
import org.crabro.config.parser.FieldDeclaration.StructField;
import org.crabro.config.parser.MatchDeclaration;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.WordSettings;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.FieldRanking;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.MatchMode.Unit;
import org.crabro.config.schema.MatchRules;
import org.crabro.config.schema.MatchRules.PartRules;
import org.crabro.config.schema.MatchWord;
import org.crabro.config.schema.Stemming;
import org.crabro.config.schema.WordReading;
import org.crabro.document.FieldType;

/** Computes how the texts of one field, and of its parts, are matched. */
final class FieldMatching {
    /** The characters of a gram unless {@code gram-size} is set. */
    private static final int GRAM_SIZE = 2;

    private final FieldDeclaration declaration;
    private final FieldType type;
    private final Stemming stemming;
    private final SchemaFindings findings;

    /**
     * @param stemming of words if the field does not set it
     */
    FieldMatching(
            FieldDeclaration declaration,
            FieldType type,
            Stemming stemming,
            SchemaFindings findings) {
        this.declaration = declaration;
        this.type = type;
        this.stemming =
                declaration
                        .settings()
                        .search()
                        .words()
                        .stemming()
                        .map(FieldMatching::stemming)
                        .orElse(stemming);
        this.findings = findings;
    }

    static Stemming stemming(Name word) {
        return Stemming.valueOf(word.text().toUpperCase(Locale.ROOT));
    }

    /**
     * Returns how the field and its parts are matched, and reports problems.
     *
     * @param aspects the aspects that the indexing script of the field writes
     */
    MatchRules rules(Set<Aspect> aspects) {
        var readings = new LinkedHashMap<String, WordReading>();
        addReading(
                "",
                declaration.settings().search().match(),
                declaration.settings().search().words(),
                readings);
        addReadings("", declaration.structFields(), readings);
        return new MatchRules(of(aspects), ofParts(aspects), readings);
    }

    private void addReadings(
            String above, List<StructField> structFields, Map<String, WordReading> into) {
        for (StructField part : structFields) {
            String path = above + part.path().text();
            addReading(path, part.match(), part.words(), into);
            addReadings(path + ".", part.structFields(), into);
        }
    }

    private void addReading(
            String path,
            List<MatchDeclaration> match,
            WordSettings words,
            Map<String, WordReading> into) {
        WordReading reading = words.reading().reading(match);
        if (!reading.equals(WordReading.NORMAL)) {
            into.put(path, reading);
        }
        warnOfTerminator(match, words.reading(), findings.at(SchemaStep.MATCH));
    }

    /** Warns of a terminator of values that are not exact. */
    static void warnOfTerminator(
            List<MatchDeclaration> match, DeclaredReading reading, Findings findings) {
        Optional<Name> terminator = reading.terminator();
        if (terminator.isPresent() && !DeclaredReading.isExact(match)) {
            findings.warn(
                    terminator.get().at()
                            + ": exact-terminator has no effect without match: exact");
        }
    }

    private MatchMode of(Set<Aspect> aspects) {
        return with(
                unlimited(aspects),
                declaration.settings().search().match(),
                declaration.settings().search().words());
    }

    /** Returns how the searched parts of the field are matched, by path. */
    private Map<String, PartRules> ofParts(Set<Aspect> aspects) {
        return ofParts("", declaration.structFields(), aspects);
    }

    /**
     * @param around the outputs of the field or part around; parts with {@code match} or {@code
     *     rank} and without a script have the same
     */
    private Map<String, PartRules> ofParts(
            String above, List<StructField> structFields, Set<Aspect> around) {
        var parts = new LinkedHashMap<String, PartRules>();
        for (StructField part : structFields) {
            String path = above + part.path().text();
            Set<Aspect> inside = part.script().isEmpty() ? around : part.aspects();
            boolean isSet =
                    !part.match().isEmpty() || !part.settings().ranking().equals(FieldRanking.NONE);
            Set<Aspect> aspects = isSet ? inside : part.aspects();
            if (aspects.contains(Aspect.ATTRIBUTE) || aspects.contains(Aspect.INDEX)) {
                parts.put(
                        path,
                        new PartRules(partMatch(part, aspects), aspects, ranking(part, aspects)));
            }
            parts.putAll(ofParts(path + ".", part.structFields(), inside));
        }
        return parts;
    }

    /** Limits the length of words, and adds grams or stemming. Stemming needs tokens. */
    private MatchMode with(MatchMode mode, List<MatchDeclaration> match, WordSettings words) {
        boolean byGrams = MatchDeclaration.find(match, MatchWord.GRAM).isPresent();
        boolean isAccented =
                words.normalizing().filter(each -> !each.text().equals("accent")).isPresent();
        MatchMode cut =
                (isAccented ? mode.withAccents() : mode)
                        .upTo(words.maxLength().orElse(MatchMode.LENGTH_MAX));
        if (byGrams) {
            return cut.byGrams(words.gramSize().orElse(GRAM_SIZE));
        }
        boolean hasForms =
                mode.unit() == Unit.TOKEN && !mode.cased() && TypeContents.holdsTexts(type);
        return hasForms ? cut.with(stemming) : cut;
    }

    private MatchMode partMatch(StructField part, Set<Aspect> aspects) {
        MatchMode match = aspects.contains(Aspect.INDEX) ? MatchMode.TEXT : MatchMode.WORD;
        for (MatchDeclaration each : part.match()) {
            match = each.word().applied(match);
        }
        return with(match, part.match(), part.words());
    }

    private static FieldRanking ranking(StructField part, Set<Aspect> aspects) {
        return ranking(part.settings().ranking(), part.match(), aspects);
    }

    /**
     * Returns the ranking of a field or part. Exact matches with an index only filter.
     *
     * @param aspects the aspects that its script writes
     */
    static FieldRanking ranking(
            FieldRanking declared, List<MatchDeclaration> match, Set<Aspect> aspects) {
        return DeclaredReading.isExact(match)
                        && aspects.contains(Aspect.INDEX)
                        && declared.filter().isEmpty()
                ? declared.filtering()
                : declared;
    }

    private MatchMode unlimited(Set<Aspect> aspects) {
        boolean words =
                declaration.type().name().equals("tag")
                        || (aspects.contains(Aspect.ATTRIBUTE) && !aspects.contains(Aspect.INDEX));
        MatchMode usual = words ? MatchMode.WORD : MatchMode.TEXT;
        var given = EnumSet.noneOf(MatchWord.Part.class);
        MatchMode mode = usual;
        for (MatchDeclaration each : declaration.settings().search().match()) {
            if (!given.add(each.word().part())) {
                findings.at(SchemaStep.MATCH)
                        .warn(
                                "%s: match: %s replaces a word before it"
                                        .formatted(each.at(), each.word().text()));
            }
            mode = each.word().applied(mode);
        }
        if (!declaration.settings().search().match().isEmpty() && !TypeContents.holdsTexts(type)) {
            findings.at(SchemaStep.MATCH)
                    .warn(
                            declaration.settings().search().match().getFirst().at()
                                    + ": match has no meaning for type "
                                    + type.text());
            return usual;
        }
        return mode;
    }
}
