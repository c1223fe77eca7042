package org.crabro.container.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.crabro.container.dispatch.SearchDispatch.Outcome;
import org.crabro.document.DocumentId;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.RankedQuery;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchReport;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SearchScope;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.junit.jupiter.api.Test;

class SearchDispatchTest {
    private static final Principal ANNA =
            new Principal("anna", new Principal.Groups.Only(Set.of("anna", "family")));
    private static final SearchReply FOUND =
            new SearchReply.Found(List.of(), 0, List.of(), SearchReport.NONE);

    private final List<SearchRequest> asked = new ArrayList<>();
    private final SearchDispatch dispatch =
            new SearchDispatch(
                    request -> {
                        asked.add(request);
                        return FOUND;
                    },
                    () -> new ClusterView(new Partitions(3), 42));

    @Test
    void asksForTheOnePartitionOfAGroupOrANumber() {
        assertThat(search(Principal.EVERYONE, new Scope.Group("anna")))
                .isEqualTo(new Outcome.Answered(FOUND));
        search(Principal.EVERYONE, new Scope.Numbered(0x1234_5675L));

        int location = (int) DocumentId.parse("id:n:t:g=anna:1").location() & 7;
        assertThat(asked)
                .extracting(request -> request.scope().partitions())
                .containsExactly(List.of(location), List.of(5));
        assertThat(asked.getFirst().header().stateVersion()).isEqualTo(42);
        assertThat(asked.getFirst().header().principal()).isEqualTo(Principal.EVERYONE);
    }

    @Test
    void asksForAllPartitionsOfEverything() {
        search(Principal.EVERYONE, new Scope.Everything());

        assertThat(asked.getFirst().scope().partitions())
                .isEqualTo(IntStream.range(0, 8).boxed().toList());
    }

    @Test
    void asksNobodyForWhatThePrincipalMayNotTouch() {
        assertThat(search(ANNA, new Scope.Group("berta")))
                .isEqualTo(new Outcome.Forbidden("'anna' may not touch group 'berta'"));
        assertThat(search(ANNA, new Scope.Everything()))
                .isEqualTo(new Outcome.Forbidden("'anna' may not touch all groups at once"));
        assertThat(search(ANNA, new Scope.Numbered(-1)))
                .isEqualTo(
                        new Outcome.Forbidden(
                                "'anna' may not touch documents of number 18446744073709551615"));
        assertThat(asked).isEmpty();

        assertThat(search(ANNA, new Scope.Group("family"))).isEqualTo(new Outcome.Answered(FOUND));
        assertThat(asked).hasSize(1);
    }

    @Test
    void asksNobodyWhenTimeIsUp() {
        var passed = new Deadline(System.nanoTime() - 1);

        assertThat(
                        dispatch.search(
                                Principal.EVERYONE,
                                passed,
                                "store",
                                new Scope.Everything(),
                                this::request))
                .isEqualTo(new Outcome.Answered(new SearchReply.TimedOut()));
        assertThat(asked).isEmpty();
    }

    private Outcome search(Principal principal, Scope scope) {
        return dispatch.search(
                principal, Deadline.after(Duration.ofHours(1)), "store", scope, this::request);
    }

    private SearchRequest request(RequestHeader header, List<Integer> partitions) {
        return new SearchRequest(
                header,
                new SearchScope(partitions, "t", new Scope.Everything(), List.of()),
                new RankedQuery(
                        new QueryNode.All(),
                        new RankSettings("default", Map.of(), RankSettings.Statistics.GROUP, 0)),
                new HitSettings(10, List.of(), SummarySettings.DEFAULT),
                GroupingSettings.NONE,
                new ReplySettings(true, 0));
    }
}
