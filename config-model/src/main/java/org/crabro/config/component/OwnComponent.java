package org.crabro.config.component;

import java.util.Map;
import org.crabro.component.Config;

/**
 * A component of an application.
 *
 * @param key unique in its cluster: its id, and after {@code @} the enclosing chain or component,
 *     if there is one
 * @param id as written in services.xml
 * @param className with its package
 * @param configs by name with namespace
 * @param place in services.xml, for messages
 */
public record OwnComponent(
        String key,
        String id,
        ComponentKind kind,
        String className,
        Map<String, Config> configs,
        String place) {
    public OwnComponent {
        configs = Map.copyOf(configs);
    }
}
