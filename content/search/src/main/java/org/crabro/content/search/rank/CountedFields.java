package org.crabro.content.search.rank;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.crabro.content.search.match.Matcher;
import org.crabro.ranking.type.FieldFeature;
import org.crabro.ranking.type.NativeFeature;
import org.crabro.ranking.type.RankFeature;

/**
 * The fields whose words are counted before a query is ranked, since a feature weights words by
 * their frequency in all documents that are searched.
 */
final class CountedFields {
    private CountedFields() {}

    /** Returns the fields whose word counts {@code feature} needs. */
    static Collection<String> of(RankFeature feature, Matcher matcher) {
        return feature instanceof RankFeature.Counted counted
                ? ofCounted(counted, matcher)
                : List.of();
    }

    private static Collection<String> ofCounted(RankFeature.Counted feature, Matcher matcher) {
        return switch (feature) {
            case RankFeature.Bm25(String field, _) -> List.of(field);
            case RankFeature.Bm25ByLabel(String field) -> List.of(field);
            case RankFeature.Bm25ByElement(String field, _, _) -> List.of(field);
            case RankFeature.MatchOfFields _ -> searchedFields(matcher);
            case RankFeature.OfField(var asked, String field, _)
                    when asked == FieldFeature.AVERAGE_FIELD_LENGTH ->
                    List.of(field);
            case RankFeature.OfField(var asked, _, _)
                    when asked == FieldFeature.FIELD_MATCH
                            || asked == FieldFeature.ATTRIBUTE_MATCH ->
                    searchedFields(matcher);
            case RankFeature.Native(var asked, _)
                    when asked != NativeFeature.ATTRIBUTE_MATCH
                            && asked != NativeFeature.DOT_PRODUCT ->
                    searchedFields(matcher);
            case RankFeature.OfTerm(_, var output)
                    when output == RankFeature.TermOutput.SIGNIFICANCE ->
                    searchedFields(matcher);
            case RankFeature.DocumentCount() -> searchedFields(matcher);
            case RankFeature.OfField _, RankFeature.Native _, RankFeature.OfTerm _ -> List.of();
        };
    }

    private static Set<String> searchedFields(Matcher matcher) {
        var searched = new LinkedHashSet<String>();
        for (int term = 0; term < matcher.termCount(); term++) {
            searched.addAll(matcher.termFields(term));
        }
        return searched;
    }
}
