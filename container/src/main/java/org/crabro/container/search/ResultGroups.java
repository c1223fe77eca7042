package org.crabro.container.search;

import java.time.ZoneId;
import java.util.Comparator;
import java.util.Optional;
import org.crabro.protocol.grouping.Group;
import org.crabro.protocol.grouping.GroupWindow;
import org.crabro.protocol.grouping.GroupingRequest;

/**
 * The result of a grouping.
 *
 * @param number the index of the grouping in the query
 * @param root the part that is shown, or all groups until they have been merged
 * @param times the numbers that are shown as times
 */
public record ResultGroups(
        GroupingRequest request, int number, Group<ResultHit> root, GroupTimes times) {
    /** Groups whose numbers are shown as numbers. */
    public ResultGroups(GroupingRequest request, int number, Group<ResultHit> root) {
        this(request, number, root, GroupTimes.NONE);
    }

    /** Returns the part that is shown, out of all groups. */
    ResultGroups shown(ZoneId zone) {
        return new ResultGroups(
                request,
                number,
                new GroupWindow(request, zone).shown(root, request.root(), number),
                times);
    }

    /**
     * Returns these groups and those of another source, for the same grouping.
     *
     * @param order of hits
     */
    ResultGroups plus(ResultGroups that, Comparator<ResultHit> order) {
        return new ResultGroups(
                request, number, root.plus(that.root, request.root(), order), times);
    }

    /** Returns the same groups with another source of each hit. */
    ResultGroups from(String source) {
        return new ResultGroups(
                request, number, root.map(hit -> Optional.of(hit.from(source))), times);
    }
}
