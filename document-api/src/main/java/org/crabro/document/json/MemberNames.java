package org.crabro.document.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the index of a member by its name. Members usually come in the order of their type. */
public final class MemberNames {
    /** The name of a member that clients cannot write. */
    public static final String NONE = "";

    /** The index of an unknown name. */
    public static final int UNKNOWN = -1;

    /** Names after the guessed one that are compared before a search of all names. */
    private static final int LOOKED_AT_MORE = 2;

    private final byte[][] names;
    private final Map<String, Integer> indexes = new HashMap<>();

    /**
     * @param names in the order of the type; {@link #NONE} is never found
     */
    public MemberNames(List<String> names) {
        this.names = new byte[names.size()][];
        for (int i = 0; i < this.names.length; i++) {
            this.names[i] = names.get(i).getBytes(StandardCharsets.UTF_8);
            if (!names.get(i).equals(NONE)) {
                indexes.put(names.get(i), i);
            }
        }
    }

    /**
     * Reads a name and returns its index.
     *
     * @param guess where it may be
     * @throws JsonScanner.UncommonFormException if it is unknown
     */
    public int index(JsonScanner json, int guess) {
        int index = find(json, guess);
        if (index == UNKNOWN) {
            throw json.uncommon();
        }
        return index;
    }

    /**
     * Reads a name and returns its index, {@link #UNKNOWN} if it is unknown.
     *
     * @param guess where it may be
     */
    public int find(JsonScanner json, int guess) {
        json.next();
        int from = json.at() + 1;
        int to = json.plainString();
        if (to < 0) {
            return indexOf(JsonStrings.text(json.bytes(), from, json.name()));
        }
        json.checkName(from);
        byte[] bytes = json.bytes();
        for (int i = guess; i < names.length && i <= guess + LOOKED_AT_MORE; i++) {
            if (to > from && Arrays.equals(bytes, from, to, names[i], 0, names[i].length)) {
                return i;
            }
        }
        return indexOf(new String(bytes, from, to - from, StandardCharsets.UTF_8));
    }

    private int indexOf(String name) {
        return indexes.getOrDefault(name, UNKNOWN);
    }
}
