package org.crabro.container.yql;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toUnmodifiableMap;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The annotations with a meaning, and the types of their values. An annotation with a value of
 * another type is rejected; unknown annotations are ignored.
 */
enum StandardAnnotation {
    ALLOW_EMPTY(Type.TRUTH, "whether no words at all match nothing"),
    AND_SEGMENTING(Type.TRUTH, "whether words of one text may stand apart"),
    ANNOTATIONS(Type.MAP, "notes on the word"),
    APPROXIMATE(Type.TRUTH, "whether neighbors may be found by an index"),
    ACCENT_DROP(Type.TRUTH, "whether accents are leveled"),
    ASCENDING(Type.TRUTH, "which end of the range is kept"),
    BEGINNING(Type.TRUTH, "whether the last word is a beginning"),
    BOUNDS(Type.TEXT, "which ends belong to the range"),
    CONNECTIVITY(Type.MAP, "how closely the word belongs to another"),
    DEFAULT_INDEX(Type.TEXT, "where words without a field are sought"),
    DESCENDING(Type.TRUTH, "which end of the range is kept"),
    DISTANCE(Type.WHOLE, "how far words may be apart"),
    DISTANCE_THRESHOLD(Type.REAL, "how far neighbors may be away"),
    DOCUMENT_FREQUENCY(Type.MAP, "how common the word is"),
    ELEMENT_FILTER(Type.ELEMENTS, "in which elements"),
    END_ANCHOR(Type.TRUTH, "whether the address ends there"),
    EXCLUSION_DISTANCE(Type.WHOLE, "how far excluded words must be"),
    FILTER(Type.TRUTH, "whether the condition only narrows"),
    GRAMMAR(Type.TEXT, "how the words are read"),
    GRAMMAR_COMPOSITE("grammar.composite", Type.TEXT, "how words belong together"),
    GRAMMAR_PROFILE("grammar.profile", Type.TEXT, "how words are cut"),
    GRAMMAR_SYNTAX("grammar.syntax", Type.TEXT, "which signs mean something"),
    GRAMMAR_TOKENIZATION("grammar.tokenization", Type.TEXT, "how words are cut"),
    HIT_LIMIT(Type.WHOLE, "how many hits the range may have"),
    EXPLORE_ADDITIONAL_HITS(
            "hnsw.exploreAdditionalHits", Type.WHOLE, "how many more neighbors are looked at"),
    ID(Type.WHOLE, "by which others name the word"),
    IMPLICIT_TRANSFORMS(Type.TRUTH, "whether the word is changed at all"),
    LABEL(Type.TEXT, "by which features name the condition"),
    LANGUAGE(Type.TEXT, "of which language the word is"),
    MAX_EDIT_DISTANCE(Type.WHOLE, "how many characters may differ"),
    MIN_TARGET_HITS(Type.WHOLE, "how many neighbors each node finds at least"),
    NFKC(Type.TRUTH, "whether characters are brought to one form"),
    NORMALIZE_CASE(Type.TRUTH, "whether case is leveled"),
    ORIGIN(Type.MAP, "where the word was taken from"),
    PREFIX(Type.TRUTH, "whether the word is a beginning"),
    PREFIX_LENGTH(Type.WHOLE, "how many characters must be equal"),
    RANKED(Type.TRUTH, "whether the condition adds to the score"),
    SCORE_THRESHOLD(Type.REAL, "what the sum must be above"),
    SIGNIFICANCE(Type.REAL, "the significance of a match"),
    START_ANCHOR(Type.TRUTH, "whether the address begins there"),
    STEM(Type.TRUTH, "whether the word is reduced to its stem"),
    SUBSTRING(Type.TRUTH, "whether the word is a part"),
    SUFFIX(Type.TRUTH, "whether the word is an end"),
    TARGET_HITS(Type.WHOLE, "how many hits are wanted"),
    TARGET_NUM_HITS(Type.WHOLE, "how many hits are wanted"),
    THRESHOLD_BOOST_FACTOR(Type.REAL, "how fast the sum must grow"),
    TOKEN(Type.TRUTH, "whether single words are compared, and not whole values"),
    TOTAL_TARGET_HITS(Type.WHOLE, "how many hits are wanted of all nodes"),
    TYPOS(Type.TRUTH, "whether words with typos are added"),
    USE_POSITION_DATA(Type.TRUTH, "whether features use the positions of the word"),
    WEIGHT(Type.WHOLE, "the weight in percent");

    private static final Map<String, StandardAnnotation> BY_KEY =
            Arrays.stream(values()).collect(toUnmodifiableMap(StandardAnnotation::key, identity()));

    private final String key;
    private final Type type;
    private final String shown;

    StandardAnnotation(Type type, String purpose) {
        this.key = camelCase(name());
        this.type = type;
        this.shown = shown(key, purpose);
    }

    StandardAnnotation(String key, Type type, String purpose) {
        this.key = key;
        this.type = type;
        this.shown = shown(key, purpose);
    }

    /** The type of the value. */
    enum Type {
        TRUTH,
        WHOLE,
        REAL,
        TEXT,
        MAP,
        /** An index, or a list of them. */
        ELEMENTS
    }

    static Optional<StandardAnnotation> of(String key) {
        return Optional.ofNullable(BY_KEY.get(key));
    }

    /** Returns the names of all annotations. */
    static Set<String> keys() {
        return BY_KEY.keySet();
    }

    /** Returns the name in statements. */
    String key() {
        return key;
    }

    Type type() {
        return type;
    }

    /** Returns the annotation for error messages. */
    String shown() {
        return shown;
    }

    private static String shown(String key, String purpose) {
        return "annotation '%s' (%s)".formatted(key, purpose);
    }

    private static String camelCase(String name) {
        var camel = new StringBuilder();
        for (String part : name.toLowerCase(Locale.ROOT).split("_", -1)) {
            camel.append(
                    camel.isEmpty()
                            ? part
                            : part.substring(0, 1).toUpperCase(Locale.ROOT) + part.substring(1));
        }
        return camel.toString();
    }
}
