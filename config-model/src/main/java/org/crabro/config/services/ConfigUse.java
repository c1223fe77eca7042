package org.crabro.config.services;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.crabro.component.Config;
import org.crabro.config.application.Findings;
import org.crabro.config.application.XmlElement;

/** Which {@code <config>} elements above components reach one, and what they say to it. */
final class ConfigUse {
    private static final String CONFIG = "config";

    /** What configs of components may stand in, besides the components. */
    private static final List<String> SECTIONS = List.of("search", "document-processing");

    private final ConfigDefinitions definitions;
    private final Set<XmlElement> reached = Collections.newSetFromMap(new IdentityHashMap<>());

    ConfigUse(ConfigDefinitions definitions) {
        this.definitions = definitions;
    }

    /**
     * Returns the values that a component of one's own gets, by name.
     *
     * @param around the component and what it stands in, from the farthest on; nearer ones win
     */
    Map<String, Config> values(List<XmlElement> around) {
        reached.addAll(around);
        return definitions.filled(ConfigValues.read(around));
    }

    /**
     * Warns of what is said to no component, once those of all clusters have their values.
     *
     * @param root with containers in it, or one of them
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
                    each.children("chain").forEach(chain -> warn(chain, findings));
                }
            }
        }
    }

    private void warn(XmlElement element, Findings findings) {
        if (reached.contains(element)) {
            return;
        }
        for (XmlElement config : element.children(CONFIG)) {
            findings.warn(
                    "%s: %s/config is left out: it is for components of one's own, and none is there"
                            .formatted(config.file().place(config), element.name()));
        }
    }
}
