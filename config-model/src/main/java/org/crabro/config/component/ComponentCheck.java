package org.crabro.config.component;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.crabro.component.Component;
import org.crabro.component.ComponentContext;
import org.crabro.component.FieldGenerator;
import org.crabro.config.application.NearestName;

/** Checks whether the classes in services.xml can be instantiated as components. */
public final class ComponentCheck {
    /** The maximum number of names listed in a message. */
    private static final int SHOWN_MAX = 20;

    /** The format of class files of Java 1.0; each Java counts one more. */
    private static final int MAJOR_BEFORE_FIRST = 44;

    private final PackageJars jars;

    public ComponentCheck(PackageJars jars) {
        this.jars = jars;
    }

    /**
     * Returns the interface of a class that is part of the server, and in no jar of the package.
     */
    public Optional<Class<? extends Component>> builtIn(String name) {
        return jars.holding(name, Optional.empty()).isEmpty()
                ? BuiltInComponents.type(name)
                : Optional.empty();
    }

    /** Returns whether a handler is that of the server's tools for language models. */
    public boolean isTools(String name) {
        return name.equals(BuiltInComponents.TOOLS)
                && jars.holding(name, Optional.empty()).isEmpty();
    }

    /** Returns the problem with the place of a class that is part of the server. */
    public Optional<String> builtIn(
            Class<? extends Component> type, String name, ComponentKind as) {
        return as.type().isAssignableFrom(type)
                ? Optional.empty()
                : Optional.of(
                        "class %s is no %s, but a %s"
                                .formatted(name, as.shown(), type.getSimpleName()));
    }

    /** Returns the problem with a class that is part of Vespa, and in no jar of the package. */
    public Optional<String> platform(String name, Optional<String> bundle) {
        return jars.holding(name, Optional.empty()).isEmpty()
                ? PlatformClasses.problem(name, bundle)
                : Optional.empty();
    }

    /** Returns the path at which the server does what a handler does that is part of Vespa. */
    public Optional<String> answeredPath(String handler) {
        return jars.holding(handler, Optional.empty()).isEmpty()
                ? PlatformClasses.path(handler)
                : Optional.empty();
    }

    /** Returns the problem with a bundle in services.xml. */
    public Optional<String> bundle(String bundle) {
        return jars.bundles().contains(bundle)
                ? Optional.empty()
                : Optional.of(
                        "there is no bundle '%s'%s"
                                .formatted(
                                        bundle,
                                        jars.bundles().isEmpty()
                                                ? ": the package has no jar in components/"
                                                : ", only %s%s"
                                                        .formatted(
                                                                some(List.copyOf(jars.bundles())),
                                                                NearestName.hint(
                                                                        bundle, jars.bundles()))));
    }

    /**
     * Returns the problem with a class.
     *
     * @param bundle that must contain it; empty for any
     */
    public Optional<String> type(String name, Optional<String> bundle, ComponentKind kind) {
        List<String> holding = jars.holding(name, bundle);
        if (holding.isEmpty()) {
            return Optional.of(missing(name, bundle));
        }
        List<String> everywhere = jars.holding(name, Optional.empty());
        if (everywhere.size() > 1) {
            return Optional.of(
                    "class %s is in %s; expected it in one jar"
                            .formatted(name, String.join(" and ", everywhere)));
        }
        JarClass jarClass;
        try {
            jarClass = jars.find(name).orElseThrow();
            return shape(jarClass).or(() -> kind(name, jarClass, kind));
        } catch (IllegalArgumentException e) {
            return Optional.of(
                    "class %s in %s cannot be read: %s"
                            .formatted(name, holding.getFirst(), e.getMessage()));
        }
    }

    private String missing(String name, Optional<String> bundle) {
        if (jars.paths().isEmpty()) {
            return "class %s cannot be found: the package has no jar in components/"
                    .formatted(name);
        }
        String hint = NearestName.hint(name, jars.classes(bundle));
        List<String> elsewhere = jars.holding(name, Optional.empty());
        if (bundle.isPresent()) {
            return "class %s is not in bundle '%s'%s"
                    .formatted(
                            name,
                            bundle.get(),
                            elsewhere.isEmpty() ? hint : ", but in " + elsewhere.getFirst());
        }
        return "class %s is in none of %s%s".formatted(name, some(List.copyOf(jars.paths())), hint);
    }

    private static Optional<String> shape(JarClass jarClass) {
        int java = jarClass.major() - MAJOR_BEFORE_FIRST;
        if (java > Runtime.version().feature()) {
            return Optional.of(
                    "class %s is compiled for Java %d; expected at most %d"
                            .formatted(jarClass.name(), java, Runtime.version().feature()));
        }
        if (jarClass.isInterface() || jarClass.isAbstract()) {
            return Optional.of(
                    "class %s cannot be made: it is %s"
                            .formatted(
                                    jarClass.name(),
                                    jarClass.isInterface() ? "an interface" : "abstract"));
        }
        return Optional.empty();
    }

    private Optional<String> kind(String name, JarClass jarClass, ComponentKind kind) {
        if (!jars.isA(name, kind.type().getName())) {
            var parents = new ArrayList<>(jarClass.supertypes().interfaces());
            jarClass.supertypes()
                    .parent()
                    .filter(each -> !each.equals("java.lang.Object"))
                    .ifPresent(parents::add);
            return Optional.of(
                    "class %s is no %s: expected one that implements %s, but found %s"
                            .formatted(
                                    name,
                                    kind.shown(),
                                    kind.type().getName(),
                                    parents.isEmpty()
                                            ? "one that implements nothing"
                                            : "one of " + some(parents)));
        }
        if (jarClass.constructors().size() != 1) {
            return Optional.of(
                    "class %s has %d public constructors; expected one"
                            .formatted(name, jarClass.constructors().size()));
        }
        return Optional.empty();
    }

    /**
     * Reports parameters of constructors that cannot be supplied.
     *
     * @param all the components of a cluster, with valid classes
     * @param problems receives the component and its problem
     */
    public void constructors(List<OwnComponent> all, Problems problems) {
        for (OwnComponent component : all) {
            parameters(component.className())
                    .forEach(type -> {
                        List<String> fitting =
                                fitting(type, all, component).stream()
                                        .map(OwnComponent::key)
                                        .toList();
                        Optional<String> problem = problem(component, type, fitting, all);
                        problem.ifPresent(text -> problems.accept(component, text));
                    });
        }
        var done = new HashSet<String>();
        for (OwnComponent component : all) {
            follow(component, all, new ArrayList<>(), done, problems);
        }
    }

    /** Receives the problems of components. */
    public interface Problems {
        void accept(OwnComponent component, String problem);
    }

    private List<String> parameters(String className) {
        if (builtIn(className).isPresent()) {
            return List.of();
        }
        return jars.find(className).orElseThrow().constructors().getFirst();
    }

    private List<OwnComponent> fitting(String type, List<OwnComponent> all, OwnComponent taker) {
        return all.stream()
                .filter(each -> !each.equals(taker) && isA(each.className(), type))
                .toList();
    }

    /** Returns whether a valid class generates values of fields. */
    public boolean isGenerator(String className) {
        return isA(className, FieldGenerator.class.getName());
    }

    private boolean isA(String className, String type) {
        Optional<Class<? extends Component>> builtIn = builtIn(className);
        return builtIn.isPresent()
                ? type.equals(builtIn.get().getName()) || type.equals(Component.class.getName())
                : jars.isA(className, type);
    }

    private Optional<String> problem(
            OwnComponent component, String type, List<String> fitting, List<OwnComponent> all) {
        if (type.equals(ComponentContext.class.getName()) || fitting.size() == 1) {
            return Optional.empty();
        }
        String takes = "class %s takes a %s".formatted(component.className(), type);
        if (fitting.isEmpty()) {
            return Optional.of(
                    "%s, which none of the components is: %s; expected a %s, or a component"
                            .formatted(
                                    takes,
                                    some(all.stream().map(OwnComponent::key).toList()),
                                    ComponentContext.class.getName()));
        }
        return Optional.of(
                "%s, which each of %s is; expected one, or a %s to ask by id"
                        .formatted(takes, some(fitting), ComponentContext.class.getName()));
    }

    /** Follows the parameters of a component's constructor, and reports cycles. */
    private void follow(
            OwnComponent component,
            List<OwnComponent> all,
            List<String> path,
            Set<String> done,
            Problems problems) {
        if (path.contains(component.key())) {
            var cycle = new ArrayList<>(path.subList(path.indexOf(component.key()), path.size()));
            cycle.add(component.key());
            problems.accept(
                    component,
                    "component '%s' takes itself: %s"
                            .formatted(component.id(), String.join(" -> ", cycle)));
            return;
        }
        if (done.contains(component.key())) {
            return;
        }
        path.add(component.key());
        for (String type : parameters(component.className())) {
            List<OwnComponent> fitting = fitting(type, all, component);
            if (fitting.size() == 1) {
                follow(fitting.getFirst(), all, path, done, problems);
            }
        }
        done.add(component.key());
        path.removeLast();
    }

    private static String some(List<String> names) {
        List<String> shown = names.stream().limit(SHOWN_MAX).toList();
        return String.join(", ", shown)
                + (names.size() > SHOWN_MAX
                        ? " and %d more".formatted(names.size() - SHOWN_MAX)
                        : "");
    }
}
