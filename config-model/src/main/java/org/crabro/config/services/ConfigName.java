package org.crabro.config.services;

import org.crabro.config.application.XmlElement;

/** The name of a config in services.xml. */
final class ConfigName {
    private ConfigName() {}

    /** Returns the name with its namespace, which can be an attribute of its own. */
    static String of(XmlElement config) {
        return config.attribute("namespace").map(space -> space + ".").orElse("")
                + config.attribute("name").orElse("");
    }
}
