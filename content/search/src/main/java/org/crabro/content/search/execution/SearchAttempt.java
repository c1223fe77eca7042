package org.crabro.content.search.execution;

/**
 * One attempt to answer a search: the parts that all its phases use. A search that meets damaged
 * blocks makes another attempt without them.
 *
 * @param slices the slices that the attempt scans
 * @param passes runs the phases that go over all slices
 */
record SearchAttempt(
        SearchPlan plan,
        ScopeSlices slices,
        SearchScans scans,
        SlicePasses passes,
        SearchDeadline deadline,
        Trace trace) {}
