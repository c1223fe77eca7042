package org.crabro.config.application;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The findings of reading a package: problems, which stop the deployment, and notices, which do
 * not. Keeps the order of reporting. Not thread-safe.
 *
 * <p>Problems are collected and not thrown, so that one deployment reports all of them.
 */
public final class Findings {
    /** The maximum number of listed problems; the rest is counted. */
    static final int PROBLEM_LIMIT = 50;

    /** Longer than a place, its lines and any sensible number of names. */
    static final int MESSAGE_LIMIT = 4_000;

    private final List<String> problems = new ArrayList<>();
    private final Set<Notice> notices = new LinkedHashSet<>();
    private int untold;

    /**
     * Adds a problem, which stops the deployment. {@code whole} starts with the position. A problem
     * that several elements inherit is added once.
     */
    public void problem(String whole) {
        String message = shortened(whole);
        if (problems.contains(message)) {
            return;
        }
        if (problems.size() < PROBLEM_LIMIT) {
            problems.add(message);
        } else {
            untold++;
        }
    }

    /** Adds a warning; one that several elements inherit is added once. */
    public void warn(String message) {
        notices.add(new Notice(Notice.Level.WARNING, shortened(message)));
    }

    /** Adds a detail, which clients show only on request. */
    public void inform(String message) {
        notices.add(new Notice(Notice.Level.INFO, shortened(message)));
    }

    private static String shortened(String message) {
        if (message.length() <= MESSAGE_LIMIT) {
            return message;
        }
        int end = MESSAGE_LIMIT;
        if (Character.isHighSurrogate(message.charAt(end - 1))) {
            end--;
        }
        return message.substring(0, end) + " ...";
    }

    /** Notes everything that {@code other} has. */
    public void add(Findings other) {
        other.problems.forEach(this::problem);
        untold += other.untold;
        notices.addAll(other.notices);
    }

    /** Returns whether something stops the deployment. */
    public boolean hasProblems() {
        return !problems.isEmpty();
    }

    /** Returns whether more problems are counted only. */
    public boolean isFull() {
        return problems.size() >= PROBLEM_LIMIT;
    }

    /** Returns the problems so far; at its end a line that counts those left out, if any were. */
    public List<String> problems() {
        if (untold == 0) {
            return List.copyOf(problems);
        }
        var told = new ArrayList<>(problems);
        told.add(untold + " more problems");
        return List.copyOf(told);
    }

    /** Returns the notices so far. */
    public List<Notice> notices() {
        return List.copyOf(notices);
    }
}
