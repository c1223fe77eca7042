package org.crabro.container.llm;

import org.crabro.component.LanguageModel;

/**
 * A language model of a package.
 *
 * @param id of its component
 */
public record NamedModel(String id, LanguageModel model) {}
