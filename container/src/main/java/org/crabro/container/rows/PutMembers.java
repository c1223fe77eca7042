package org.crabro.container.rows;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.crabro.document.operation.WriteCondition;
import org.jspecify.annotations.Nullable;

/**
 * The members of operations and of bodies of puts, and what those say that stand beside the fields.
 * Of members with one name the last counts. For one thread.
 */
public final class PutMembers {
    public static final int PUT = 0;
    public static final int FIELDS = 1;
    static final int CONDITION = 2;
    static final int CREATE = 3;
    public static final int ID = 4;
    public static final int UPDATE = 5;
    public static final int REMOVE = 6;
    public static final int GET = 7;

    /** In the order in which they mostly come. */
    private static final MemberNames NAMES =
            new MemberNames(
                    List.of(
                            "put",
                            "fields",
                            "condition",
                            "create",
                            "id",
                            "update",
                            "remove",
                            "get"));

    private @Nullable String condition;
    private boolean create;

    /** Forgets what was read. */
    public void clear() {
        condition = null;
        create = false;
    }

    /**
     * Reads a name and returns which it is.
     *
     * @param guess which it may be
     */
    public static int name(JsonScanner json, int guess) {
        int member = NAMES.find(json, guess);
        json.expect(':');
        return member;
    }

    /** Reads the value of a member that stands beside the fields; those unknown mean nothing. */
    public void read(int member, JsonScanner json) {
        switch (member) {
            case CONDITION -> condition = json.text();
            case CREATE -> create = json.trueOrFalse();
            default -> UnreadJson.pass(json);
        }
    }

    /** Returns the condition, a selection, if there is one. */
    Optional<String> selection() {
        return Optional.ofNullable(condition);
    }

    /** Returns the condition that was read. */
    public WriteCondition condition() {
        return condition == null
                ? WriteCondition.NONE
                : new WriteCondition(Optional.of(condition), OptionalLong.empty());
    }

    public boolean create() {
        return create;
    }
}
