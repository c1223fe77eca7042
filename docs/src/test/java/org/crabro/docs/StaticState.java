package org.crabro.docs;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Static fields whose values can change: state that all servers of a process share, and that tests
 * cannot replace. There are as few as possible, and each is listed here with its reason.
 *
 * <p>A field changes if it is not final, if its type is made to change, such as an {@code
 * AtomicLong}, or if its type is a class of ours with fields that change. A collection changes if a
 * method of its class calls a method that adds or removes, in the line that reads the field.
 */
final class StaticState {
    /** Field, without the root package, to the reason why it is static. */
    private static final Map<String, String> LISTED =
            Map.ofEntries(
                    // These do not change, although others of their types do.
                    Map.entry("container.access.AccessControl.OPEN", "reads and watches no file"),
                    Map.entry("content.search.parent.ParentRow.NONE", "has no further parents"),
                    Map.entry(
                            "content.search.parent.Parents.NONE",
                            "has no fields, so it finds no parents"),
                    Map.entry(
                            "document.memory.MemoryShare.UNLIMITED",
                            "has no budget, so it counts nothing"),
                    // These change.
                    Map.entry(
                            "container.yql.YqlParser.KNOWN",
                            "a cache of parsed statements, which follow from their texts alone"),
                    Map.entry(
                            "content.storage.run.PublishedRuns.VERSIONS",
                            "a counter: versions are compared between all partitions"),
                    Map.entry(
                            "ranking.kernel.MachineCodeUse.isChosen",
                            "kernels are constants of the process, and chosen once"),
                    Map.entry(
                            "ranking.kernel.MachineCodeUse.isForbidden",
                            "set before the kernels are chosen"),
                    Map.entry(
                            "ranking.onnx.OnnxEnvironment.CORES",
                            "the models of a process share its cores"),
                    Map.entry(
                            "ranking.onnx.PreparedModels.shared",
                            "the folder of prepared models, set at the start of the process"),
                    Map.entry(
                            "ranking.onnx.RunEnd.CLOCK",
                            "the thread that ends runs of ONNX Runtime, which a process has once"),
                    Map.entry(
                            "ranking.onnx.RunListeners.LISTENERS",
                            "the metrics of all models of the process"),
                    Map.entry(
                            "ranking.onnx.RunThreads.THREADS",
                            "the threads of runs of ONNX Runtime, which a process has once"));

    /** Types of others whose values change. Subtypes count too. */
    private static final List<String> CHANGING =
            List.of(
                    "java.lang.StringBuilder",
                    "java.lang.ThreadLocal",
                    "java.util.ArrayDeque",
                    "java.util.ArrayList",
                    "java.util.HashMap",
                    "java.util.HashSet",
                    "java.util.Queue",
                    "java.util.Random",
                    "java.util.WeakHashMap",
                    "java.util.concurrent.ConcurrentMap",
                    "java.util.concurrent.CopyOnWriteArrayList",
                    "java.util.concurrent.Executor",
                    "java.util.concurrent.Semaphore",
                    "java.util.concurrent.locks.Lock",
                    "java.util.concurrent.locks.ReadWriteLock",
                    "java.util.concurrent.locks.StampedLock",
                    "com.github.benmanes.caffeine.cache.Cache");

    private static final Set<String> CHANGES =
            Set.of(
                    "add",
                    "addAll",
                    "clear",
                    "compute",
                    "computeIfAbsent",
                    "computeIfPresent",
                    "merge",
                    "put",
                    "putAll",
                    "putIfAbsent",
                    "remove",
                    "removeAll",
                    "removeIf",
                    "replace",
                    "retainAll");

    static final DescribedPredicate<JavaField> NOT_LISTED =
            DescribedPredicate.describe(
                    "are not listed in StaticState", field -> !LISTED.containsKey(name(field)));

    static final ArchCondition<JavaField> BE_CONSTANT =
            new ArchCondition<>("be constant") {
                @Override
                public void check(JavaField field, ConditionEvents events) {
                    if (changes(field)) {
                        events.add(
                                SimpleConditionEvent.violated(
                                        field, "%s changes".formatted(field.getFullName())));
                    }
                }
            };

    private static final String INITIALIZER = "<clinit>";

    private StaticState() {}

    /** Returns the listed fields that are not in classes. */
    static List<String> missing(JavaClasses classes) {
        Set<String> fields =
                classes.stream()
                        .flatMap(type -> type.getFields().stream())
                        .map(StaticState::name)
                        .collect(Collectors.toSet());
        return LISTED.keySet().stream().filter(name -> !fields.contains(name)).sorted().toList();
    }

    private static String name(JavaField field) {
        return field.getFullName().replace("org.crabro.", "");
    }

    private static boolean changes(JavaField field) {
        if (field.getModifiers().contains(JavaModifier.SYNTHETIC)) {
            return false;
        }
        JavaClass type = field.getRawType();
        return !field.getModifiers().contains(JavaModifier.FINAL)
                || isChanging(type)
                || (isOurs(type) && hasChangingFields(type))
                || (isCollection(type) && isChangedByMethods(field));
    }

    private static boolean isChanging(JavaClass type) {
        return type.getPackageName().equals("java.util.concurrent.atomic")
                || CHANGING.stream().anyMatch(type::isAssignableTo);
    }

    private static boolean isOurs(JavaClass type) {
        return type.getPackageName().startsWith("org.crabro.");
    }

    private static boolean hasChangingFields(JavaClass type) {
        return type.getAllFields().stream()
                .filter(field -> isOurs(field.getOwner()))
                .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
                .anyMatch(field ->
                        !field.getModifiers().contains(JavaModifier.FINAL)
                                || isChanging(field.getRawType()));
    }

    private static boolean isCollection(JavaClass type) {
        return type.isAssignableTo(Collection.class) || type.isAssignableTo(Map.class);
    }

    private static boolean isChangedByMethods(JavaField field) {
        return field.getAccessesToSelf().stream()
                .filter(access -> !isInitializer(access.getOrigin()))
                .anyMatch(StaticState::isFollowedByAChange);
    }

    /** Returns whether code runs only when its class is initialized. */
    private static boolean isInitializer(JavaCodeUnit code) {
        return code.getName().equals(INITIALIZER)
                || (!code.getCallsOfSelf().isEmpty()
                        && code.getCallsOfSelf().stream()
                                .allMatch(call -> call.getOrigin().getName().equals(INITIALIZER)));
    }

    private static boolean isFollowedByAChange(JavaFieldAccess access) {
        return access.getOrigin().getMethodCallsFromSelf().stream()
                .filter(call -> isCollection(call.getTargetOwner()))
                .filter(call -> CHANGES.contains(call.getName()))
                .anyMatch(call -> call.getLineNumber() == access.getLineNumber());
    }
}
