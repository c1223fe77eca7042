package org.crabro.config.deploy;

import java.util.List;
import org.crabro.config.application.Notice;

/**
 * A model, and what whoever deployed it should know.
 *
 * @param overrides what the package allows of what would be refused otherwise
 */
public record CompiledApplication(
        ApplicationModel model, List<Notice> notices, ValidationOverrides overrides) {
    public CompiledApplication {
        notices = List.copyOf(notices);
    }
}
