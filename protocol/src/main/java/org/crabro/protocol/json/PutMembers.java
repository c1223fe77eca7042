package org.crabro.protocol.json;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.crabro.document.json.JsonScanner;
import org.crabro.document.json.MemberNames;
import org.crabro.document.json.UnreadJson;
import org.crabro.document.operation.WriteCondition;
import org.jspecify.annotations.Nullable;

/**
 * The members of operations and of bodies of puts, with the values of all members except the
 * fields. If a member occurs twice, the last one counts. For one thread.
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

    /** In the usual order. */
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

    /** Removes the values of the last operation. */
    public void clear() {
        condition = null;
        create = false;
    }

    /**
     * Reads a name and returns its number.
     *
     * @param guess its likely number
     */
    public static int name(JsonScanner json, int guess) {
        int member = NAMES.find(json, guess);
        json.expect(':');
        return member;
    }

    /** Reads the value of a member other than the fields. Unknown members are skipped. */
    public void read(int member, JsonScanner json) {
        switch (member) {
            case CONDITION -> condition = json.text();
            case CREATE -> create = json.trueOrFalse();
            default -> UnreadJson.pass(json);
        }
    }

    /** Returns the selection that is the condition, if there is one. */
    public Optional<String> selection() {
        return Optional.ofNullable(condition);
    }

    /** Returns the condition. */
    public WriteCondition condition() {
        return condition == null
                ? WriteCondition.NONE
                : new WriteCondition(Optional.of(condition), OptionalLong.empty());
    }

    public boolean create() {
        return create;
    }
}
