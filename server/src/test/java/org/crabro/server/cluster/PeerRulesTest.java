package org.crabro.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.crabro.server.cluster.PeerHello.Founding;
import org.crabro.server.cluster.PeerHello.Member;
import org.crabro.server.cluster.PeerRules.Step;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeerRulesTest {
    private static final List<String> THREE = List.of("h1", "h2", "h3");
    private static final Founding FOUNDING =
            new Founding("c", List.of(member("h1"), member("h2"), member("h3")));

    private static Member member(String host) {
        return new Member(host, host + "-1", host + ":1", host + ":2");
    }

    private static PeerHello knowing(String host) {
        return new PeerHello(member(host), THREE, "c", Optional.of(FOUNDING), false);
    }

    private static PeerHello empty(String host, String peer, String cluster) {
        return new PeerHello(
                new Member(host, peer, host + ":1", host + ":2"),
                THREE,
                cluster,
                Optional.empty(),
                false);
    }

    private static PeerHello.Answer answer(PeerHello own, boolean isLeading) {
        return new PeerHello.Answer("", own, isLeading);
    }

    private static List<PeerHello.Answer> answers(PeerHello... hellos) {
        return Arrays.stream(hellos).map(each -> answer(each, false)).toList();
    }

    @Test
    void theFirstServerBeginsTheGroupWhenAllAnswer() {
        List<PeerHello.Answer> others = answers(empty("h2", "h2-1", ""), empty("h3", "h3-1", ""));

        assertThat(PeerRules.next(empty("h1", "h1-1", ""), others, true))
                .isEqualTo(new Step.Begin(FOUNDING.members()));
        assertThat(PeerRules.next(empty("h1", "h1-1", ""), others.subList(0, 1), false))
                .isEqualTo(new Step.Wait());
        assertThat(
                        PeerRules.next(
                                empty("h2", "h2-1", ""),
                                answers(empty("h1", "h1-1", ""), empty("h3", "h3-1", "")),
                                true))
                .as("not the first")
                .isEqualTo(new Step.Wait());
    }

    @Test
    void aServerFollowsTheGroupThatBeganWithIt() {
        assertThat(PeerRules.next(empty("h2", "h2-1", ""), answers(knowing("h1")), false))
                .isEqualTo(new Step.Follow(FOUNDING));
    }

    @Test
    void aNewDirectoryAsksTheLeaderToJoin() {
        PeerHello own = empty("h1", "h1-9", "");

        assertThat(PeerRules.next(own, answers(knowing("h2"), knowing("h3")), true))
                .as("no leader")
                .isEqualTo(new Step.Wait());
        assertThat(
                        PeerRules.next(
                                own,
                                List.of(answer(knowing("h2"), false), answer(knowing("h3"), true)),
                                true))
                .isEqualTo(new Step.Join(FOUNDING, "h3"));
    }

    /** It would have joined a group that one server made up, with a record of that server. */
    @Test
    void oneServerThatLiesLeadsNobodyIntoAGroup() {
        var false1 = new Founding("x", List.of(member("h2"), member("h3")));
        var liar = new PeerHello(member("h3"), THREE, "x", Optional.of(false1), false);

        for (PeerHello own :
                List.of(
                        empty("h2", "h2-1", ""),
                        empty("h2", "h2-9", ""),
                        empty("h2", "h2-1", "c"))) {
            assertThat(
                            PeerRules.next(
                                    own,
                                    List.of(
                                            answer(liar, true),
                                            answer(empty("h1", "h1-1", ""), false)),
                                    true))
                    .isEqualTo(new Step.Wait());
            assertThat(
                            PeerRules.next(
                                    own,
                                    List.of(answer(liar, true), answer(knowing("h1"), false)),
                                    true))
                    .isIn(new Step.Wait(), new Step.Follow(FOUNDING));
        }
    }

    @Test
    void aMemberStopsWhenAllOthersRefuseIt() {
        var refusing = new PeerHello.Answer("no", knowing("h3"), false);
        PeerHello.Answer other = answer(knowing("h1"), true);

        assertThat(PeerRules.stop(true, List.of(refusing, other))).as("one may lie").isEmpty();
        assertThat(PeerRules.stop(true, List.of(refusing))).isEmpty();
        assertThat(PeerRules.stop(true, List.of(refusing, refusing))).hasValue("no");
        assertThat(PeerRules.stop(false, List.of(refusing, other))).hasValue("no");
        assertThat(PeerRules.stop(false, List.of(other))).isEmpty();
    }

    @Test
    void aDirectoryOfAnotherClusterStops() {
        assertThat(PeerRules.next(empty("h2", "h2-1", "x"), answers(knowing("h1")), false))
                .isEqualTo(
                        new Step.Stop(
                                "the data directory of host 'h2' belongs to cluster x, but this is cluster c"));
        assertThat(
                        PeerRules.next(
                                empty("h1", "h1-1", "x"),
                                answers(empty("h2", "h2-1", ""), empty("h3", "h3-1", "")),
                                true))
                .isEqualTo(
                        new Step.Stop(
                                "the data directory of host 'h1' belongs to cluster x, but its config servers have no data"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "h2|h2-1|h1,h2,h3|c|",
                "h4|h4-1|h1,h2,h4|c|host 'h4' is no config server of this cluster, which has h1, h2, h3",
                "h2|h2-1|h1,h2,h4|c|host 'h2' was started with the config servers h1,h2,h4, but host 'h1' with h1,h2,h3",
                "h2|h2-1|h1,h2,h3|x|the data directory of host 'h2' belongs to cluster x, but this is cluster c",
                "h2|h2-9|h1,h2,h3|c|another data directory has taken the place of this one of host 'h2'"
            })
    void refusesStrangers(String host, String peer, String servers, String cluster, String reason) {
        var other =
                new PeerHello(
                        new Member(host, peer, "a:1", "a:2"),
                        List.of(servers.split(",")),
                        cluster,
                        Optional.of(new Founding(cluster, List.of())),
                        false);

        assertThat(PeerRules.refusal(knowing("h1"), other, List.of("h1-1", "h2-1", "h3-1")))
                .isEqualTo(Optional.ofNullable(reason));
    }

    @Test
    void letsANewDirectoryJoin() {
        var joining =
                new PeerHello(
                        new Member("h2", "h2-9", "a:1", "a:2"),
                        THREE,
                        "c",
                        Optional.of(FOUNDING),
                        true);

        assertThat(PeerRules.refusal(knowing("h1"), joining, List.of("h1-1", "h2-1", "h3-1")))
                .isEmpty();
    }
}
