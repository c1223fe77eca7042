package org.crabro.protocol.grouping;

import java.util.List;

/**
 * The start of the returned page of a list.
 *
 * @param path identifies the list: the index of the request, then 0 and the index of a list and the
 *     index of a group in it, and so on down to the list
 * @param tag of the list, from {@link ListLabel#tag()} or {@link HitsPlan#tag()}
 * @param offset the number of skipped entries
 */
public record GroupPage(List<Integer> path, int tag, int offset) {
    public GroupPage {
        path = List.copyOf(path);
    }
}
