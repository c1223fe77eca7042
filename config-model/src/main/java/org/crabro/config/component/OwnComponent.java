package org.crabro.config.component;

import java.util.Map;
import org.crabro.component.Config;

/**
 * A component that a package brings.
 *
 * @param key tells it from all others of its cluster: its id, and behind {@code @} what it stands
 *     in, where that is a chain or another component
 * @param id as services.xml gives it
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
