package org.crabro.config.deploy;

import java.util.List;
import org.crabro.config.application.Notice;

/** A model, and what whoever deployed it should know. */
public record CompiledApplication(ApplicationModel model, List<Notice> notices) {
    public CompiledApplication {
        notices = List.copyOf(notices);
    }
}
