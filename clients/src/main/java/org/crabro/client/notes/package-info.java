/**
 * Notes: the YAML before a text, and titles.
 *
 * <p>Start reading at {@link org.crabro.client.notes.FrontMatter}.
 *
 * <p>This package does not know files, schemas or servers.
 */
@NullMarked
package org.crabro.client.notes;

import org.jspecify.annotations.NullMarked;
