package org.crabro.container.search;

import org.crabro.protocol.search.Hit;

/**
 * A hit with where it comes from.
 *
 * @param source the content cluster
 * @param showsType whether {@code sddocname} is among its fields
 * @param showsId whether {@code documentid} is among its fields, and its id the document's
 */
public record ResultHit(
        Hit hit, String source, String documentType, boolean showsType, boolean showsId) {}
