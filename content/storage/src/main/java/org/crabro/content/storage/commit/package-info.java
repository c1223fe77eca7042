/**
 * How rows become durable: writers propose them, and a journal agrees on their order.
 *
 * <p>Start reading at {@link org.crabro.content.storage.commit.Journal} and {@link
 * org.crabro.content.storage.commit.Proposal}. {@link
 * org.crabro.content.storage.commit.LocalJournal} is the journal of a single node; that of replicas
 * is in another module.
 *
 * <p>This package does not know where rows are applied.
 */
@NullMarked
package org.crabro.content.storage.commit;

import org.jspecify.annotations.NullMarked;
