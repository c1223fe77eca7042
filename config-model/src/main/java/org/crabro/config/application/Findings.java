package org.crabro.config.application;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What is found while a package is read: problems, which stop the deployment, and notices, which do
 * not. Collects in the order of reporting, for one thread.
 *
 * <p>Problems are collected and not thrown, so that one deployment tells all of them.
 */
public final class Findings {
    /** More problems than a person reads at once; the rest is counted. */
    static final int PROBLEM_LIMIT = 50;

    /** Longer than a place, its lines and any sensible number of names. */
    static final int MESSAGE_LIMIT = 4_000;

    private final List<String> problems = new ArrayList<>();
    private final Set<Notice> notices = new LinkedHashSet<>();
    private int untold;

    /**
     * Notes what stops the deployment; {@code whole} starts with the place. What is inherited by
     * several is told once.
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

    /** Notes something that may surprise whoever deploys; what several inherit is told once. */
    public void warn(String message) {
        notices.add(new Notice(Notice.Level.WARNING, shortened(message)));
    }

    /** Notes something that whoever asks for details may want to know. */
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
