package org.crabro.config.services;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.crabro.component.Config;
import org.crabro.config.application.Findings;
import org.crabro.config.application.XmlElement;

/** The {@code <config>} elements that apply to a component, and their values for it. */
final class ConfigUse {
    private static final String CONFIG = "config";

    /** The elements that can contain configs of components, apart from the components. */
    private static final List<String> SECTIONS = List.of("search", "document-processing");

    private static final Set<String> CHAINS = Set.of("chain", "provider");

    /** The elements whose configs set the texts for highlighting. */
    private static final Set<String> WITH_TAGS = Set.of("services", "container", "search");

    private final ConfigDefinitions definitions;
    private final Set<XmlElement> reached = Collections.newSetFromMap(new IdentityHashMap<>());

    ConfigUse(ConfigDefinitions definitions) {
        this.definitions = definitions;
    }

    /**
     * Returns the values of an application's component, by name.
     *
     * @param around the component and its enclosing elements, the outermost first; inner ones win
     */
    Map<String, Config> values(List<XmlElement> around) {
        reached.addAll(around);
        return definitions.filled(ConfigValues.read(around));
    }

    /**
     * Warns of configs that no component uses. Called after the components of all clusters have
     * their values.
     *
     * @param root an element with containers, or a container
     */
    void warn(XmlElement root, List<XmlElement> containers, Findings findings) {
        if (root.name().equals("services")) {
            warn(root, findings);
        }
        for (XmlElement container : containers) {
            warn(container, findings);
            for (String section : SECTIONS) {
                for (XmlElement each : container.children(section)) {
                    warn(each, findings);
                    for (XmlElement chain : each.children()) {
                        if (CHAINS.contains(chain.name())) {
                            warn(chain, findings);
                            chain.children("source").forEach(source -> warn(source, findings));
                        }
                    }
                }
            }
        }
    }

    private void warn(XmlElement element, Findings findings) {
        if (reached.contains(element)) {
            return;
        }
        boolean isForContent = !element.children("content").isEmpty();
        for (XmlElement config : element.children(CONFIG)) {
            if (SpecialTokensReader.isAboutTokens(config)
                    || (isForContent && SnippetReader.isAboutSnippets(config))
                    || (WITH_TAGS.contains(element.name())
                            && HighlightTagsReader.isAboutTags(config))) {
                continue;
            }
            findings.warn(
                    "%s: %s/config is left out: it is for components of the application, and there are none"
                            .formatted(config.file().place(config), element.name()));
        }
    }
}
