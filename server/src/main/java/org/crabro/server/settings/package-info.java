/**
 * The settings of an operator: names, files and values.
 *
 * <p>Start reading at {@link org.crabro.server.settings.SettingsTree}. The components of the
 * settings records define the names, so a new component is a new setting.
 *
 * <p>The package does not depend on any particular setting.
 */
@NullMarked
package org.crabro.server.settings;

import org.jspecify.annotations.NullMarked;
