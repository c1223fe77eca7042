/**
 * The files of an application package.
 *
 * <p>Start reading at {@link org.crabro.config.application.ApplicationFiles}; XML is read by {@link
 * org.crabro.config.application.XmlText}.
 *
 * <p>This package does not know what the files mean.
 */
@NullMarked
package org.crabro.config.application;

import org.jspecify.annotations.NullMarked;
