package org.crabro.config.validation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.SchemaDeclaration.Member;
import org.crabro.config.parser.SchemaDeclaration.Struct;
import org.crabro.config.parser.TypeDeclaration;

/**
 * The structs that contain themselves: in a member, in its elements, or in other structs. They are
 * the strongly connected components of the graph of structs, found by two depth-first searches.
 */
final class RecursiveStructs {
    private final Map<String, Set<String>> contents = new LinkedHashMap<>();
    private final Set<String> names = new HashSet<>();

    /** The structs that are or contain one of them. */
    private final Set<String> around = new HashSet<>();

    /**
     * @param declared by name
     */
    RecursiveStructs(Map<String, Struct> declared) {
        declared.forEach((name, struct) -> {
            var named = new LinkedHashSet<String>();
            struct.parents().stream().map(Name::text).forEach(named::add);
            for (Member member : struct.members()) {
                add(member.type(), named);
            }
            named.retainAll(declared.keySet());
            contents.put(name, named);
        });
        Map<String, Set<String>> containers = new HashMap<>();
        contents.forEach((name, within) ->
                within.forEach(each ->
                        containers.computeIfAbsent(each, _ -> new LinkedHashSet<>()).add(name)));
        var reached = new HashSet<String>();
        for (String name : innermostFirst().reversed()) {
            List<String> component = reached(List.of(name), containers, reached);
            if (component.size() > 1 || of(contents, name).contains(name)) {
                names.addAll(component);
            }
        }
        around.addAll(reached(names, containers, new HashSet<>()));
    }

    private static void add(TypeDeclaration type, Set<String> into) {
        into.add(type.name());
        type.arguments().forEach(argument -> add(argument, into));
    }

    private static Set<String> of(Map<String, Set<String>> edges, String name) {
        return edges.getOrDefault(name, Set.of());
    }

    /** Returns all structs, each after those that it contains, as far as it is in no circle. */
    private List<String> innermostFirst() {
        var finished = new ArrayList<String>();
        var seen = new HashSet<String>();
        for (String start : contents.keySet()) {
            Deque<String> path = new ArrayDeque<>();
            Deque<Iterator<String>> next = new ArrayDeque<>();
            if (seen.add(start)) {
                path.push(start);
                next.push(of(contents, start).iterator());
            }
            while (!path.isEmpty()) {
                if (!next.element().hasNext()) {
                    finished.add(path.pop());
                    next.pop();
                    continue;
                }
                String name = next.element().next();
                if (seen.add(name)) {
                    path.push(name);
                    next.push(of(contents, name).iterator());
                }
            }
        }
        return finished;
    }

    /**
     * Returns what is reached for the first time.
     *
     * @param reached what was reached before; gets the result
     */
    private static List<String> reached(
            Collection<String> from, Map<String, Set<String>> edges, Set<String> reached) {
        var path = new ArrayList<String>();
        var next = new ArrayDeque<>(from);
        while (!next.isEmpty()) {
            String name = next.pop();
            if (reached.add(name)) {
                path.add(name);
                next.addAll(of(edges, name));
            }
        }
        return path;
    }

    boolean contains(String name) {
        return names.contains(name);
    }

    /** Returns whether a struct is or contains such a struct. */
    boolean areIn(String struct) {
        return around.contains(struct);
    }

    /** Returns whether values of a type are or contain such a struct. */
    boolean areIn(TypeDeclaration type) {
        return areIn(type.name()) || type.arguments().stream().anyMatch(this::areIn);
    }
}
