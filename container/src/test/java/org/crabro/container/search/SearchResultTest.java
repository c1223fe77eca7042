package org.crabro.container.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.crabro.container.query.ErrorCode;
import org.crabro.container.query.Presentation;
import org.crabro.container.query.QueryOutput;
import org.crabro.container.query.ResultError;
import org.crabro.document.DocumentId;
import org.crabro.protocol.search.QueryCost;
import org.crabro.protocol.search.SearchHit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SearchResultTest {
    private static final ResultHit HIT =
            new ResultHit(
                    new SearchHit(
                            DocumentId.parse("id:n:t::1"),
                            1,
                            new ArrayList<>(),
                            Map.of(),
                            Map.of()),
                    "c",
                    "t",
                    true,
                    true);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    0 |                              | 200 | 200
                    1 |                              | 200 | 200
                    1 | TIMED_OUT                    | 200 | 504
                    1 | TIMED_OUT FORBIDDEN          | 403 | 504
                    1 | SEARCH_REPLY UNSPECIFIED     | 200 | 500
                    1 | SEARCH_WARNING               | 200 | 200
                    0 | TIMED_OUT FORBIDDEN          | 504 | 504
                    0 | SEARCH_REPLY TIMED_OUT       | 504 | 504
                    0 | SEARCH_REPLY                 | 500 | 500
                    0 | SEARCH_WARNING               | 200 | 200
                    0 | SEARCH_WARNING TIMED_OUT     | 504 | 504
                    0 | UNSPECIFIED                  | 500 | 500
                    0 | ILLEGAL_QUERY                | 400 | 400
                    0 | NO_BACKENDS                  | 503 | 503
                    0 | CONTENT_TOO_LARGE            | 413 | 413
                    """)
    void hitsMakeAnAnswerUnlessAnErrorForbidsItOrAProgramMeasures(
            int hits, String codes, int status, int measured) {
        List<ResultError> errors =
                codes == null
                        ? List.of()
                        : Stream.of(codes.split(" "))
                                .map(code -> new ResultError(ErrorCode.valueOf(code), "", ""))
                                .toList();
        var result =
                new SearchResult(
                        new ResultPage(
                                hits == 0 ? List.of() : List.of(HIT), hits, Optional.empty()),
                        List.of(),
                        Optional.empty(),
                        QueryCost.NONE,
                        errors,
                        QueryOutput.of(Presentation.DEFAULT));

        assertThat(result.status()).isEqualTo(status);
        assertThat(result.strictStatus()).isEqualTo(measured);
    }
}
