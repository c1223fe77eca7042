package org.crabro.protocol.encoding;

import org.crabro.protocol.search.NodePlan;
import org.crabro.protocol.search.PlanCondition;
import org.crabro.protocol.search.PlanCounts;
import org.crabro.protocol.search.PlanPhase;
import org.crabro.protocol.search.PlanRead;
import org.crabro.protocol.search.PlanScope;
import org.crabro.protocol.search.QueryCost;

/** The encoding of plans of searches as parts of messages. */
final class PlanParts {
    private static final int RECENT = 0;
    private static final int RUNS = 1;
    private static final int CACHE = 2;

    private PlanParts() {}

    static void write(MessageWriter out, NodePlan plan) {
        out.putInt(plan.scope().partitions());
        out.putInt(plan.scope().threads());
        out.putLong(plan.scope().documents());
        out.putLong(plan.scope().matches());
        write(out, plan.cost());
        out.putList(plan.reads(), read -> write(out, read));
        write(out, plan.condition());
        out.putList(
                plan.phases(),
                phase -> {
                    out.putText(phase.name());
                    out.putLong(phase.nanos());
                });
    }

    static NodePlan read(MessageReader in) {
        return new NodePlan(
                new PlanScope(in.readInt(), in.readInt(), in.readLong(), in.readLong()),
                readCost(in),
                in.readList(() -> readRead(in)),
                readCondition(in),
                in.readList(() -> new PlanPhase(in.readText(), in.readLong())));
    }

    static void write(MessageWriter out, QueryCost cost) {
        out.putLong(cost.blocks());
        out.putLong(cost.skippedBlocks());
        out.putLong(cost.rows());
        out.putLong(cost.bytes());
        out.putLong(cost.deviceBytes());
        out.putLong(cost.cpuNanos());
    }

    static QueryCost readCost(MessageReader in) {
        return new QueryCost(
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong());
    }

    private static void write(MessageWriter out, PlanRead read) {
        out.putByte(
                switch (read.place()) {
                    case RECENT -> RECENT;
                    case RUNS -> RUNS;
                    case CACHE -> CACHE;
                });
        out.putInt(read.runs());
        out.putLong(read.blocks());
        out.putLong(read.skippedBlocks());
        out.putLong(read.rows());
        out.putLong(read.bytes());
    }

    private static PlanRead readRead(MessageReader in) {
        return new PlanRead(
                readPlace(in),
                in.readInt(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong());
    }

    private static PlanRead.Place readPlace(MessageReader in) {
        int tag = in.readByte();
        return switch (tag) {
            case RECENT -> PlanRead.Place.RECENT;
            case RUNS -> PlanRead.Place.RUNS;
            case CACHE -> PlanRead.Place.CACHE;
            default -> throw in.unknown("the tag of a place of documents", tag);
        };
    }

    private static void write(MessageWriter out, PlanCondition condition) {
        out.putText(condition.operator());
        out.putText(condition.text());
        out.putLong(condition.counts().candidates());
        out.putLong(condition.counts().matches());
        out.putLong(condition.counts().expected());
        out.putLong(condition.counts().skippedBlocks());
        out.putLong(condition.counts().nanos());
        out.putList(condition.parts(), part -> write(out, part));
    }

    private static PlanCondition readCondition(MessageReader in) {
        return in.readNested(() ->
                new PlanCondition(
                        in.readText(),
                        in.readText(),
                        new PlanCounts(
                                in.readLong(),
                                in.readLong(),
                                in.readLong(),
                                in.readLong(),
                                in.readLong()),
                        in.readList(() -> readCondition(in))));
    }
}
