package org.crabro.content.search.rank;

import java.util.List;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.perf.fuzz.FuzzTarget;

/** Rank properties as profiles write them. */
public final class RankPropertyTargets {
    private RankPropertyTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.ofText("rank-tables", RankTable::parse, QueryRejectedException.class),
                FuzzTarget.ofText(
                        "rank-numbers",
                        text -> Properties.parse("name", text),
                        QueryRejectedException.class));
    }
}
