/**
 * The manifest of a partition: which run files it has, and up to which journal position they reach.
 *
 * <p>Start reading at {@link org.crabro.content.storage.manifest.Manifest}, which appends a {@link
 * org.crabro.content.storage.manifest.ManifestEdit} to the {@link
 * org.crabro.content.storage.manifest.ManifestState}. {@link
 * org.crabro.content.storage.manifest.ManifestLayout} and {@code docs/formats/manifest.md} describe
 * the bytes.
 *
 * <p>This package does not open run files.
 */
@NullMarked
package org.crabro.content.storage.manifest;

import org.jspecify.annotations.NullMarked;
