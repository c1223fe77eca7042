package org.crabro.container.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.crabro.protocol.grouping.GroupPage;
import org.junit.jupiter.api.Test;

class GroupingContinuationTest {
    @Test
    void isWrittenAsClientsKnowIt() {
        assertThat(GroupingContinuation.text(page(2, 2, 0, 0, 0), true)).isEqualTo("BGAAABEBEBC");
        assertThat(GroupingContinuation.text(page(4, 2, 0, 0, 1), true)).isEqualTo("BGAABCBIBEBC");
        assertThat(GroupingContinuation.text(page(3, 2, 0, 0, 0, 0, 0), true))
                .isEqualTo("BKAAAAABGBEBC");
        assertThat(GroupingContinuation.text(page(-1, 128), false)).isEqualTo("ABBDBAAA");
    }

    @Test
    void readsBackWhatItWrote() {
        GroupPage first = page(2, 10, 0, 0, 0);
        GroupPage second = page(7, 300, 1, 0, 2, 5, 0);

        assertThat(
                        GroupingContinuation.pages(
                                List.of(
                                        GroupingContinuation.text(first, false)
                                                + GroupingContinuation.text(second, false))))
                .containsExactly(first, second);
    }

    @Test
    void aListThatMovesLetsTheListsInItBeginAnew() {
        GroupPage inner = page(3, 2, 0, 0, 0, 4, 0);
        GroupPage other = page(9, 2, 0, 0, 1);
        GroupPage moved = page(2, 20, 0, 0, 0);

        assertThat(
                        GroupingContinuation.pages(
                                List.of(
                                        GroupingContinuation.text(page(2, 10, 0, 0, 0), false)
                                                + GroupingContinuation.text(inner, false)
                                                + GroupingContinuation.text(other, false),
                                        GroupingContinuation.text(moved, true))))
                .containsExactly(other, moved);
    }

    @Test
    void refusesWhatIsNone() {
        for (String text : List.of("x", "B", "BGAA", "P", "KPPPPPPPPPP")) {
            assertThatExceptionOfType(IllegalQueryException.class)
                    .isThrownBy(() -> GroupingContinuation.pages(List.of(text)))
                    .withMessage("'" + text + "' is no continuation of a result");
        }
    }

    private static GroupPage page(int tag, int offset, Integer... path) {
        return new GroupPage(List.of(path), tag, offset);
    }
}
