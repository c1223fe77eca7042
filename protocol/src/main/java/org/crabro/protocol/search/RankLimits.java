package org.crabro.protocol.search;

import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * How many documents a content node scores, and which it leaves out for their score: what the
 * request says, or else the rank profile.
 *
 * @param dropLimit documents whose score is not above it do not match
 * @param rerankCount how many of the best by the first phase the second one scores again; where
 *     there is none it scores all that match, in place of the first
 * @param secondDropLimit hits whose score is not above it after the second phase are left out
 */
public record RankLimits(
        OptionalDouble dropLimit, OptionalInt rerankCount, OptionalDouble secondDropLimit) {
    /** Everything is scored, and nothing left out. */
    public static final RankLimits NONE =
            new RankLimits(OptionalDouble.empty(), OptionalInt.empty(), OptionalDouble.empty());
}
