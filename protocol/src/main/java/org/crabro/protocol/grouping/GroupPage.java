package org.crabro.protocol.grouping;

import java.util.List;

/**
 * Where the part of a list starts that is shown.
 *
 * @param path which list: the index of the request, then 0 and the index of a list and the index of
 *     a group in it, and so on down to the list
 * @param tag the list's, in {@link ListLabel#tag()} or {@link HitsPlan#tag()}
 * @param offset how many are left out before it
 */
public record GroupPage(List<Integer> path, int tag, int offset) {
    public GroupPage {
        path = List.copyOf(path);
    }
}
