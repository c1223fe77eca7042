package org.crabro.container.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdHashSetTest {
    private final Random random = new Random(Long.getLong("crabro.seed", 20_26));

    /** Around where the table grows, and far above. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 31, 32, 33, 127, 128, 129, 512, 513, 4_096})
    void holdsWhatWasAddedAndMeetsWhatHoldsTheSame(int count) {
        var firstModel = new HashSet<Integer>();
        var secondModel = new HashSet<Integer>();
        IdHashSet first = filled(firstModel, count);
        IdHashSet second = filled(secondModel, count / 3 + 1);

        for (int hash = -count; hash <= 20 * count; hash++) {
            if (hash != 0) {
                assertThat(first.contains(hash)).isEqualTo(firstModel.contains(hash));
            }
        }
        boolean haveCommon = !Collections.disjoint(firstModel, secondModel);
        assertThat(first.meets(second)).isEqualTo(haveCommon);
        assertThat(second.meets(first)).isEqualTo(haveCommon);
        assertThat(first.isEmpty()).isEqualTo(firstModel.isEmpty());
    }

    /** The last ones that were added are looked at like the first. */
    @ParameterizedTest
    @ValueSource(ints = {1, 32, 33, 128, 700})
    void meetsByTheOnlyHashInCommonWhereverItWasAdded(int count) {
        for (int common = 0; common < count; common++) {
            var one = new IdHashSet();
            var other = new IdHashSet();
            for (int i = 0; i < count; i++) {
                one.add(i == common ? -7 : 1 + i);
                other.add(i == count - 1 - common ? -7 : 10_000 + i);
            }
            assertThat(one.meets(other)).as("at %d", common).isTrue();
        }
    }

    @Test
    void holdsZeroAsAnyOther() {
        var hashes = new IdHashSet();
        hashes.add(0);
        hashes.add(0);
        var others = new IdHashSet();
        others.add(2);

        assertThat(hashes.contains(0)).isTrue();
        assertThat(hashes.meets(hashes)).isTrue();
        assertThat(hashes.meets(others)).isFalse();
    }

    /** Some are added more than once; 0 is the same as 1 here, and left out. */
    private IdHashSet filled(Set<Integer> model, int count) {
        var hashes = new IdHashSet();
        for (int i = 0; i < count; i++) {
            int hash = 1 + random.nextInt(20 * count);
            model.add(hash);
            hashes.add(hash);
            if (random.nextInt(4) == 0) {
                hashes.add(hash);
            }
        }
        return hashes;
    }
}
