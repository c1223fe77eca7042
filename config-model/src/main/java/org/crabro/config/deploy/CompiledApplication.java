package org.crabro.config.deploy;

import java.util.List;
import org.crabro.config.application.Notice;

/**
 * A model with the messages for the user who deploys it.
 *
 * @param overrides the changes that the package allows explicitly
 */
public record CompiledApplication(
        ApplicationModel model, List<Notice> notices, ValidationOverrides overrides) {
    public CompiledApplication {
        notices = List.copyOf(notices);
    }
}
