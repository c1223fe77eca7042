package org.crabro.content.search.rank;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathDistanceTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    (1,2,3,4)           | [1.0, 2.0, 3.0, 4.0]
                    ( -1.5 , 2, 3, 4e1) | [-1.5, 2.0, 3.0, 40.0]
                    (1,2,3,4,5,6)       | [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
                    """)
    void readsPaths(String written, String path) {
        assertThat(PathDistance.path(written)).hasToString(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "(",
                ")",
                "()",
                "1",
                "1,2,3,4",
                "(1,2)",
                "(1,2,3)",
                "(1,2,3,4",
                "(1,2,x,4)"
            })
    void anUnreadablePathHasNoPoints(String written) {
        assertThat(PathDistance.path(written)).isEmpty();
    }
}
