package org.crabro.config.parser;

import org.crabro.config.application.Notice;

/**
 * Something valid in a schema that changes nothing here, or not yet.
 *
 * @param consequence what happens instead
 * @param streamingOnly whether it is worth telling only where the type is searched in mode
 *     streaming
 */
public record IgnoredElement(
        SourcePosition at, Notice.Level level, String consequence, boolean streamingOnly) {}
