package org.crabro.client.models;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an ONNX model takes and gives. Of the file, only the places of these parts are read; the
 * weights are skipped.
 *
 * <pre>
 *   ModelProto       graph 7
 *   GraphProto       input 11, output 12
 *   ValueInfoProto   name 1, type 2
 *   TypeProto        tensor_type 1
 *   Tensor           shape 2
 *   TensorShapeProto dim 1
 *   Dimension        dim_value 1
 * </pre>
 *
 * @param inputs the names of the inputs
 * @param outputs the last dimension of each output by its name; 0 if it is not fixed
 */
record OnnxSignature(List<String> inputs, Map<String, Long> outputs) {
    private static final int VALUES_MAX = 1_000;
    private static final int NAME_BYTES_MAX = 1_000;
    private static final int DIMENSIONS_MAX = 100;
    private static final int VARINT_BYTES_MAX = 10;
    private static final int WINDOW_BYTES = 1 << 16;

    OnnxSignature {
        inputs = List.copyOf(inputs);
        outputs = Collections.unmodifiableMap(new LinkedHashMap<>(outputs));
    }

    /**
     * Reads the signature of a file.
     *
     * @throws IOException if it is no ONNX model
     */
    static OnnxSignature of(Path file) throws IOException {
        List<String> inputs = new ArrayList<>();
        Map<String, Long> outputs = new LinkedHashMap<>();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            var bytes = new Bytes(channel);
            for (Part graph : bytes.parts(new Part(0, channel.size()), 7, 1)) {
                for (Part input : bytes.parts(graph, 11, VALUES_MAX)) {
                    inputs.add(bytes.name(input));
                }
                for (Part output : bytes.parts(graph, 12, VALUES_MAX)) {
                    outputs.put(bytes.name(output), bytes.lastDimension(output));
                }
            }
        } catch (DamagedException e) {
            throw new IOException("%s is no ONNX model: %s".formatted(file, e.getMessage()), e);
        }
        return new OnnxSignature(inputs, outputs);
    }

    /** A message: the bytes from {@code begin} to before {@code end}. */
    private record Part(long begin, long end) {}

    /** The bytes are no messages of protocol buffers. */
    private static final class DamagedException extends IOException {
        private static final long serialVersionUID = 1L;

        DamagedException(String message) {
            super(message);
        }
    }

    /** The bytes of a file, read through a window that moves. */
    private static final class Bytes {
        private final FileChannel channel;
        private final ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);
        private long windowBegin;
        private long at;

        Bytes(FileChannel channel) {
            this.channel = channel;
        }

        /** Returns the members of a message with a number and a length. */
        List<Part> parts(Part message, int number, int max) throws IOException {
            List<Part> parts = new ArrayList<>();
            at = message.begin;
            while (at < message.end) {
                long tag = varint(message.end);
                long begin = at;
                switch ((int) (tag & 7)) {
                    case 0 -> varint(message.end);
                    case 1 -> at += 8;
                    case 2 -> {
                        long length = varint(message.end);
                        begin = at;
                        if (length < 0 || length > message.end - at) {
                            throw damaged("a part is longer than the part around it");
                        }
                        at += length;
                    }
                    case 5 -> at += 4;
                    default -> throw damaged("unknown kind of a member");
                }
                if (at > message.end) {
                    throw damaged("a number is longer than the part around it");
                }
                if (tag == ((long) number << 3 | 2)) {
                    if (parts.size() == max) {
                        throw damaged("more than %,d parts of number %d".formatted(max, number));
                    }
                    parts.add(new Part(begin, at));
                }
            }
            return parts;
        }

        String name(Part value) throws IOException {
            for (Part name : parts(value, 1, 1)) {
                if (name.end - name.begin > NAME_BYTES_MAX) {
                    throw damaged("a name is longer than %,d bytes".formatted(NAME_BYTES_MAX));
                }
                byte[] bytes = new byte[(int) (name.end - name.begin)];
                at = name.begin;
                for (int i = 0; i < bytes.length; i++) {
                    bytes[i] = next(name.end);
                }
                return new String(bytes, StandardCharsets.UTF_8);
            }
            return "";
        }

        long lastDimension(Part value) throws IOException {
            for (Part type : parts(value, 2, 1)) {
                for (Part tensor : parts(type, 1, 1)) {
                    for (Part shape : parts(tensor, 2, 1)) {
                        List<Part> dimensions = parts(shape, 1, DIMENSIONS_MAX);
                        return dimensions.isEmpty() ? 0 : dimension(dimensions.getLast());
                    }
                }
            }
            return 0;
        }

        /** Returns the number of a dimension that begins with it; 0 if it has a name. */
        private long dimension(Part dimension) throws IOException {
            at = dimension.begin;
            return at < dimension.end && varint(dimension.end) == 8 ? varint(dimension.end) : 0;
        }

        private long varint(long end) throws IOException {
            long value = 0;
            for (int i = 0; i < VARINT_BYTES_MAX; i++) {
                byte next = next(end);
                value |= (long) (next & 0x7f) << (7 * i);
                if (next >= 0) {
                    return value;
                }
            }
            throw damaged("a number has more than %d bytes".formatted(VARINT_BYTES_MAX));
        }

        private byte next(long end) throws IOException {
            if (at >= end) {
                throw damaged("a number has no end");
            }
            if (at < windowBegin || at >= windowBegin + window.limit()) {
                window.clear();
                windowBegin = at;
                while (window.hasRemaining()
                        && channel.read(window, windowBegin + window.position()) > 0) {
                    // Until the window is full, or the file has ended.
                }
                window.flip();
                if (!window.hasRemaining()) {
                    throw new EOFException("the file has become shorter");
                }
            }
            return window.get((int) (at++ - windowBegin));
        }

        private DamagedException damaged(String problem) {
            return new DamagedException("%s, at byte %,d".formatted(problem, at));
        }
    }
}
