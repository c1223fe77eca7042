package org.crabro.container.wire;

import java.time.Duration;
import org.crabro.container.wire.CallOutcome.Failure;
import org.crabro.container.wire.CallOutcome.Lost;
import org.crabro.container.wire.CallOutcome.Refused;
import org.crabro.container.wire.CallOutcome.TimedOut;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.visit.VisitReply;

/**
 * The replies of calls that failed. Reads whose values never fit in the memory of the node end with
 * a {@link MemoryRefusedException}, as if the node were in this process.
 */
final class FailureReplies {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private FailureReplies() {}

    static WriteReply write(Failure failure) {
        return switch (failure) {
            case TimedOut() -> new WriteReply.TimedOut();
            case Lost(var reason, var wasSent) ->
                    wasSent
                            ? new WriteReply.OutcomeUnknown(reason)
                            : new WriteReply.Unavailable(reason);
            case Refused(var refusal, var reason) ->
                    switch (refusal) {
                        case WRONG_ENCODING, WRONG_NODE -> new WriteReply.Unavailable(reason);
                        case OVERLOADED -> new WriteReply.Overloaded(RETRY_AFTER);
                        case TOO_LARGE -> new WriteReply.TooLarge(reason);
                        case UNENCODABLE, MALFORMED, FAILED -> new WriteReply.Failed(reason);
                    };
        };
    }

    static GetReply get(Failure failure) {
        return switch (failure) {
            case TimedOut() -> new GetReply.TimedOut();
            case Lost(var reason, _) -> new GetReply.Unavailable(reason);
            case Refused(var refusal, var reason) ->
                    switch (refusal) {
                        case WRONG_ENCODING, WRONG_NODE -> new GetReply.Unavailable(reason);
                        case OVERLOADED -> new GetReply.Overloaded(RETRY_AFTER);
                        case TOO_LARGE -> throw MemoryRefusedException.ofNode(reason);
                        case UNENCODABLE, MALFORMED, FAILED -> new GetReply.Failed(reason);
                    };
        };
    }

    static SearchReply search(Failure failure) {
        return switch (failure) {
            case TimedOut() -> new SearchReply.TimedOut();
            case Lost(var reason, _) -> new SearchReply.Unavailable(reason);
            case Refused(var refusal, var reason) ->
                    switch (refusal) {
                        case WRONG_ENCODING, WRONG_NODE -> new SearchReply.Unavailable(reason);
                        case OVERLOADED -> new SearchReply.Overloaded(reason);
                        case TOO_LARGE -> throw MemoryRefusedException.ofNode(reason);
                        case UNENCODABLE, MALFORMED, FAILED -> new SearchReply.Failed(reason);
                    };
        };
    }

    static VisitReply visit(Failure failure) {
        return switch (failure) {
            case TimedOut() -> new VisitReply.TimedOut();
            case Lost(var reason, _) -> new VisitReply.Unavailable(reason);
            case Refused(var refusal, var reason) ->
                    switch (refusal) {
                        case WRONG_ENCODING, WRONG_NODE -> new VisitReply.Unavailable(reason);
                        case OVERLOADED -> new VisitReply.Overloaded(reason);
                        case TOO_LARGE -> throw MemoryRefusedException.ofNode(reason);
                        case UNENCODABLE, MALFORMED, FAILED -> new VisitReply.Failed(reason);
                    };
        };
    }
}
