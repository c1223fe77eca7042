/**
 * Embedders whose embeddings are computed by a network service.
 *
 * <p>Start reading at {@link org.crabro.container.embedding.ServiceEmbedder}. {@link
 * org.crabro.container.service.ServiceClient} calls the service.
 *
 * <p>This package does not know documents and queries.
 */
@NullMarked
package org.crabro.container.embedding;

import org.jspecify.annotations.NullMarked;
