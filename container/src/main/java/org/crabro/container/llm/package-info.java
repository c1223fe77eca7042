/**
 * Generates answers with language models: clients of services, the searchers that ask them, and the
 * bounds of all calls together.
 *
 * <p>Start reading at {@link org.crabro.container.llm.ModelCalls}, which starts a call on a virtual
 * thread, then {@link org.crabro.container.llm.OpenAiModel}.
 *
 * <p>This package does not know how queries are parsed and how results are written.
 */
@NullMarked
package org.crabro.container.llm;

import org.jspecify.annotations.NullMarked;
