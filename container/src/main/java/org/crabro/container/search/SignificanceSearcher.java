package org.crabro.container.search;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.crabro.container.query.ErrorCode;
import org.crabro.container.query.IllegalQueryException;
import org.crabro.container.query.SearchQuery;
import org.crabro.container.query.Target;
import org.crabro.ranking.significance.SignificanceModels;

/**
 * Adds the document frequencies of words to a query, from the significance models of the
 * application, if the rank profile or the request asks for it. A frequency in the query itself
 * overrides them.
 */
final class SignificanceSearcher implements SearchStep {
    private final SignificanceModels models;

    SignificanceSearcher(SignificanceModels models) {
        this.models = models;
    }

    @Override
    public SearchResult search(SearchQuery query, Execution next) {
        List<Target> asking = asking(query.targets());
        if (asking.isEmpty()) {
            return next.search(query);
        }
        if (asking.size() < query.targets().size()) {
            throw new IllegalQueryException(
                    ErrorCode.ILLEGAL_QUERY,
                    "rank profiles use a significance model in %s and none in %s: set ranking.significance.useModel, or restrict the query"
                            .formatted(
                                    names(asking.stream()),
                                    names(
                                            query.targets().stream()
                                                    .filter(each -> !asking.contains(each)))));
        }
        var words = new SignificantWords(models, query.targets());
        SearchQuery told = query.withTree(words.in(query.condition().tree()));
        return next.search(query.output().traceLevel() == 0 ? told : told.tracing(words.trace()));
    }

    private static List<Target> asking(List<Target> targets) {
        var asking = new ArrayList<Target>();
        for (Target target : targets) {
            if (target.ranking().profile().settings().usesModel()) {
                asking.add(target);
            }
        }
        return asking;
    }

    private static List<String> names(Stream<Target> targets) {
        return targets.map(target -> target.schema().name()).sorted().toList();
    }
}
