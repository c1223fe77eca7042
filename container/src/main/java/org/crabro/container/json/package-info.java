/**
 * Encodes the JSON of puts as rows, straight from the bytes of a body or of a line.
 *
 * <p>This path handles the common forms of JSON, for document types that are stored as they are
 * fed. For every other form it returns nothing, and the caller parses the JSON into field values
 * instead. Error messages come from that second path only.
 *
 * <p>Start reading at {@link org.crabro.container.json.JsonRowPuts}, then {@link
 * org.crabro.container.json.RowEncoder}.
 *
 * <p>This package does not know bulk requests, nor which node stores a row.
 */
@NullMarked
package org.crabro.container.json;

import org.jspecify.annotations.NullMarked;
