package org.crabro.protocol.encoding;

import java.util.HashSet;
import java.util.TreeSet;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;

/** The encoding of the header of requests. Of a deadline, the remaining time is encoded. */
final class HeaderParts {
    private static final int EVERY = 0;
    private static final int ONLY = 1;

    private HeaderParts() {}

    static void write(MessageWriter out, RequestHeader header, long nanoTime) {
        out.putText(header.principal().name());
        switch (header.principal().groups()) {
            case Principal.Groups.Every() -> out.putByte(EVERY);
            case Principal.Groups.Only(var names) -> {
                out.putByte(ONLY);
                out.putList(new TreeSet<>(names), out::putText);
            }
        }
        out.putLong(header.stateVersion());
        out.putLong(header.deadline().nanos() - nanoTime);
    }

    static RequestHeader read(MessageReader in, long nanoTime) {
        var principal = new Principal(in.readText(), readGroups(in));
        long stateVersion = in.readLong();
        return new RequestHeader(principal, stateVersion, new Deadline(nanoTime + in.readLong()));
    }

    private static Principal.Groups readGroups(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case EVERY -> new Principal.Groups.Every();
            case ONLY -> new Principal.Groups.Only(new HashSet<>(in.readList(in::readText)));
            default -> throw in.unknown("0 for every group or 1 for some", tag);
        };
    }

    static void write(MessageWriter out, PartitionPosition position) {
        out.putInt(position.partition());
        out.putLong(position.position());
    }

    static PartitionPosition readPosition(MessageReader in) {
        return new PartitionPosition(in.readInt(), in.readLong());
    }
}
