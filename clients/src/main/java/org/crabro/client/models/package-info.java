/**
 * Models of embedders in directories, as other programs write them.
 *
 * <p>Start reading at {@link org.crabro.client.models.ModelDirectory}.
 *
 * <p>This package runs no model, and knows no server.
 */
@NullMarked
package org.crabro.client.models;

import org.jspecify.annotations.NullMarked;
