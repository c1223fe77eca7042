package org.crabro.container.visit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.services.ContentCluster;
import org.crabro.container.document.DocumentTexts;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.document.DocumentId;
import org.crabro.document.select.Selection;
import org.crabro.protocol.visit.PageLimits;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitReply.Contents;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.visit.VisitScope;
import org.crabro.protocol.visit.VisitSlice;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpStatus;

/** Reads a document by a visit that selects its id. */
public final class PageTexts implements DocumentTexts {
    private final ApplicationModel model;
    private final VisitedTypes types;
    private final Function<String, VisitReads> reads;

    /**
     * @param reads returns the reads of a content cluster
     */
    public PageTexts(ApplicationModel model, Function<String, VisitReads> reads) {
        this.model = model;
        this.types = new VisitedTypes(model);
        this.reads = reads;
    }

    @Override
    public boolean read(
            Principal principal,
            Deadline deadline,
            Wanted wanted,
            VisitForm.Json form,
            Consumer<ByteBuffer> text) {
        for (ContentCluster cluster : model.services().contents()) {
            boolean isAsked =
                    wanted.cluster()
                            .map(cluster.id()::equals)
                            .orElseGet(() -> keeps(cluster, wanted));
            if (isAsked && visit(cluster, principal, deadline, wanted, form, text)) {
                return true;
            }
        }
        return false;
    }

    private static boolean keeps(ContentCluster cluster, Wanted wanted) {
        String type = wanted.id().documentType();
        return cluster.documents().stream().anyMatch(each -> each.type().equals(type));
    }

    private boolean visit(
            ContentCluster cluster,
            Principal principal,
            Deadline deadline,
            Wanted wanted,
            VisitForm.Json form,
            Consumer<ByteBuffer> text) {
        Selection selection = Selection.parse(selection(wanted.id()), types.selectable(cluster));
        VisitReads pages = reads.apply(cluster.id());
        VisitPlan plan = VisitPlan.of(selection.places(), pages.partitions(), pages.parts());
        var walk =
                new VisitWalk(
                        new Continuation(plan, VisitSlice.ALL, 0, List.of()),
                        (partition, after, documentsMax) ->
                                pages.read(
                                        principal,
                                        deadline,
                                        selection.places(),
                                        header ->
                                                new VisitRequest(
                                                        header,
                                                        VisitScope.ofAll(
                                                                partition,
                                                                selection.toString(),
                                                                after),
                                                        Map.of(
                                                                wanted.id().documentType(),
                                                                wanted.fields()),
                                                        false,
                                                        form,
                                                        new PageLimits(documentsMax, 1))),
                        deadline,
                        1,
                        1,
                        1);
        var hasLine = new AtomicBoolean();
        VisitWalk.End end;
        try {
            end =
                    walk.run(page -> {
                        if (page.count() > 0
                                && page.contents() instanceof Contents.Json(ByteBuffer json)) {
                            hasLine.set(true);
                            text.accept(json);
                        }
                    });
        } catch (IOException e) {
            throw new UncheckedIOException("the read of a document was interrupted", e);
        }
        switch (end) {
            case VisitWalk.End.Complete(), VisitWalk.End.Enough() -> {}
            case VisitWalk.End.TimedOut() ->
                    throw new InvalidRequestException(
                            HttpStatus.GATEWAY_TIMEOUT_504,
                            "the timeout was reached before the document was read");
            case VisitWalk.End.Broken(int status, String message) ->
                    throw new InvalidRequestException(status, message);
        }
        return hasLine.get();
    }

    private static String selection(DocumentId id) {
        return "id == \"" + id.toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
