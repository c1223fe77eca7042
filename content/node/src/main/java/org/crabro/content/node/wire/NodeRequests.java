package org.crabro.content.node.wire;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.crabro.content.node.ContentService;
import org.crabro.protocol.encoding.MessageEncoding;
import org.crabro.protocol.encoding.OlderWrites;
import org.crabro.protocol.encoding.WireFormatException;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.feed.WriteRequest;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.transport.NodeMethod;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.wire.CancellationToken;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.RequestHeader;

/** Executes encoded requests, and encodes the replies of the node. */
final class NodeRequests {
    private final ContentService node;

    NodeRequests(ContentService node) {
        this.node = node;
    }

    /**
     * The circumstances of a request that its message does not contain.
     *
     * @param nanoTime when the request began to arrive, on the scale of {@link System#nanoTime()}:
     *     the time of the deadline that is left in the message starts here
     * @param client see {@link RequestHeader}; empty for the principal
     * @param cancellation whether the sender has given up
     */
    record Arrival(long nanoTime, Optional<String> client, CancellationToken cancellation) {
        RequestHeader header(RequestHeader sent) {
            return sent.with(new Deadline(sent.deadline().nanos(), cancellation))
                    .withClient(client.orElse(sent.client()));
        }
    }

    /** Thrown if a reply cannot be encoded. */
    static final class UnencodableException extends Exception {
        private static final long serialVersionUID = 1;

        UnencodableException(IllegalArgumentException cause) {
            super("the reply cannot be sent: " + cause.getMessage(), cause);
        }
    }

    /**
     * Executes a request and returns its reply. A request whose deadline has passed is not
     * executed.
     *
     * @throws WireFormatException if {@code message} is no such request
     * @throws UnencodableException if there is a reply that cannot be encoded
     */
    byte[] answer(NodeMethod method, byte[] message, Arrival arrival) throws UnencodableException {
        long nanoTime = arrival.nanoTime();
        return switch (method) {
            case WRITE -> {
                WriteRequest request = MessageEncoding.writeRequest(message, nanoTime);
                yield encoded(() -> MessageEncoding.encode(write(request, arrival)));
            }
            case OLDER_FEED, OLDER_FEED_ROW, OLDER_FEED_BATCH, OLDER_REMOVE_GROUP -> {
                OlderWrites.Kind kind = method.older().orElseThrow();
                WriteRequest request = OlderWrites.request(kind, message, nanoTime);
                yield encoded(() -> OlderWrites.encode(kind, write(request, arrival)));
            }
            case GET -> get(MessageEncoding.getRequest(message, nanoTime), arrival);
            case SEARCH -> search(MessageEncoding.searchRequest(message, nanoTime), arrival);
            case VISIT -> visit(MessageEncoding.visitRequest(message, nanoTime), arrival);
        };
    }

    private List<WriteReply> write(WriteRequest sent, Arrival arrival) {
        WriteRequest request = sent.with(arrival.header(sent.header()));
        return request.header().deadline().hasPassed()
                ? Collections.nCopies(request.writes().size(), new WriteReply.TimedOut())
                : node.write(request);
    }

    private byte[] get(GetRequest sent, Arrival arrival) throws UnencodableException {
        GetRequest request = sent.with(arrival.header(sent.header()));
        if (request.header().deadline().hasPassed()) {
            return encoded(() -> MessageEncoding.encode(new GetReply.TimedOut()));
        }
        try (var hold = new ReadHold()) {
            GetReply reply = node.get(request, hold);
            return encoded(() -> MessageEncoding.encode(reply));
        }
    }

    private byte[] search(SearchRequest sent, Arrival arrival) throws UnencodableException {
        SearchRequest request = sent.with(arrival.header(sent.header()));
        SearchReply reply =
                request.header().deadline().hasPassed()
                        ? new SearchReply.TimedOut()
                        : node.search(request);
        return encoded(() -> MessageEncoding.encode(reply));
    }

    private byte[] visit(VisitRequest sent, Arrival arrival) throws UnencodableException {
        VisitRequest request = sent.with(arrival.header(sent.header()));
        VisitReply reply =
                request.header().deadline().hasPassed()
                        ? new VisitReply.TimedOut()
                        : node.visit(request);
        return encoded(() -> MessageEncoding.encode(reply));
    }

    private static byte[] encoded(Supplier<byte[]> encoding) throws UnencodableException {
        try {
            return encoding.get();
        } catch (IllegalArgumentException e) {
            throw new UnencodableException(e);
        }
    }
}
