package org.crabro.config.services;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.component.Config;
import org.crabro.config.application.XmlElement;

/** Reads the values of well-formed {@code <config>} elements for an application's components. */
final class ConfigValues {
    private static final String CONFIG = "config";

    private ConfigValues() {}

    /**
     * Returns the values by name.
     *
     * @param around elements with configs, from the farthest on; nearer ones win
     */
    static Map<String, Config> read(List<XmlElement> around) {
        var configs = new LinkedHashMap<String, Config>();
        for (XmlElement element : around) {
            for (XmlElement config : element.children(CONFIG)) {
                configs.merge(
                        ConfigName.of(config), value(config), (below, above) -> above.over(below));
            }
        }
        return configs;
    }

    static Config value(XmlElement element) {
        var fields = new LinkedHashMap<String, Config>();
        var entries = new LinkedHashMap<String, Config>();
        var items = new ArrayList<Config>();
        for (XmlElement child : element.children()) {
            Optional<String> key = child.attribute("key");
            if (child.name().equals("item")) {
                if (key.isPresent()) {
                    entries.put(key.get(), value(child));
                } else {
                    items.add(value(child));
                }
            } else {
                boolean isItem = child.attribute("operation").equals(Optional.of("append"));
                Config value =
                        isItem
                                ? new Config("", Map.of(), List.of(value(child)), Map.of())
                                : value(child);
                fields.merge(child.name(), value, (before, after) -> after.over(before));
            }
        }
        return new Config(element.text(), fields, items, entries);
    }
}
