package org.crabro.content.replication.raft.patch;

import java.lang.reflect.Field;

/** A private field of a class of Ratis. */
final class PrivateField<T> {
    private final Field field;
    private final Class<T> type;

    private PrivateField(Field field, Class<T> type) {
        this.field = field;
        this.type = type;
    }

    /**
     * Looks up a field.
     *
     * @param owner the full name of its class
     * @throws IllegalStateException if there is no such field of this type
     */
    static <T> PrivateField<T> of(String owner, String name, Class<T> type) {
        try {
            Field field = classOf(owner).getDeclaredField(name);
            if (!type.isAssignableFrom(field.getType())) {
                throw new IllegalStateException(
                        problem("%s.%s is a %s".formatted(owner, name, field.getType().getName())));
            }
            field.setAccessible(true);
            return new PrivateField<>(field, type);
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(problem("no field %s.%s".formatted(owner, name)), e);
        }
    }

    /**
     * Returns a class of Ratis, which is not initialized.
     *
     * @throws IllegalStateException if there is no such class
     */
    static Class<?> classOf(String name) {
        try {
            return Class.forName(name, false, PrivateField.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(problem("no class " + name), e);
        }
    }

    private static String problem(String difference) {
        return "the classes of Ratis differ from release %s, %s: see docs/raft-patches.md"
                .formatted(RatisPatches.RELEASE, difference);
    }

    /** Returns the value in an object, which is of the class that was looked up. */
    T in(Object object) {
        try {
            return type.cast(field.get(object));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("the field is accessible", e);
        }
    }
}
