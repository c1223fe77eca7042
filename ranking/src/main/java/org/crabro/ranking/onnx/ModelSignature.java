package org.crabro.ranking.onnx;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The inputs and outputs of a model, read from its file without loading it. It reads the few fields
 * of the ONNX format that hold names and skips all others.
 *
 * @param inputs the names of the required inputs, in the order of the file
 * @param outputs the names of the outputs, in the order of the file
 * @param operations the kinds of operations, each once
 * @param hasExternalData whether other files contain weights
 */
public record ModelSignature(
        List<String> inputs,
        List<String> outputs,
        Set<String> operations,
        boolean hasExternalData) {
    /** Names are longer in no model that means it well. */
    private static final int NAME_LENGTH_MAX = 1 << 16;

    // Numbers of fields in the messages of the format.
    private static final int MODEL_GRAPH = 7;
    private static final int GRAPH_NODE = 1;
    private static final int GRAPH_INITIALIZER = 5;
    private static final int GRAPH_INPUT = 11;
    private static final int GRAPH_OUTPUT = 12;
    private static final int NODE_OPERATION = 4;
    private static final int VALUE_NAME = 1;
    private static final int TENSOR_NAME = 8;
    private static final int TENSOR_EXTERNAL_DATA = 13;

    private static final int VARINT = 0;
    private static final int EIGHT_BYTES = 1;
    private static final int BYTES = 2;
    private static final int FOUR_BYTES = 5;

    public ModelSignature {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        operations = Set.copyOf(operations);
    }

    /**
     * Returns the inputs and outputs of the model in {@code file}.
     *
     * @throws InvalidModelException if the file is no model or cannot be read
     */
    public static ModelSignature read(Path file) {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
            var reading = new Reading(in, Files.size(file));
            reading.model();
            if (reading.outputs.isEmpty()) {
                throw new InvalidModelException(file.getFileName() + " is no ONNX model");
            }
            // Old models list their weights among the inputs.
            reading.inputs.removeAll(reading.initializers);
            return new ModelSignature(
                    reading.inputs, reading.outputs, reading.operations, reading.hasExternalData);
        } catch (IOException e) {
            throw new InvalidModelException(
                    file.getFileName() + " is no ONNX model: " + e.getMessage(), e);
        }
    }

    /** One pass over the file. */
    private static final class Reading {
        private final InputStream in;
        private final long size;
        private final List<String> inputs = new ArrayList<>();
        private final List<String> outputs = new ArrayList<>();
        private final Set<String> initializers = new HashSet<>();
        private final Set<String> operations = new HashSet<>();
        private boolean hasExternalData;
        private long at;

        Reading(InputStream in, long size) {
            this.in = in;
            this.size = size;
        }

        void model() throws IOException {
            while (at < size) {
                long key = varint();
                if (key == (MODEL_GRAPH << 3 | BYTES)) {
                    graph(end());
                } else {
                    skip(key);
                }
            }
        }

        private void graph(long end) throws IOException {
            while (at < end) {
                long key = varint();
                if (key == (GRAPH_INPUT << 3 | BYTES)) {
                    name(end(), VALUE_NAME, inputs);
                } else if (key == (GRAPH_OUTPUT << 3 | BYTES)) {
                    name(end(), VALUE_NAME, outputs);
                } else if (key == (GRAPH_INITIALIZER << 3 | BYTES)) {
                    var names = new ArrayList<String>();
                    name(end(), TENSOR_NAME, names);
                    initializers.addAll(names);
                } else if (key == (GRAPH_NODE << 3 | BYTES)) {
                    var names = new ArrayList<String>();
                    name(end(), NODE_OPERATION, names);
                    operations.addAll(names);
                } else {
                    skip(key);
                }
            }
        }

        private void name(long end, int field, List<String> into) throws IOException {
            while (at < end) {
                long key = varint();
                if (key == (field << 3 | BYTES)) {
                    into.add(text());
                } else {
                    hasExternalData |=
                            field == TENSOR_NAME && key == (TENSOR_EXTERNAL_DATA << 3 | BYTES);
                    skip(key);
                }
            }
        }

        private String text() throws IOException {
            long length = end() - at;
            if (length > NAME_LENGTH_MAX) {
                throw new EOFException("a name of " + length + " bytes at byte " + at);
            }
            byte[] bytes = in.readNBytes((int) length);
            at += bytes.length;
            if (bytes.length < length) {
                throw new EOFException("it ends within a name");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }

        /** Reads a length and returns the end of the message or text that follows. */
        private long end() throws IOException {
            long length = varint();
            if (length < 0 || length > size - at) {
                throw new EOFException(
                        "a part of %d bytes at byte %d of %d".formatted(length, at, size));
            }
            return at + length;
        }

        private void skip(long key) throws IOException {
            switch ((int) (key & 7)) {
                case VARINT -> varint();
                case EIGHT_BYTES -> skipBytes(Long.BYTES);
                case BYTES -> skipBytes(end() - at);
                case FOUR_BYTES -> skipBytes(Integer.BYTES);
                default -> throw new EOFException("a field of an unknown kind at byte " + at);
            }
        }

        private void skipBytes(long count) throws IOException {
            in.skipNBytes(count);
            at += count;
        }

        private long varint() throws IOException {
            long value = 0;
            for (int shift = 0; shift < Long.SIZE; shift += 7) {
                int b = in.read();
                if (b < 0) {
                    throw new EOFException("it ends early");
                }
                at++;
                value |= (long) (b & 0x7F) << shift;
                if (b < 0x80) {
                    return value;
                }
            }
            throw new EOFException("a number of more than 64 bits at byte " + at);
        }
    }
}
