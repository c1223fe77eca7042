package org.crabro.protocol.search;

import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The limits on scored and returned documents on a content node. A limit of the request has
 * precedence over that of the rank profile.
 *
 * @param dropLimit documents whose score does not exceed it do not match
 * @param rerankCount how many of the best documents of the first phase the second phase scores
 *     again; if empty, the second phase replaces the first one and scores all that match
 * @param secondDropLimit hits whose score does not exceed it after the second phase are dropped
 */
public record RankLimits(
        OptionalDouble dropLimit, OptionalInt rerankCount, OptionalDouble secondDropLimit) {
    /** No limits. */
    public static final RankLimits NONE =
            new RankLimits(OptionalDouble.empty(), OptionalInt.empty(), OptionalDouble.empty());
}
