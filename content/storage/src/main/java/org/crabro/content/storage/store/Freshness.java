package org.crabro.content.storage.store;

/** Whether a node has all acknowledged rows of the partitions that a reader asks for. */
public enum Freshness {
    /** It has. */
    CURRENT,
    /** Another node may have newer rows: it accepts them. */
    ELSEWHERE,
    /** This was not known before the deadline. */
    TIMED_OUT
}
