package org.crabro.container.component;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.crabro.component.DocumentProcessor;
import org.crabro.component.FieldGenerator;
import org.crabro.component.ModelsEvaluator;
import org.crabro.component.Searcher;
import org.crabro.config.component.Federation;
import org.crabro.config.component.OwnComponent;
import org.crabro.config.component.OwnComponents.Chain;
import org.crabro.config.component.SearchChains;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.ContentCluster.ProcessedBy;
import org.crabro.config.services.Services;
import org.crabro.container.llm.ModelComponents;
import org.crabro.container.processing.ProcessorChain;
import org.crabro.container.search.OwnChain;
import org.crabro.container.search.OwnChains;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.server.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The created components of one generation of an application. Their creator closes them once, when
 * no request uses them any more.
 *
 * {@snippet :
 * PackageComponents components = PackageComponents.make(model.services(), models, builtIn);
 * components.searchChains(cluster);
 * components.close();
 * }
 */
public final class PackageComponents implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PackageComponents.class);

    private final Services services;
    private final Optional<ComponentClasses> classes;
    private final Map<String, ClusterComponents> clusters = new LinkedHashMap<>();

    private PackageComponents(Services services) {
        this.services = services;
        this.classes =
                services.containers().stream().allMatch(each -> each.own().components().isEmpty())
                        ? Optional.empty()
                        : Optional.of(new ComponentClasses(services.jars()));
    }

    /**
     * Creates all components of an application.
     *
     * @param models returns those that the components of a cluster can evaluate
     * @param builtIn makes those whose classes are part of the server
     * @throws RuntimeException if one cannot be created. The message names it and the reason. Those
     *     created before are closed
     */
    public static PackageComponents make(
            Services services,
            Function<ContainerCluster, ModelsEvaluator> models,
            ModelComponents builtIn) {
        var components = new PackageComponents(services);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try {
            components.classes.ifPresent(classes -> {
                // Service loaders look for implementations in this class loader.
                thread.setContextClassLoader(classes);
                for (ContainerCluster cluster : services.containers()) {
                    var made =
                            new ClusterComponents(
                                    cluster.own().components(),
                                    classes,
                                    services.root().map(root -> root.toAbsolutePath().normalize()),
                                    models.apply(cluster),
                                    builtIn);
                    components.clusters.put(cluster.id(), made);
                    made.make();
                }
            });
            return components;
        } catch (RuntimeException | Error e) {
            components.close();
            throw e;
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Returns whether the application brings none. */
    public boolean isEmpty() {
        return classes.isEmpty();
    }

    /** Returns the search chains of a cluster. */
    public OwnChains searchChains(ContainerCluster cluster) {
        SearchChains declared = cluster.own().searchChains();
        var chains = new LinkedHashMap<String, OwnChain>();
        declared.byId()
                .forEach((id, chain) -> {
                    var steps = new ArrayList<OwnChain.Step>();
                    for (String key : chain.keys()) {
                        Federation federation = declared.federations().get(key);
                        steps.add(
                                federation == null
                                        ? searcher(cluster, key)
                                        : new OwnChain.FederationStep(federation));
                    }
                    chains.put(id, new OwnChain(id, steps, chain.ending(), chain.stems()));
                });
        return new OwnChains(chains, declared.builtIn());
    }

    private OwnChain.Step searcher(ContainerCluster cluster, String key) {
        ClusterComponents of = of(cluster.id());
        return new OwnChain.SearcherStep(of.declared(key).id(), (Searcher) of.component(key));
    }

    /** Returns the components that generate values of fields, by id; the first of an id wins. */
    public Map<String, FieldGenerator> fieldGenerators() {
        var generators = new LinkedHashMap<String, FieldGenerator>();
        for (ContainerCluster cluster : services.containers()) {
            for (OwnComponent each : cluster.own().components()) {
                if (cluster.own().generators().contains(each.id())
                        && of(cluster.id()).component(each.key())
                                instanceof FieldGenerator generator) {
                    generators.putIfAbsent(each.id(), generator);
                }
            }
        }
        return generators;
    }

    /** Returns the chains that documents go through before they are stored, by document type. */
    public Map<String, ProcessorChain> processorChains() {
        var chains = new LinkedHashMap<String, ProcessorChain>();
        for (ContentCluster content : services.contents()) {
            Optional<ProcessorChain> chain = content.processedBy().flatMap(this::processorChain);
            for (ClusterDocument document : content.documents()) {
                chain.ifPresent(processorChain -> chains.put(document.type(), processorChain));
            }
        }
        return chains;
    }

    private Optional<ProcessorChain> processorChain(ProcessedBy by) {
        for (ContainerCluster cluster : services.containers()) {
            Chain chain = cluster.own().documentChains().get(by.chain());
            if (cluster.id().equals(by.container()) && chain != null) {
                var steps = new ArrayList<ProcessorChain.Step>();
                for (String key : chain.keys()) {
                    ClusterComponents of = of(cluster.id());
                    steps.add(
                            new ProcessorChain.Step(
                                    of.declared(key).id(), (DocumentProcessor) of.component(key)));
                }
                return Optional.of(new ProcessorChain(by.chain(), steps));
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the request handlers of a cluster, in the order of services.xml.
     *
     * @param principals returns the sender of a request
     */
    public List<ComponentHandler> handlers(
            ContainerCluster cluster, Function<Request, Principal> principals) {
        var handlers = new ArrayList<ComponentHandler>();
        cluster.own()
                .bindings()
                .forEach((key, bindings) -> {
                    if (!bindings.isEmpty()) {
                        ClusterComponents of = of(cluster.id());
                        handlers.add(
                                new ComponentHandler(
                                        of.declared(key).id(),
                                        (org.crabro.component.Handler) of.component(key),
                                        bindings,
                                        principals));
                    }
                });
        return handlers;
    }

    private ClusterComponents of(String cluster) {
        ClusterComponents components = clusters.get(cluster);
        if (components == null) {
            throw new IllegalArgumentException("no cluster " + cluster);
        }
        return components;
    }

    /** Closes all components, and lets their classes go. */
    @Override
    public void close() {
        var ids = new ArrayList<>(clusters.keySet());
        ids.reversed().forEach(id -> of(id).close());
        clusters.clear();
        classes.ifPresent(each -> {
            try {
                each.close();
            } catch (IOException e) {
                LOG.error("the jars of a package could not be closed", new UncheckedIOException(e));
            }
        });
    }
}
