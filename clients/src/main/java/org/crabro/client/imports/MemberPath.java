package org.crabro.client.imports;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The names of a member and of the objects around it, in one text. Dots separate the names; a dot
 * or a backslash inside of a name has a backslash before it.
 */
final class MemberPath {
    private MemberPath() {}

    /** Returns the path of a member outside of other objects. */
    static String of(String name) {
        return name.indexOf('.') < 0 && name.indexOf('\\') < 0
                ? name
                : name.replace("\\", "\\\\").replace(".", "\\.");
    }

    /** Returns the path of a member of an object. */
    static String of(String object, String name) {
        return object + "." + of(name);
    }

    /** Returns the members of an object by their paths, with those of the objects in it. */
    static Map<String, Object> flat(Map<?, ?> object) {
        Map<String, Object> flat = new LinkedHashMap<>();
        object.forEach((name, value) -> add(of((String) name), value, flat));
        return flat;
    }

    private static void add(String path, Object value, Map<String, Object> into) {
        if (value instanceof Map<?, ?> object) {
            object.forEach((name, each) -> add(of(path, (String) name), each, into));
        } else {
            into.put(path, value);
        }
    }

    /** Returns whether the member is inside of another object. */
    static boolean isNested(String path) {
        for (int i = 0; i < path.length(); i++) {
            if (path.charAt(i) == '\\') {
                i++;
            } else if (path.charAt(i) == '.') {
                return true;
            }
        }
        return false;
    }

    /** Returns the path without backslashes, to be read. */
    static String shown(String path) {
        return path.replaceAll("\\\\(.)", "$1");
    }
}
