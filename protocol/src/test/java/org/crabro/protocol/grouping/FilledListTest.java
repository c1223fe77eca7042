package org.crabro.protocol.grouping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.crabro.protocol.grouping.GroupExpression.FieldOf;
import org.crabro.protocol.grouping.GroupExpression.Whole;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FilledListTest {
    private static final ZoneId UTC = ZoneId.of("UTC");
    private static final GroupExpression FIELD = FieldOf.of("a");
    private static final GroupExpression TENS = width(new Whole(10));
    private static final GroupExpression DAYS =
            new GroupExpression.Call(
                    GroupFunction.TIME_BUCKET, List.of(FIELD, new GroupExpression.Text("1d")));

    @Test
    void addsWhatLiesBetween() {
        assertThat(filled(FIELD, fill(), whole(3), whole(6)))
                .containsExactly(whole(3), whole(6), whole(4), whole(5));
        assertThat(filled(TENS, fill(0, 21), range(30)))
                .containsExactly(range(30), range(0), range(10), range(20));
        assertThat(filled(TENS, fill(), range(Long.MAX_VALUE - 17), range(Long.MAX_VALUE - 7)))
                .hasSize(2);
    }

    /** In mode index, a missing number is the smallest of its type. */
    @Test
    void fillsNoGapAfterMissingValues() {
        assertThat(filled(FIELD, fill(), whole(5), whole(Integer.MIN_VALUE), whole(3)))
                .containsExactly(whole(5), whole(Integer.MIN_VALUE), whole(3), whole(4));
        assertThat(filled(FIELD, fill(), whole(Long.MIN_VALUE)))
                .containsExactly(whole(Long.MIN_VALUE));
        assertThat(filled(FIELD, fill(0, 2), whole(Long.MIN_VALUE)))
                .containsExactly(whole(Long.MIN_VALUE), whole(0), whole(1));
    }

    static Stream<Arguments> groupsThatDoNotRise() {
        var far = new GroupValue.Real(1e30);
        return Stream.of(
                // Of numbers as large as these the next is more than a width away.
                Arguments.of(width(new Whole(1)), fill(), List.of(real(1e17), real(2e17))),
                Arguments.of(
                        width(new GroupExpression.Real(0.25)),
                        fill(new GroupValue.Real(1e17), new GroupValue.Real(2e17)),
                        List.of(real(1))),
                Arguments.of(
                        width(new GroupExpression.Real(0.25)),
                        fill(new GroupValue.Real(Double.NEGATIVE_INFINITY), far),
                        List.of(real(1))),
                // There is no group after the largest long.
                Arguments.of(
                        TENS,
                        fill(new GroupValue.Whole(Long.MAX_VALUE - 20), far),
                        List.of(range(10))),
                Arguments.of(
                        FIELD,
                        fill(new GroupValue.Whole(Long.MAX_VALUE - 20), far),
                        List.of(whole(1))),
                Arguments.of(
                        DAYS,
                        fill(new GroupValue.Whole(Long.MAX_VALUE - 20), far),
                        List.of(whole(86_400))));
    }

    @ParameterizedTest
    @MethodSource("groupsThatDoNotRise")
    void refusesGroupsThatDoNotRise(GroupExpression by, GroupFill fill, List<GroupId> groups) {
        assertThatThrownBy(() -> filled(by, fill, groups.toArray(new GroupId[0])))
                .isInstanceOf(GroupingException.class)
                .hasMessageStartingWith(fill.text() + ": the next group by " + by.text());
    }

    @Test
    void refusesTooManyGroups() {
        assertThatThrownBy(() -> filled(FIELD, fill(), whole(0), whole(Long.MAX_VALUE)))
                .isInstanceOf(GroupingException.class)
                .hasMessageStartingWith("fill() makes more than 100000 groups by a");
    }

    private static List<GroupId> filled(GroupExpression by, GroupFill fill, GroupId... present) {
        var plan =
                new ListPlan(
                        new ListLabel("", 2),
                        by,
                        Optional.empty(),
                        new ListedGroups(true, 10, true, List.of(), List.of(), Optional.of(fill)),
                        List.of(),
                        GroupPlan.NOTHING);
        List<Group<String>> groups =
                Stream.of(present)
                        .map(id -> new Group<String>(id, 1, List.of(), List.of(), List.of()))
                        .toList();
        return FilledList.of(groups, plan, fill, UTC).stream().map(Group::id).toList();
    }

    private static GroupExpression width(GroupExpression width) {
        return new GroupExpression.Call(GroupFunction.FIXED_WIDTH, List.of(FIELD, width));
    }

    private static GroupFill fill() {
        return new GroupFill(Optional.empty());
    }

    private static GroupFill fill(long from, long to) {
        return fill(new GroupValue.Whole(from), new GroupValue.Whole(to));
    }

    private static GroupFill fill(GroupValue from, GroupValue to) {
        return new GroupFill(Optional.of(new GroupFill.Bounds(from, to)));
    }

    private static GroupId whole(long value) {
        return new GroupId.Value(new GroupValue.Whole(value));
    }

    private static GroupId range(long number) {
        return new GroupSteps.Ranges(10).at(new GroupValue.Whole(number));
    }

    private static GroupId real(double number) {
        return new GroupSteps.RealRanges(1).at(new GroupValue.Real(number));
    }
}
