/**
 * Encodes the JSON of puts as rows, straight from the bytes of a body or of a line.
 *
 * <p>This path handles the common forms of JSON, for document types that are stored as they are
 * fed. Every other form ends in an exception, and the caller parses the JSON into field values
 * instead. Error messages come from that second path only. Both paths accept the same forms of
 * values, and give the same rows.
 *
 * <p>Start reading at {@link org.crabro.protocol.json.RowEncoder}, then {@link
 * org.crabro.protocol.json.ValueEncoder}.
 *
 * <p>This package does not know requests, nor which node stores a row.
 */
@NullMarked
package org.crabro.protocol.json;

import org.jspecify.annotations.NullMarked;
