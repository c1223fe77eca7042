package org.crabro.container.search;

import org.crabro.protocol.grouping.Group;
import org.crabro.protocol.grouping.GroupingRequest;

/**
 * What a grouping comes to.
 *
 * @param number which grouping of the query, from 0
 * @param root what is shown of it
 */
public record ResultGroups(GroupingRequest request, int number, Group<ResultHit> root) {}
