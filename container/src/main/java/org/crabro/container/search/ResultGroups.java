package org.crabro.container.search;

import org.crabro.protocol.grouping.Group;
import org.crabro.protocol.grouping.GroupingRequest;

/**
 * The result of a grouping.
 *
 * @param number the index of the grouping in the query
 * @param root the part that is shown
 */
public record ResultGroups(GroupingRequest request, int number, Group<ResultHit> root) {}
