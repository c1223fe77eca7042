/**
 * Pages and plots that are made from the code or from tables: tests compare them, and write them
 * with {@code -Dcrabro.write=true}.
 */
@NullMarked
package org.crabro.docs.pages;

import org.jspecify.annotations.NullMarked;
