/**
 * Serves the models of an application over HTTP, and counts the runs of all models.
 *
 * <p>Start reading at {@link org.crabro.container.model.ModelHandler}, which answers requests.
 * {@link org.crabro.container.model.ApplicationModels} are the loaded models of an application.
 *
 * <p>The package does not know queries and documents.
 */
@NullMarked
package org.crabro.container.model;

import org.jspecify.annotations.NullMarked;
