package org.crabro.container.admin;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Aspect;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.container.reindex.ReindexKey;
import org.crabro.container.reindex.ReindexRegister;
import org.crabro.container.reindex.ReindexRun;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.util.Fields;

/** Answers the requests about reindexing. */
final class ReindexEndpoint {
    private final Deployments deployments;
    private final ReindexRegister register;

    ReindexEndpoint(Deployments deployments, ReindexRegister register) {
        this.deployments = deployments;
        this.register = register;
    }

    /** A request is invalid. */
    private static final class InvalidParameterException extends Exception {
        private static final long serialVersionUID = 1;

        InvalidParameterException(String message) {
            super(message);
        }
    }

    /** Answers {@code …/reindexing}: returns the progress, or enables and disables it. */
    void reindexing(AdminExchange exchange) throws IOException {
        Optional<ApplicationModel> active = deployments.active().model();
        if (active.isEmpty()) {
            exchange.fail(AdminError.NOT_FOUND, Deployments.NOTHING_DEPLOYED);
        } else if (exchange.is(HttpMethod.POST) || exchange.is(HttpMethod.DELETE)) {
            boolean on = exchange.is(HttpMethod.POST);
            register.enable(on);
            exchange.message(
                    "Reindexing of %s is %s."
                            .formatted(shown(active.get()), on ? "enabled" : "disabled"));
        } else if (exchange.allows(HttpMethod.GET, HttpMethod.POST, HttpMethod.DELETE)) {
            boolean isEnabled = register.isEnabled();
            var types = register.types();
            exchange.send(json ->
                    ReindexJson.status(json, isEnabled, active.get().services().contents(), types));
        }
    }

    /** Answers {@code …/reindex}: requests runs, or changes their speed. */
    void reindex(AdminExchange exchange) throws IOException {
        if (!exchange.allows(HttpMethod.POST, HttpMethod.PUT)) {
            return;
        }
        Optional<ApplicationModel> active = deployments.active().model();
        if (active.isEmpty()) {
            exchange.fail(AdminError.NOT_FOUND, Deployments.NOTHING_DEPLOYED);
            return;
        }
        Fields parameters = exchange.parameters();
        String application = shown(active.get());
        try {
            List<ReindexKey> keys = keys(active.get(), parameters);
            Optional<Double> speed = speed(parameters);
            if (exchange.is(HttpMethod.POST)) {
                register.ask(
                        keys,
                        speed.orElse(ReindexRegister.SPEED_DEFAULT),
                        Optional.ofNullable(parameters.getValue("cause"))
                                .filter(cause -> !cause.isBlank())
                                .orElse("requested over the API"));
                exchange.message(
                        keys.isEmpty()
                                ? "No document type of %s is reindexed.".formatted(application)
                                : "Reindexing %s of %s.".formatted(shown(keys), application));
            } else {
                double given =
                        speed.orElseThrow(() ->
                                new InvalidParameterException(
                                        "speed: expected one, as in speed=0.5"));
                List<ReindexKey> changed = register.speed(keys, given);
                exchange.message(
                        changed.isEmpty()
                                ? "No document type of %s was ever reindexed."
                                        .formatted(application)
                                : "Set the speed of reindexing %s of %s to %s."
                                        .formatted(shown(changed), application, given));
            }
        } catch (InvalidParameterException e) {
            exchange.fail(AdminError.BAD_REQUEST, String.valueOf(e.getMessage()));
        }
    }

    private static String shown(ApplicationModel model) {
        return "application '%s'".formatted(model.name().inTenant());
    }

    private static Optional<Double> speed(Fields parameters) throws InvalidParameterException {
        Optional<String> given = Optional.ofNullable(parameters.getValue("speed"));
        if (given.isEmpty()) {
            return Optional.empty();
        }
        try {
            double speed = Double.parseDouble(given.get());
            if (speed >= 0 && speed <= ReindexRun.SPEED_MAX) {
                return Optional.of(speed);
            }
        } catch (NumberFormatException _) {
            // Reported below.
        }
        throw new InvalidParameterException(
                "speed: expected a number from 0 to %s, but found '%s'"
                        .formatted(ReindexRun.SPEED_MAX, given.get()));
    }

    /** Returns the types of a request: those that it names, or all. */
    private static List<ReindexKey> keys(ApplicationModel model, Fields parameters)
            throws InvalidParameterException {
        List<ContentCluster> all = model.services().contents();
        Set<String> clusters = names(parameters, "clusterId");
        Set<String> types = names(parameters, "documentType");
        check("clusterId", clusters, all.stream().map(ContentCluster::id).toList());
        List<ContentCluster> meant =
                all.stream()
                        .filter(each -> clusters.isEmpty() || clusters.contains(each.id()))
                        .toList();
        check(
                "documentType",
                types,
                meant.stream()
                        .flatMap(each -> each.documents().stream())
                        .map(ClusterDocument::type)
                        .toList());
        boolean indexedOnly = "true".equals(parameters.getValue("indexedOnly"));
        var keys = new ArrayList<ReindexKey>();
        for (ContentCluster cluster : meant) {
            for (ClusterDocument document : cluster.documents()) {
                if ((types.isEmpty() || types.contains(document.type()))
                        && (!indexedOnly || isIndexed(model, document))) {
                    keys.add(new ReindexKey(cluster.id(), document.type()));
                }
            }
        }
        return keys;
    }

    /** Returns whether a type has an index; one of attributes alone has none to make anew. */
    private static boolean isIndexed(ApplicationModel model, ClusterDocument document) {
        return document.mode() == Mode.INDEX
                && model.schema(document).readable().stream()
                        .anyMatch(field -> field.aspects().contains(Aspect.INDEX));
    }

    private static Set<String> names(Fields parameters, String parameter) {
        return Optional.ofNullable(parameters.getValue(parameter)).stream()
                .flatMap(text -> Arrays.stream(text.split(",")))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .collect(LinkedHashSet::new, Set::add, Set::addAll);
    }

    private static void check(String parameter, Set<String> names, List<String> permitted)
            throws InvalidParameterException {
        for (String name : names) {
            if (!permitted.contains(name)) {
                throw new InvalidParameterException(
                        "%s: there is no '%s', only %s".formatted(parameter, name, permitted));
            }
        }
    }

    private static String shown(List<ReindexKey> keys) {
        var byCluster = new LinkedHashMap<String, List<String>>();
        for (ReindexKey key : keys) {
            byCluster
                    .computeIfAbsent(key.cluster(), _ -> new ArrayList<>())
                    .add(key.documentType());
        }
        return byCluster.entrySet().stream()
                .map(each -> "document types %s in '%s'".formatted(each.getValue(), each.getKey()))
                .collect(joining(", "));
    }
}
