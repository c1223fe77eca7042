/**
 * Query languages: YQL, and the simple language of search boxes.
 *
 * <p>Start reading at {@link org.crabro.container.yql.YqlParser}, whose comment contains the
 * grammar, then {@link org.crabro.container.yql.SimpleQueryParser}.
 *
 * <p>The package does not depend on HTTP or schemas. {@link org.crabro.container.yql.QueryContext}
 * supplies what a parser needs of the request.
 */
@NullMarked
package org.crabro.container.yql;

import org.jspecify.annotations.NullMarked;
