package org.crabro.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.crabro.server.settings.SettingsTree.SettingNames;
import org.junit.jupiter.api.Test;

class SettingsTreeTest {
    public enum Color {
        RED,
        GREEN
    }

    /** Public, as the records of other packages are. */
    public record Leaf(int count, long maxBytes, double share, boolean isOn, Duration pause) {
        public Leaf {
            if (count > 10) {
                throw new IllegalArgumentException("count is " + count + ", must be at most 10");
            }
        }
    }

    public record Branch(Leaf leaf, String name) {}

    public record Names(List<String> names) {}

    public record Tree(Leaf plain, Branch branch, Color color, Leaf alone, Names names) {
        public Tree {
            if (plain.count() > branch.leaf().count() + 5) {
                throw new IllegalArgumentException("plain has the larger count");
            }
        }
    }

    private static final Leaf LEAF = new Leaf(1, 2048, 0.5, true, Duration.ofSeconds(90));
    private static final Tree TREE =
            new Tree(LEAF, new Branch(LEAF, "name"), Color.RED, LEAF, new Names(List.of("a", "b")));
    private final SettingsTree<Tree> tree =
            SettingsTree.of(
                    TREE,
                    new SettingNames(Set.of("branch.name", "alone"), Set.of("plain", "names")));

    @Test
    void namesEverySettingByItsPath() {
        assertThat(tree.settings().stream().map(each -> each.name() + "=" + each.text()).toList())
                .containsExactly(
                        "count=1",
                        "maxBytes=2KiB",
                        "share=0.5",
                        "isOn=true",
                        "pause=90s",
                        "branch.leaf.count=1",
                        "branch.leaf.maxBytes=2KiB",
                        "branch.leaf.share=0.5",
                        "branch.leaf.isOn=true",
                        "branch.leaf.pause=90s",
                        "color=red",
                        "names=a,b");
    }

    @Test
    void changesWhatIsAssignedAndNothingElse() {
        Tree changed =
                tree.with(
                        assignments(
                                "branch.leaf.maxBytes=3MiB",
                                "branch.leaf.share=80%",
                                "branch.leaf.isOn=false",
                                "branch.leaf.pause=2h",
                                "color=green",
                                "names=x, y,z"));

        assertThat(changed)
                .isEqualTo(
                        new Tree(
                                LEAF,
                                new Branch(
                                        new Leaf(1, 3 << 20, 0.8, false, Duration.ofHours(2)),
                                        "name"),
                                Color.GREEN,
                                LEAF,
                                new Names(List.of("x", "y", "z"))));
    }

    @Test
    void readsEveryValueAsItWritesIt() {
        List<Assignment> same =
                tree.settings().stream()
                        .map(each -> new Assignment(each.name(), each.text(), "here"))
                        .toList();

        assertThat(tree.with(same)).isEqualTo(TREE);
    }

    @Test
    void anEmptyListIsNone() {
        Tree changed = tree.with(assignments("names=none"));

        assertThat(changed.names().names()).isEmpty();
        assertThat(
                        SettingsTree.of(changed.names(), new SettingNames(Set.of(), Set.of()))
                                .settings())
                .containsExactly(new Setting("names", List.of(), "none"));
    }

    @Test
    void zeroNeedsNoUnit() {
        assertThat(tree.with(assignments("pause=0")).plain().pause()).isZero();
    }

    @Test
    void theLastAssignmentOfANameCounts() {
        assertThat(tree.with(assignments("count=2", "count=3")).plain().count()).isEqualTo(3);
    }

    @Test
    void listsAllProblemsWithTheirPlaces() {
        assertThatThrownBy(() ->
                        tree.with(
                                assignments(
                                        "branch.leaf.cuont=1",
                                        "branch.name=x",
                                        "zebra=1",
                                        "count=11",
                                        "pause=5",
                                        "branch.leaf.maxBytes=5MB",
                                        "branch.leaf.share=-1",
                                        "branch.leaf.count=3000000000",
                                        "branch.leaf.isOn=yes",
                                        "color=blue",
                                        "names=x,,y")))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessage(
                        """
                        line 1: there is no setting 'branch.leaf.cuont'; did you mean 'branch.leaf.count'?
                        line 2: there is no setting 'branch.name'
                        line 3: there is no setting 'zebra'
                        line 5: pause: expected a duration such as 500ms or 24h (units: ms, s, min, h, d), found '5'
                        line 4: count is 11, must be at most 10
                        line 8: branch.leaf.count: expected at most 2147483647, found '3000000000'
                        line 6: branch.leaf.maxBytes: expected a size such as 64MiB (units: B, KiB, MiB, GiB, TiB), found '5MB'
                        line 7: branch.leaf.share: expected a share such as 0.8 or 80%, found '-1'
                        line 9: branch.leaf.isOn: expected true or false, found 'yes'
                        line 10: color: expected one of red, green, found 'blue'
                        line 11: names: expected texts separated by commas, or none, found 'x,,y'\
                        """);
    }

    @Test
    void namesTheRecordThatRefusesAValue() {
        assertThatThrownBy(() -> tree.with(assignments("branch.leaf.count=11")))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessage("line 1: branch.leaf: count is 11, must be at most 10");
    }

    @Test
    void namesThePlaceOfAValueThatARecordAboveRefuses() {
        assertThatThrownBy(() -> tree.with(assignments("count=9")))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessage("line 1: plain has the larger count");
    }

    @Test
    void refusesAComponentThatCannotBeWrittenAsText() {
        var other = SettingsTree.of(TREE, new SettingNames(Set.of(), Set.of()));

        assertThatThrownBy(other::settings)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "branch.name has the type java.lang.String, which cannot be written as"
                                + " text: leave it out");
    }

    private static List<Assignment> assignments(String... texts) {
        String[] places = new String[texts.length];
        Arrays.setAll(places, i -> "line " + (i + 1));
        return IntStream.range(0, texts.length)
                .mapToObj(i -> {
                    String[] parts = texts[i].split("=", 2);
                    return new Assignment(parts[0], parts[1], places[i]);
                })
                .toList();
    }
}
