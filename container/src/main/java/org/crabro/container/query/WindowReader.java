package org.crabro.container.query;

import java.util.List;
import java.util.Optional;
import org.crabro.container.yql.YqlQuery;
import org.crabro.protocol.search.SortKey;

/** Reads which of the matching documents a request returns: count, offset, and position. */
final class WindowReader {
    /** The number of hits of a request that sets none. */
    static final int DEFAULT_HITS = 10;

    private final Parameters parameters;
    private final SearchSettings settings;

    WindowReader(Parameters parameters, SearchSettings settings) {
        this.parameters = parameters;
        this.settings = settings;
    }

    /** Returns the number of hits; the statement overrides the parameter. */
    int count(YqlQuery.Window window) {
        int asked = parameters.count(Parameter.HITS).orElse(DEFAULT_HITS);
        if (window.hits().isEmpty()) {
            checkWindow("hits", asked, settings.query().maxHits(), ErrorCode.ILLEGAL_QUERY);
        } else {
            asked = window.hits().getAsInt();
            checkWindow("hits", asked, settings.query().maxHits(), ErrorCode.INVALID_PARAMETER);
        }
        return parameters.truth(Parameter.HIT_COUNT_ESTIMATE, false) ? 0 : asked;
    }

    /** Returns the number of hits to skip; the statement overrides the parameter. */
    int offset(YqlQuery.Window window) {
        int asked = parameters.count(Parameter.OFFSET).orElse(0);
        if (window.offset().isEmpty() && window.limit().isEmpty()) {
            checkWindow("offset", asked, settings.query().maxOffset(), ErrorCode.ILLEGAL_QUERY);
            return asked;
        }
        asked = window.offset().orElse(0);
        checkWindow("offset", asked, settings.query().maxOffset(), ErrorCode.INVALID_PARAMETER);
        return asked;
    }

    /**
     * Returns where the page begins.
     *
     * @throws IllegalQueryException if {@code after} cannot be combined with the rest of the query
     */
    HitSelection.Page page(List<SortKey> sorting, List<Target> targets, int offset) {
        Optional<String> after = parameters.text(Parameter.AFTER);
        if (after.isEmpty()) {
            return HitSelection.Page.COUNTED;
        }
        if (offset > 0) {
            throw illegal("'after' and 'offset' cannot be combined");
        }
        if (!parameters.list(Parameter.COLLAPSE_FIELD).isEmpty()) {
            throw illegal("'after' and 'collapsefield' cannot be combined: page by 'offset'");
        }
        boolean isRankedAgain =
                sorting.isEmpty()
                        && targets.stream()
                                .anyMatch(target ->
                                        target.ranking().global().isPresent()
                                                || target.ranking()
                                                        .settings()
                                                        .limits()
                                                        .rerankCount()
                                                        .isPresent());
        if (isRankedAgain) {
            throw illegal("'after': hits that are ranked again are paged by 'offset'");
        }
        return new HitSelection.Page(
                true,
                after.filter(text -> !text.isBlank())
                        .map(text -> Cursor.parse(text.strip(), sorting)));
    }

    private static void checkWindow(String name, int asked, int max, ErrorCode code) {
        if (asked > max) {
            throw new IllegalQueryException(
                    code, "requested %s: %d, max allowed: %d".formatted(name, asked, max));
        }
    }

    private static IllegalQueryException illegal(String problem) {
        return new IllegalQueryException(ErrorCode.ILLEGAL_QUERY, problem);
    }
}
