/**
 * Contacts and events: vCard 2.1, 3.0 and 4.0, and iCalendar.
 *
 * <p>Start reading at {@link org.crabro.client.cards.CardRecords}. Both formats have the same
 * lines, {@link org.crabro.client.cards.ContentLine}.
 *
 * <p>This package does not know files, schemas or servers.
 */
@NullMarked
package org.crabro.client.cards;

import org.jspecify.annotations.NullMarked;
