/**
 * The languages in which people say what they look for: YQL, and the simple language of search
 * boxes.
 *
 * <p>Start reading at {@link org.crabro.container.yql.YqlParser}, whose comment holds the grammar,
 * then {@link org.crabro.container.yql.SimpleQueryParser}.
 *
 * <p>This package does not know HTTP, schemas or limits: it asks a {@link
 * org.crabro.container.yql.QueryContext} for the few things it needs to know of a request.
 */
@NullMarked
package org.crabro.container.yql;

import org.jspecify.annotations.NullMarked;
