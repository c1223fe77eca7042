package org.crabro.perf.profile;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Stacks of samples, merged from the outermost frame on. The number of nodes is limited: frames
 * beyond it count for their caller.
 */
final class StackTree {
    private final Node root = new Node("all");
    private final int maxNodes;
    private int nodes = 1;

    /** A frame below its callers. */
    static final class Node {
        private final String frame;
        private final Map<String, Node> callees = new TreeMap<>();
        private long samples;

        private Node(String frame) {
            this.frame = frame;
        }

        String frame() {
            return frame;
        }

        /** Returns the samples of this frame and of what it called. */
        long samples() {
            return samples;
        }

        /** Returns the callees by name. */
        List<Node> callees() {
            return List.copyOf(callees.values());
        }

        /** Returns the samples in which this frame was the innermost one. */
        long ownSamples() {
            return samples - callees.values().stream().mapToLong(Node::samples).sum();
        }
    }

    StackTree(int maxNodes) {
        this.maxNodes = maxNodes;
    }

    /**
     * Adds a sample.
     *
     * @param frames the outermost one first
     */
    void add(List<String> frames) {
        Node node = root;
        node.samples++;
        for (String frame : frames) {
            Node callee = node.callees.get(frame);
            if (callee == null) {
                if (nodes == maxNodes) {
                    return;
                }
                nodes++;
                callee = new Node(frame);
                node.callees.put(frame, callee);
            }
            callee.samples++;
            node = callee;
        }
    }

    Node root() {
        return root;
    }

    /** Returns lines with the innermost frames of most samples. */
    List<String> hottest(int count) {
        Map<String, Long> own = new TreeMap<>();
        addOwn(root, own);
        return own.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
                .limit(count)
                .map(each ->
                        "%5.1f %%  %s"
                                .formatted(
                                        100.0 * each.getValue() / Math.max(1, root.samples),
                                        each.getKey()))
                .toList();
    }

    private static void addOwn(Node node, Map<String, Long> own) {
        long samples = node.ownSamples();
        if (samples > 0) {
            own.merge(node.frame, samples, Long::sum);
        }
        node.callees.values().forEach(callee -> addOwn(callee, own));
    }
}
