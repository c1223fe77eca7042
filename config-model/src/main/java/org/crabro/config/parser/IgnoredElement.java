package org.crabro.config.parser;

import org.crabro.config.application.Notice;

/**
 * A valid element of a schema that has no effect, or none yet.
 *
 * @param consequence the behaviour instead
 * @param streamingOnly whether it is reported only for types that are searched in mode streaming
 */
public record IgnoredElement(
        SourcePosition at, Notice.Level level, String consequence, boolean streamingOnly) {}
