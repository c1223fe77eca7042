package org.crabro.container.search;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.component.ChainEnding;
import org.crabro.config.component.Federation;
import org.crabro.config.component.Federation.Participant;
import org.crabro.config.component.SourceOptions;
import org.crabro.container.query.ErrorCode;
import org.crabro.container.query.RequestOutline;
import org.crabro.container.query.ResultError;

/**
 * Finds the sources of a federation that a request names. A name is that of a source, of one of its
 * chains, of a content cluster or of a schema. An unknown name is an error, and the other sources
 * are asked.
 */
final class SourceChoice {
    private final QueryChains chains;
    private final Federation federation;
    private final RequestOutline outline;
    private final Map<String, Chosen> chosen = new LinkedHashMap<>();
    private final List<ResultError> errors = new ArrayList<>();

    /**
     * A source to ask.
     *
     * @param name of the source
     * @param restrict the schemas to search, if the request does not name all
     */
    record Chosen(
            String name,
            String provider,
            OwnChain chain,
            SourceOptions options,
            Set<String> restrict) {}

    SourceChoice(QueryChains chains, Federation federation, RequestOutline outline) {
        this.chains = chains;
        this.federation = federation;
        this.outline = outline;
        if (outline.sources().isEmpty()) {
            federation.sources().forEach(source -> add(source, false));
        } else {
            outline.sources().forEach(this::add);
        }
        if (!outline.restrict().isEmpty()) {
            restrict();
        }
        if (chosen.isEmpty() && errors.isEmpty()) {
            invalid(
                    "federation '%s' has no source that searches what the query names"
                            .formatted(federation.id()));
        }
    }

    List<Chosen> chosen() {
        return List.copyOf(chosen.values());
    }

    List<ResultError> errors() {
        return errors;
    }

    private void add(String name) {
        for (Federation.Source source : federation.sources()) {
            if (source.name().equals(name)) {
                add(source, true);
                return;
            }
        }
        for (Federation.Source source : federation.sources()) {
            source.participants()
                    .forEach((provider, participant) -> {
                        if (participant.chain().equals(name)) {
                            add(source, provider, participant, Optional.empty());
                        }
                    });
        }
        if (chosen.values().stream().noneMatch(each -> each.chain.id().equals(name))
                && !addCluster(name, Optional.empty())
                && !addSchema(name)) {
            invalid(
                    "there is no source '%s'; there are %s"
                            .formatted(
                                    name,
                                    String.join(
                                            ", ",
                                            federation.sources().stream()
                                                    .map(source -> "'" + source.name() + "'")
                                                    .toList())));
        }
    }

    /** Adds the sources that search a content cluster; false if there are none. */
    private boolean addCluster(String cluster, Optional<String> schema) {
        boolean isPresent = false;
        for (Federation.Source source : federation.sources()) {
            if (cluster(source).equals(Optional.of(cluster))) {
                Map.Entry<String, Participant> leader =
                        source.participants().entrySet().iterator().next();
                add(source, leader.getKey(), leader.getValue(), schema);
                isPresent = true;
            }
        }
        return isPresent;
    }

    private boolean addSchema(String schema) {
        boolean isPresent = false;
        for (String cluster : chains.application().clustersOf(schema)) {
            isPresent |= addCluster(cluster, Optional.of(schema));
        }
        return isPresent;
    }

    /** Adds a source with the provider that the request selects. */
    private void add(Federation.Source source, boolean isNamed) {
        Optional<String> selected =
                outline.parameters().named("source." + source.name() + ".provider");
        String provider =
                selected.orElseGet(() -> source.participants().keySet().iterator().next());
        Participant participant = source.participants().get(provider);
        if (participant == null) {
            invalid(
                    "source '%s' has no provider '%s'; it has %s"
                            .formatted(
                                    source.name(),
                                    provider,
                                    String.join(", ", source.participants().keySet())));
            return;
        }
        if (isNamed || participant.options().isByDefault()) {
            add(source, provider, participant, Optional.empty());
        }
    }

    /**
     * @param schema the only one to search; empty for all
     */
    private void add(
            Federation.Source source,
            String provider,
            Participant participant,
            Optional<String> schema) {
        Set<String> restrict = new LinkedHashSet<>();
        Chosen before = chosen.get(source.name());
        if (schema.isPresent() && (before == null || !before.restrict.isEmpty())) {
            restrict.add(schema.get());
            if (before != null) {
                restrict.addAll(before.restrict);
            }
        }
        chosen.put(
                source.name(),
                new Chosen(
                        source.name(),
                        provider,
                        chains.chain(participant.chain()),
                        participant.options(),
                        restrict));
    }

    private Optional<String> cluster(Federation.Source source) {
        return cluster(chains.chain(source.participants().values().iterator().next().chain()));
    }

    private static Optional<String> cluster(OwnChain chain) {
        return chain.ending() instanceof ChainEnding.LocalCluster(var cluster)
                ? Optional.of(cluster)
                : Optional.empty();
    }

    /** Leaves out the sources that search none of the schemas that the request names. */
    private void restrict() {
        for (String schema : outline.restrict()) {
            if (chains.application().clustersOf(schema).isEmpty()) {
                invalid("there is no schema '%s' that can be searched".formatted(schema));
            }
        }
        Map<String, Chosen> retained = new LinkedHashMap<>();
        chosen.forEach((name, source) -> {
            Optional<String> cluster = cluster(source.chain);
            Set<String> schemas = new LinkedHashSet<>(outline.restrict());
            if (!source.restrict.isEmpty()) {
                schemas.retainAll(source.restrict);
            }
            if (cluster.isPresent()) {
                schemas.removeIf(
                        schema -> !chains.application().clustersOf(schema).contains(cluster.get()));
            }
            if (!schemas.isEmpty()) {
                retained.put(
                        name,
                        new Chosen(name, source.provider, source.chain, source.options, schemas));
            }
        });
        chosen.clear();
        chosen.putAll(retained);
    }

    private void invalid(String problem) {
        errors.add(new ResultError(ErrorCode.INVALID_PARAMETER, "", problem));
    }
}
