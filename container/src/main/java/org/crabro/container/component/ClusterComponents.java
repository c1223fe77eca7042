package org.crabro.container.component;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.component.Component;
import org.crabro.component.ComponentContext;
import org.crabro.component.Config;
import org.crabro.component.LanguageModel;
import org.crabro.component.ModelsEvaluator;
import org.crabro.config.application.NearestName;
import org.crabro.config.component.BuiltInComponents;
import org.crabro.config.component.OwnComponent;
import org.crabro.container.llm.ModelComponents;
import org.crabro.container.llm.ModelContext;
import org.crabro.container.llm.NamedModel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The components of a container cluster. Those that others take are made first; all are closed in
 * the reverse order. Made by one thread, closed by one.
 */
final class ClusterComponents {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterComponents.class);

    private final Map<String, OwnComponent> declared = new LinkedHashMap<>();
    private final ClassLoader classes;
    private final Optional<Path> root;
    private final ModelsEvaluator models;
    private final ModelComponents builtIn;

    /** In the order in which they were made. */
    private final Map<String, Component> made = new LinkedHashMap<>();

    /** Those whose constructors run, the outermost first. */
    private final Set<String> underWay = new LinkedHashSet<>();

    /**
     * @param root of the package's files; empty if the package is not in a directory
     * @param models those that the components can evaluate
     * @param builtIn makes the components whose classes are part of the server
     */
    ClusterComponents(
            List<OwnComponent> components,
            ClassLoader classes,
            Optional<Path> root,
            ModelsEvaluator models,
            ModelComponents builtIn) {
        components.forEach(each -> declared.put(each.key(), each));
        this.classes = classes;
        this.root = root;
        this.models = models;
        this.builtIn = builtIn;
    }

    /**
     * Makes all components.
     *
     * @throws ComponentFailedException if one cannot be made
     */
    void make() {
        declared.values().forEach(this::component);
    }

    /** Returns a component that was made. */
    Component component(String key) {
        Component component = made.get(key);
        if (component == null) {
            throw new IllegalArgumentException("no component " + key);
        }
        return component;
    }

    /** Returns the declaration of a component in services.xml. */
    OwnComponent declared(String key) {
        OwnComponent declaration = declared.get(key);
        if (declaration == null) {
            throw new IllegalArgumentException("no component " + key);
        }
        return declaration;
    }

    private Component component(OwnComponent declaration) {
        Component existing = made.get(declaration.key());
        if (existing != null) {
            return existing;
        }
        if (!underWay.add(declaration.key())) {
            var path = new ArrayList<>(underWay);
            path.add(declaration.key());
            throw new IllegalArgumentException(
                    "components depend on each other: " + String.join(" -> ", path));
        }
        try {
            Component component = made(declaration);
            made.put(declaration.key(), component);
            return component;
        } finally {
            underWay.remove(declaration.key());
        }
    }

    private Component made(OwnComponent declaration) {
        if (isBuiltIn(declaration)) {
            try {
                return builtIn.make(declaration.className(), new Context(declaration));
            } catch (IllegalArgumentException e) {
                throw new ComponentFailedException(
                        problem(declaration, "cannot be made: " + e.getMessage()), e);
            }
        }
        try {
            Class<? extends Component> type =
                    Class.forName(declaration.className(), true, classes)
                            .asSubclass(declaration.kind().type());
            if (type.getConstructors().length != 1) {
                throw new ComponentFailedException(
                        problem(declaration, "has no single public constructor"));
            }
            Constructor<?> constructor = type.getConstructors()[0];
            constructor.setAccessible(true);
            Object[] arguments = new Object[constructor.getParameterCount()];
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = argument(declaration, constructor.getParameterTypes()[i]);
            }
            return type.cast(constructor.newInstance(arguments));
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof ComponentFailedException inner) {
                throw inner;
            }
            throw new ComponentFailedException(
                    problem(declaration, "cannot be made: its constructor threw " + cause), cause);
        } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
            throw new ComponentFailedException(problem(declaration, "cannot be made: " + e), e);
        }
    }

    /** Returns whether the class is part of the server. A jar of the package may replace it. */
    private boolean isBuiltIn(OwnComponent declaration) {
        if (BuiltInComponents.type(declaration.className()).isEmpty()) {
            return false;
        }
        try {
            Class.forName(declaration.className(), false, classes);
            return false;
        } catch (ClassNotFoundException _) {
            return true;
        }
    }

    private Class<?> type(OwnComponent declaration) throws ClassNotFoundException {
        return isBuiltIn(declaration)
                ? BuiltInComponents.type(declaration.className()).orElseThrow()
                : Class.forName(declaration.className(), false, classes);
    }

    private static String problem(OwnComponent declaration, String what) {
        return "%s: %s '%s': class %s %s"
                .formatted(
                        declaration.place(),
                        declaration.kind().shown(),
                        declaration.id(),
                        declaration.className(),
                        what);
    }

    private Object argument(OwnComponent taker, Class<?> type) throws ClassNotFoundException {
        if (type == ComponentContext.class) {
            return new Context(taker);
        }
        var fitting = new ArrayList<OwnComponent>();
        for (OwnComponent each : declared.values()) {
            if (!each.key().equals(taker.key()) && type.isAssignableFrom(type(each))) {
                fitting.add(each);
            }
        }
        if (fitting.size() != 1) {
            throw new ComponentFailedException(
                    problem(
                            taker,
                            "takes a %s, which %d components are; expected one"
                                    .formatted(type.getName(), fitting.size())));
        }
        return component(fitting.getFirst());
    }

    /** Closes the created components, the last first. */
    void close() {
        var keys = new ArrayList<>(made.keySet());
        for (String key : keys.reversed()) {
            Component component = component(key);
            try {
                component.close();
            } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
                LOG.error("{}", problem(declared(key), "could not be closed"), e);
            }
        }
        made.clear();
    }

    private final class Context implements ModelContext {
        private final OwnComponent taker;

        Context(OwnComponent taker) {
            this.taker = taker;
        }

        @Override
        public String id() {
            return taker.id();
        }

        @Override
        public Config config(String name) {
            return taker.configs().getOrDefault(name, Config.NONE);
        }

        @Override
        public <T> T component(String id, Class<T> type) {
            Component component =
                    ClusterComponents.this.component(
                            find(id).orElseThrow(() ->
                                    new IllegalArgumentException(
                                            "there is no component '%s'%s"
                                                    .formatted(id, resolvedId(id)))));
            if (!type.isInstance(component)) {
                throw new IllegalArgumentException(
                        "component '%s' is a %s and no %s"
                                .formatted(id, component.getClass().getName(), type.getName()));
            }
            return type.cast(component);
        }

        @Override
        public Optional<NamedModel> firstModel() {
            try {
                for (OwnComponent each : declared.values()) {
                    if (!each.key().equals(taker.key())
                            && LanguageModel.class.isAssignableFrom(type(each))) {
                        return Optional.of(
                                new NamedModel(
                                        each.id(),
                                        (LanguageModel) ClusterComponents.this.component(each)));
                    }
                }
                return Optional.empty();
            } catch (ClassNotFoundException e) {
                throw new IllegalArgumentException(e.toString(), e);
            }
        }

        private String resolvedId(String id) {
            var ids = new TreeSet<String>();
            declared.values().forEach(each -> ids.add(each.id()));
            return ", only " + String.join(", ", ids) + NearestName.hint(id, ids);
        }

        /** Components inside of a component come first, then those outside of chains. */
        private Optional<OwnComponent> find(String id) {
            return Optional.ofNullable(declared.get(id + "@" + taker.key()))
                    .or(() -> Optional.ofNullable(declared.get(id)))
                    .or(() ->
                            declared.values().stream()
                                    .filter(each -> each.id().equals(id))
                                    .findFirst());
        }

        @Override
        public ModelsEvaluator models() {
            return models;
        }

        @Override
        public Optional<Path> file(String path) {
            return root.map(each -> each.resolve(path).normalize())
                    .filter(file -> file.startsWith(root.get()) && Files.isRegularFile(file));
        }
    }
}
