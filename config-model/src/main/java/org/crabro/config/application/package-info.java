/**
 * The files of an application package.
 *
 * <p>Start reading at {@link org.crabro.config.application.ApplicationFiles}. {@link
 * org.crabro.config.application.XmlText} reads XML.
 *
 * <p>The package does not interpret the files.
 */
@NullMarked
package org.crabro.config.application;

import org.jspecify.annotations.NullMarked;
