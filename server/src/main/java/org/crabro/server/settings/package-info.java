/**
 * The settings of an operator: names, files, values.
 *
 * <p>Start reading at {@link org.crabro.server.settings.SettingsTree}. The names come from the
 * components of the settings records, so a new component is a new setting.
 *
 * <p>This package knows no particular setting.
 */
@NullMarked
package org.crabro.server.settings;

import org.jspecify.annotations.NullMarked;
