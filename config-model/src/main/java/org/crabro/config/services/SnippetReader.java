package org.crabro.config.services;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.XmlElement;
import org.crabro.config.schema.SnippetRules;
import org.crabro.config.schema.SnippetSettings;
import org.crabro.config.schema.SnippetSize;
import org.crabro.config.schema.StemMarking;

/**
 * Reads how snippets are made from the {@code <config>} elements of {@code services} and of a
 * content cluster. Other configs of the cluster are left out with a warning.
 */
final class SnippetReader {
    private static final String NAMESPACE = "vespa.config.search.summary";
    private static final String NAME = "juniperrc";
    private static final String OVERRIDE = "override";
    private static final String FIELD_NAME = "fieldname";

    /** Accepted without effect. */
    private static final String FALLBACK = "winsize_fallback_multiplier";

    private static final Map<String, Integer> LEAST =
            Map.of(
                    "length", 1,
                    "max_matches", 1,
                    "min_length", 0,
                    "surround_max", 0,
                    "winsize", 1,
                    "max_match_candidates", 1,
                    "stem_min_length", 0,
                    "stem_max_extend", 0);

    private static final String PREFIX = "prefix";

    private final Findings findings;

    SnippetReader(Findings findings) {
        this.findings = findings;
    }

    /**
     * Returns the settings in the configs around and in {@code cluster} and reports their problems.
     * The last value of each setting is used, and the last item for each field.
     *
     * @param around elements with configs for several clusters
     */
    SnippetRules rules(List<XmlElement> around, XmlElement cluster) {
        var configs = new ArrayList<XmlElement>();
        for (XmlElement element : around) {
            element.children("config").stream()
                    .filter(SnippetReader::isAboutSnippets)
                    .forEach(configs::add);
        }
        for (XmlElement config : cluster.children("config")) {
            if (isAboutSnippets(config)) {
                configs.add(config);
            } else {
                findings.warn(
                        "%s: %s/config is left out: of a content cluster only %s.%s is read"
                                .formatted(
                                        config.file().place(config),
                                        cluster.name(),
                                        NAMESPACE,
                                        NAME));
            }
        }
        SnippetSettings usual = SnippetSettings.DEFAULT;
        for (XmlElement config : configs) {
            usual = settings(config, usual, Set.of(OVERRIDE));
        }
        var byField = new LinkedHashMap<String, SnippetSettings>();
        for (XmlElement config : configs) {
            for (XmlElement override : config.children(OVERRIDE)) {
                addOverrides(override, usual, byField);
            }
        }
        return new SnippetRules(usual, byField);
    }

    static boolean isAboutSnippets(XmlElement config) {
        return ConfigName.of(config).equals(NAMESPACE + "." + NAME);
    }

    private void addOverrides(
            XmlElement override, SnippetSettings usual, Map<String, SnippetSettings> into) {
        for (XmlElement item : override.children()) {
            if (item.name().equals("item")) {
                String field =
                        item.children(FIELD_NAME).stream()
                                .map(XmlElement::text)
                                .findFirst()
                                .orElse("");
                if (field.isEmpty()) {
                    problem(item, "an override of snippets needs a " + FIELD_NAME);
                }
                into.put(field, settings(item, usual, Set.of(FIELD_NAME)));
            } else {
                problem(item, "expected item but found '%s'".formatted(item.name()));
            }
        }
    }

    private SnippetSettings settings(
            XmlElement element, SnippetSettings above, Set<String> others) {
        var numbers = new LinkedHashMap<String, Integer>();
        boolean prefix = above.prefix();
        for (XmlElement child : element.children()) {
            if (child.name().equals(PREFIX)) {
                prefix = truth(child, prefix);
            } else if (LEAST.containsKey(child.name())) {
                number(child, numbers);
            } else if (child.name().equals(FALLBACK)) {
                if (!child.text().matches("[0-9]{1,9}(\\.[0-9]{1,9})?")) {
                    problem(
                            child,
                            "%s: expected a number but found '%s'"
                                    .formatted(FALLBACK, child.text()));
                } else {
                    findings.warn(
                            "%s: %s has no effect: matches within winsize are one part"
                                    .formatted(child.file().place(child), FALLBACK));
                }
            } else if (!others.contains(child.name())) {
                var names = new TreeSet<>(LEAST.keySet());
                names.add(PREFIX);
                names.add(FALLBACK);
                names.addAll(others);
                problem(
                        child,
                        "config %s has no field '%s', only %s%s"
                                .formatted(
                                        NAME,
                                        child.name(),
                                        String.join(", ", names),
                                        NearestName.hint(child.name(), names)));
            }
        }
        return new SnippetSettings(
                new SnippetSize(
                        numbers.getOrDefault("length", above.size().length()),
                        numbers.getOrDefault("min_length", above.size().minLength()),
                        numbers.getOrDefault("max_matches", above.size().maxMatches()),
                        numbers.getOrDefault("surround_max", above.size().surroundMax())),
                numbers.getOrDefault("winsize", above.window()),
                numbers.getOrDefault("max_match_candidates", above.candidatesMax()),
                new StemMarking(
                        numbers.getOrDefault("stem_min_length", above.stem().minLength()),
                        numbers.getOrDefault("stem_max_extend", above.stem().maxExtend())),
                prefix);
    }

    private static void number(XmlElement child, Map<String, Integer> into) {
        int least = LEAST.getOrDefault(child.name(), 0);
        boolean isNumber = child.text().matches("[0-9]{1,9}");
        if (isNumber && Integer.parseInt(child.text()) >= least) {
            into.put(child.name(), Integer.parseInt(child.text()));
        } else {
            problem(
                    child,
                    "%s: expected a whole number from %d to 999999999 but found '%s'"
                            .formatted(child.name(), least, child.text()));
        }
    }

    private static boolean truth(XmlElement child, boolean otherwise) {
        if (!child.text().equals("true") && !child.text().equals("false")) {
            problem(
                    child,
                    "%s: expected true or false but found '%s'"
                            .formatted(child.name(), child.text()));
            return otherwise;
        }
        return child.text().equals("true");
    }

    private static void problem(XmlElement element, String problem) {
        element.file().problem(element, problem);
    }
}
