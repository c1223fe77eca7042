package org.crabro.ranking.significance;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Models of several languages. Immutable. */
public final class SignificanceModels {
    /** No models. */
    public static final SignificanceModels NONE = new SignificanceModels(Map.of());

    /** The language of words without a known language. */
    private static final String DEFAULT_LANGUAGE = "en";

    /** The name of an unknown language in files. */
    private static final String UNKNOWN_LANGUAGE = "un";

    private final Map<String, SignificanceModel> models;

    SignificanceModels(Map<String, SignificanceModel> models) {
        this.models = Map.copyOf(models);
    }

    /** Returns these models, and those of {@code later} for the languages that it has. */
    public SignificanceModels overriddenBy(SignificanceModels later) {
        if (models.isEmpty()) {
            return later;
        }
        var all = new TreeMap<>(models);
        all.putAll(later.models);
        return new SignificanceModels(all);
    }

    /** Returns the tags of the languages that there are models for. */
    public SortedSet<String> languages() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(models.keySet()));
    }

    /**
     * Returns the model for words of a language. Words of {@code de-at} use the model of that tag,
     * or else the one of {@code de}. Words of an unknown language ({@code un}) use its model, or
     * else that of English. Words without a language use English, or else the unknown language.
     *
     * @param tag of the language, in any case; empty for words without a language
     */
    public Optional<SignificanceModel> of(String tag) {
        String language = tag.toLowerCase(Locale.ROOT).replace('_', '-');
        if (language.isEmpty()) {
            return first(List.of(DEFAULT_LANGUAGE, UNKNOWN_LANGUAGE));
        }
        return language.equals(UNKNOWN_LANGUAGE)
                ? first(List.of(UNKNOWN_LANGUAGE, DEFAULT_LANGUAGE))
                : first(List.of(language, language.replaceFirst("-.*", "")));
    }

    private Optional<SignificanceModel> first(List<String> languages) {
        return languages.stream()
                .flatMap(language -> Optional.ofNullable(models.get(language)).stream())
                .findFirst();
    }
}
