package org.crabro.client.imports;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes fields of members: one for each, or two if one type does not have all of its values. */
final class GuessedFields {
    /** The name of the field of the members that have no field. */
    private static final String OTHERS = "other_members";

    /** Its source, which is the path of no member. */
    static final String OTHERS_SOURCE = "\\";

    private final Map<String, ValueKinds> members = new LinkedHashMap<>();
    private final FieldNaming naming = new FieldNaming();
    private final List<String> notes = new ArrayList<>();
    private boolean hasOthers;

    /** Adds a member. A member without values gets no field. */
    void add(String path, ValueKinds values) {
        members.put(path, values);
    }

    /** Adds a field for all other members. */
    void addOthers() {
        hasOthers = true;
    }

    /**
     * Returns the fields in the order of the members. Members that are not inside of objects have
     * their names first, then those inside, then second fields.
     */
    List<GuessedField> all() {
        Map<String, String> names = new LinkedHashMap<>();
        names(names, false);
        names(names, true);
        List<GuessedField> fields = new ArrayList<>();
        members.forEach((path, values) ->
                values.type()
                        .ifPresent(type -> {
                            String name = names.getOrDefault(path, path);
                            fields.add(new GuessedField(path, name, type));
                            Optional<String> second =
                                    values.companion()
                                            .map(more -> {
                                                String other = naming.distinct(name + suffix(more));
                                                fields.add(new GuessedField(path, other, more));
                                                return other;
                                            });
                            values.note(name, second).ifPresent(notes::add);
                        }));
        if (hasOthers) {
            fields.add(
                    new GuessedField(
                            OTHERS_SOURCE, naming.distinct(OTHERS), new GuessedType.Others()));
        }
        return fields;
    }

    private void names(Map<String, String> names, boolean isNested) {
        members.forEach((path, values) -> {
            if (MemberPath.isNested(path) == isNested && values.type().isPresent()) {
                names.put(path, naming.distinct(MemberPath.shown(path)));
            }
        });
    }

    private static String suffix(GuessedType type) {
        return type instanceof GuessedType.Nearest ? "_number" : "_text";
    }

    /** Returns what a user needs to know of the fields, after they were made. */
    List<String> notes() {
        return List.copyOf(notes);
    }
}
