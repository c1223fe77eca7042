package org.crabro.config.services;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.XmlElement;

/**
 * Checks {@code http/filtering}: chains of filters of requests and answers. Filters are components
 * of the application, which Crabro does not run. Because filters protect a server, a package with
 * filters is rejected. {@link ClientReader} reads {@code access-control}.
 */
final class FilterReader {
    private static final Set<String> CHAINS = Set.of("request-chain", "response-chain");
    private static final String REQUEST = "request-chain";

    private final Findings findings;

    FilterReader(Findings findings) {
        this.findings = findings;
    }

    /** Reports problems with the filters of {@code http}, and that filters do not run. */
    void check(XmlElement http) {
        Set<String> chains = new TreeSet<>();
        for (XmlElement filtering : http.children("filtering")) {
            chains.addAll(chains(filtering));
        }
        for (XmlElement server : http.children("server")) {
            checkDefault(server, "default-request-chain", chains);
            checkDefault(server, "default-response-chain", chains);
        }
    }

    private Set<String> chains(XmlElement filtering) {
        var reader = new ChainReader(CHAINS, "filter", "filter", Set.of());
        Map<String, Set<String>> inherited =
                reader.chains(filtering, (filter, _) -> reader.refuse(filter), List.of())
                        .inherited();
        List<XmlElement> controls = filtering.children("access-control");
        for (XmlElement control : controls) {
            control.children("exclude").stream()
                    .flatMap(exclude -> exclude.children("binding").stream())
                    .forEach(BindingReader::checkForm);
        }
        var requests = new ArrayList<>(filtering.children(REQUEST));
        for (XmlElement chain : filtering.children()) {
            if (CHAINS.contains(chain.name())) {
                chain.children("binding").forEach(BindingReader::checkForm);
            }
        }
        boolean isStrict = !filtering.attribute("strict-mode").equals(Optional.of("false"));
        boolean isAll =
                requests.stream()
                        .flatMap(chain -> chain.children("binding").stream())
                        .anyMatch(BindingReader::isEverything);
        if (isStrict && !requests.isEmpty() && !isAll) {
            problem(
                    filtering,
                    "requests without a binding to a request-chain would have to be rejected, which is not built; use strict-mode=\"false\", or bind a chain to"
                            + " http://*/*");
        } else if (filtering.children("filter").isEmpty() && controls.isEmpty()) {
            findings.inform(
                    filtering.file().place(filtering)
                            + ": http/filtering without a filter has no effect");
        }
        return inherited.keySet();
    }

    private static void checkDefault(XmlElement server, String attribute, Set<String> chains) {
        server.attribute(attribute)
                .filter(name -> !chains.contains(name))
                .ifPresent(name ->
                        server.file()
                                .problem(
                                        server,
                                        attribute,
                                        "there is no chain '%s' of filters%s%s"
                                                .formatted(
                                                        name,
                                                        chains.isEmpty()
                                                                ? ""
                                                                : ", only "
                                                                        + String.join(", ", chains),
                                                        NearestName.hint(name, chains))));
    }

    private static void problem(XmlElement element, String problem) {
        element.file().problem(element, problem);
    }
}
