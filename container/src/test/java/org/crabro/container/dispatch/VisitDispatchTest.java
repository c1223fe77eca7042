package org.crabro.container.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.container.visit.PageReply;
import org.crabro.document.json.TensorFormat;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.visit.PageLimits;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.visit.VisitScope;
import org.crabro.protocol.visit.VisitSlice;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VisitDispatchTest {
    private static final Principal ANNA =
            new Principal("anna", new Principal.Groups.Only(Set.of("anna")));
    private static final VisitReply.Page PAGE =
            new VisitReply.Page(
                    new VisitReply.Contents.Json(ByteBuffer.allocate(0)), 0, Optional.empty(), 1);

    private final List<VisitRequest> sent = new ArrayList<>();
    private final VisitDispatch dispatch =
            new VisitDispatch(
                    request -> {
                        sent.add(request);
                        return PAGE;
                    },
                    () -> new ClusterView(new Partitions(4), 7));

    private PageReply read(Principal principal, Deadline deadline, String selection) {
        return dispatch.read(
                principal,
                deadline,
                Selection.parse(selection, SelectionTypes.of(List.of())).places(),
                header ->
                        new VisitRequest(
                                header,
                                new VisitScope(
                                        3,
                                        selection,
                                        VisitSlice.ALL,
                                        Optional.empty(),
                                        0,
                                        Long.MAX_VALUE),
                                Map.of(),
                                false,
                                new VisitForm.Json(VisitForm.Style.LIST, TensorFormat.SHORT, false),
                                new PageLimits(1, 1)));
    }

    @Test
    void sendsPrincipalAndClusterState() {
        Deadline deadline = Deadline.after(Duration.ofSeconds(9));

        PageReply reply = read(Principal.EVERYONE, deadline, "true");

        assertThat(reply).isEqualTo(new PageReply.Answered(PAGE));
        assertThat(sent.getFirst().header().principal()).isEqualTo(Principal.EVERYONE);
        assertThat(sent.getFirst().header().stateVersion()).isEqualTo(7);
        assertThat(sent.getFirst().header().deadline()).isEqualTo(deadline);
    }

    /** Partition 3 of the second part is number 19 of the cluster. */
    @Test
    void visitsTheTypesOfEachPartOfACluster() {
        var first = new ArrayList<VisitRequest>();
        var parts =
                new VisitDispatch(
                        List.of(
                                new VisitDispatch.Part(
                                        request -> {
                                            first.add(request);
                                            return PAGE;
                                        },
                                        "music"::equals),
                                new VisitDispatch.Part(
                                        request -> {
                                            sent.add(request);
                                            return PAGE;
                                        },
                                        "books"::equals)),
                        () -> new ClusterView(new Partitions(4), 7));
        for (int partition : List.of(3, 19)) {
            parts.read(
                    Principal.EVERYONE,
                    Deadline.after(Duration.ofSeconds(9)),
                    Selection.parse("", SelectionTypes.of(List.of())).places(),
                    header ->
                            new VisitRequest(
                                    header,
                                    new VisitScope(
                                            partition,
                                            "",
                                            VisitSlice.ALL,
                                            Optional.empty(),
                                            0,
                                            Long.MAX_VALUE),
                                    Map.of("music", List.of("a"), "books", List.of("b")),
                                    false,
                                    new VisitForm.Ids(),
                                    new PageLimits(1, 1)));
        }

        assertThat(parts.parts()).isEqualTo(2);
        assertThat(first).hasSize(1);
        assertThat(first.getFirst().scope().partition()).isEqualTo(3);
        assertThat(first.getFirst().fields()).isEqualTo(Map.of("music", List.of("a")));
        assertThat(sent).hasSize(1);
        assertThat(sent.getFirst().scope().partition()).isEqualTo(3);
        assertThat(sent.getFirst().fields()).isEqualTo(Map.of("books", List.of("b")));
    }

    @Test
    void asksNobodyWhenTimeIsUp() {
        assertThat(read(Principal.EVERYONE, Deadline.after(Duration.ZERO), "true"))
                .isEqualTo(new PageReply.Answered(new VisitReply.TimedOut()));
        assertThat(sent).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    true                                                | false
                    id.group == 'anna'                                  | true
                    id.group == 'anna' and id.namespace == 'x'          | true
                    id.group == 'anna' or id.group == 'bert'            | false
                    id == 'id:ns:music:g=anna:1' or id.group == 'anna'  | true
                    id == 'id:ns:music::1'                              | false
                    id.user == 1                                        | false
                    id.bucket == 0                                      | false
                    id.group == 'anna' and id.group == 'bert'           | true
                    not id.group == 'bert'                              | false
                    """)
    void letsPrincipalsVisitTheirGroupsAlone(String selection, boolean isAllowed) {
        PageReply reply = read(ANNA, Deadline.after(Duration.ofSeconds(9)), selection);

        assertThat(reply instanceof PageReply.Answered).isEqualTo(isAllowed);
        assertThat(sent).hasSize(isAllowed ? 1 : 0);
    }
}
