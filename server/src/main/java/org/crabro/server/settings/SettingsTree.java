package org.crabro.server.settings;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.crabro.config.application.NearestName;

/**
 * A record of settings whose components are values or such records themselves. The name of a
 * setting is the path of components to it, such as {@code content.recent.feed.diskShare}.
 *
 * <p>Changed records are built by their canonical constructors, so their checks apply.
 *
 * @param <R> the record at the root
 */
public final class SettingsTree<R extends Record> {
    private final R root;
    private final SettingNames names;

    private SettingsTree(R root, SettingNames names) {
        this.root = root;
        this.names = names;
    }

    /**
     * The components of records that are settings.
     *
     * @param leftOut names of components that an operator cannot set here, including the components
     *     below them
     * @param withoutPrefix components whose names are not part of the names of settings: the
     *     settings below them are named as if they were at the same level
     */
    public record SettingNames(Set<String> leftOut, Set<String> withoutPrefix) {
        public SettingNames {
            leftOut = Set.copyOf(leftOut);
            withoutPrefix = Set.copyOf(withoutPrefix);
        }
    }

    /** Returns the tree below {@code root}. */
    public static <R extends Record> SettingsTree<R> of(R root, SettingNames names) {
        return new SettingsTree<>(root, names);
    }

    /**
     * Returns every setting in the order of the components.
     *
     * @throws IllegalStateException if a component is neither a record, nor left out, nor of a type
     *     that can be written as text
     */
    public List<Setting> settings() {
        Map<String, Setting> settings = new LinkedHashMap<>();
        collect("", root, settings);
        return List.copyOf(settings.values());
    }

    private void collect(String prefix, Record node, Map<String, Setting> settings) {
        for (RecordComponent component : node.getClass().getRecordComponents()) {
            String name = prefix + component.getName();
            if (names.leftOut.contains(name)) {
                continue;
            }
            Object value = valueOf(component, node);
            if (value instanceof Record inner) {
                collect(prefixBelow(prefix, name), inner, settings);
                continue;
            }
            Setting setting = new Setting(name, value, form(name, component).text(value));
            if (settings.put(name, setting) != null) {
                throw new IllegalStateException("two settings have the name " + name);
            }
        }
    }

    private String prefixBelow(String prefix, String name) {
        return names.withoutPrefix.contains(name) ? prefix : name + ".";
    }

    private static SettingForm form(String name, RecordComponent component) {
        return SettingForm.of(component.getName(), component.getType())
                .orElseThrow(() ->
                        new IllegalStateException(
                                "%s has the type %s, which cannot be written as text: leave it out"
                                        .formatted(name, component.getType().getName())));
    }

    /**
     * Returns the root with other values. If a name is assigned more than once, the last assignment
     * counts.
     *
     * @throws InvalidSettingsException if a name is unknown, a value has another form, or a record
     *     refuses a value; all of these are named
     */
    public R with(List<Assignment> assignments) {
        Map<String, Assignment> byName = new LinkedHashMap<>();
        assignments.forEach(each -> byName.put(each.name(), each));
        var change = new Change(byName);
        Set<String> names = new HashSet<>();
        settings().forEach(setting -> names.add(setting.name()));
        for (Assignment each : byName.values()) {
            if (!names.contains(each.name())) {
                change.problems.add(
                        "%s: there is no setting '%s'%s"
                                .formatted(
                                        each.place(),
                                        each.name(),
                                        NearestName.hint(each.name(), names)));
            }
        }
        Record changed = change.rebuilt("", root, new ArrayList<>());
        if (!change.problems.isEmpty()) {
            throw new InvalidSettingsException(change.problems);
        }
        @SuppressWarnings("unchecked") // A record is rebuilt by a constructor of its own class.
        R result = (R) changed;
        return result;
    }

    /** One pass over the tree, and the problems found so far. */
    private final class Change {
        private final Map<String, Assignment> assignments;
        private final List<String> problems = new ArrayList<>();

        Change(Map<String, Assignment> assignments) {
            this.assignments = new HashMap<>(assignments);
        }

        /**
         * Returns {@code node} with the assigned values, or itself if none is below it.
         *
         * @param above receives the places of these values
         */
        Record rebuilt(String prefix, Record node, List<String> above) {
            RecordComponent[] components = node.getClass().getRecordComponents();
            Object[] values = new Object[components.length];
            var places = new ArrayList<String>();
            boolean isChanged = false;
            for (int i = 0; i < components.length; i++) {
                String name = prefix + components[i].getName();
                Object value = valueOf(components[i], node);
                values[i] = value;
                if (names.leftOut.contains(name)) {
                    continue;
                }
                Assignment assignment = assignments.get(name);
                if (value instanceof Record inner) {
                    values[i] = rebuilt(prefixBelow(prefix, name), inner, places);
                } else if (assignment != null) {
                    values[i] = parsed(assignment, components[i], value, places);
                }
                isChanged |= !values[i].equals(value);
            }
            above.addAll(places);
            return isChanged ? constructed(prefix, node, values, places) : node;
        }

        private Object parsed(
                Assignment assignment,
                RecordComponent component,
                Object before,
                List<String> places) {
            try {
                Object value =
                        form(assignment.name(), component)
                                .parse(component.getType(), assignment.value());
                places.add(assignment.place());
                return value;
            } catch (IllegalArgumentException e) {
                problems.add(
                        "%s: %s: %s"
                                .formatted(assignment.place(), assignment.name(), e.getMessage()));
                return before;
            }
        }

        private Record constructed(
                String prefix, Record node, Object[] values, List<String> places) {
            Class<?>[] types =
                    Arrays.stream(node.getClass().getRecordComponents())
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new);
            try {
                return node.getClass().getConstructor(types).newInstance(values);
            } catch (InvocationTargetException e) {
                if (!(e.getCause() instanceof IllegalArgumentException refused)) {
                    throw new IllegalStateException(e);
                }
                String name =
                        prefix.isEmpty() ? "" : prefix.substring(0, prefix.length() - 1) + ": ";
                problems.add(
                        "%s: %s%s"
                                .formatted(String.join(", ", places), name, refused.getMessage()));
                return node;
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static Object valueOf(RecordComponent component, Record node) {
        try {
            return component.getAccessor().invoke(node);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
