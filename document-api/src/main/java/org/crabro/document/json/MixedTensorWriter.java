package org.crabro.document.json;

import java.util.List;
import java.util.stream.IntStream;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorText;
import org.crabro.tensor.TensorType;
import tools.jackson.core.JsonGenerator;

/**
 * Writes one tensor with mapped dimensions.
 *
 * <pre>
 *   compact := "cells" of one mapped dimension only:   { label: cell ... }
 *            | "cells" of several:                     [ { "address": ..., "value": cell } ... ]
 *            | "blocks" of one mapped dimension:       { label: values ... }
 *            | "blocks" of several:                    [ { "address": ..., "values": values } ... ]
 * </pre>
 */
final class MixedTensorWriter {
    private final JsonGenerator json;
    private final MixedTensor tensor;
    private final TensorType type;
    private final List<String> mapped;
    private final List<Dimension> indexed;

    MixedTensorWriter(JsonGenerator json, MixedTensor tensor) {
        this.json = json;
        this.tensor = tensor;
        this.type = tensor.type();
        this.mapped =
                type.dimensions().stream()
                        .filter(Dimension.Mapped.class::isInstance)
                        .map(Dimension::name)
                        .toList();
        this.indexed =
                type.dimensions().stream().filter(Dimension.Indexed.class::isInstance).toList();
    }

    void write(TensorFormat format) {
        if (format.withType()) {
            json.writeStartObject();
            json.writeStringProperty(TensorMembers.TYPE, type.toString());
            json.writeName(
                    format.cells() == TensorFormat.Cells.ADDRESSED || indexed.isEmpty()
                            ? TensorMembers.CELLS
                            : TensorMembers.BLOCKS);
        }
        switch (format.cells()) {
            case COMPACT -> writeCompact(false);
            case HEX -> writeCompact(true);
            case ADDRESSED -> writeCells();
            case LITERAL -> json.writeString(TensorText.of(tensor));
            case LONG_LITERAL -> json.writeString(TensorText.longOf(tensor));
        }
        if (format.withType()) {
            json.writeEndObject();
        }
    }

    private void writeCompact(boolean hex) {
        List<List<String>> addresses = tensor.addresses();
        if (mapped.size() == 1) {
            json.writeStartObject();
            for (int i = 0; i < addresses.size(); i++) {
                json.writeName(addresses.get(i).getFirst());
                writeSubspace(i, hex);
            }
            json.writeEndObject();
            return;
        }
        json.writeStartArray();
        for (int i = 0; i < addresses.size(); i++) {
            json.writeStartObject();
            json.writeObjectPropertyStart(TensorMembers.ADDRESS);
            for (int label = 0; label < mapped.size(); label++) {
                json.writeStringProperty(mapped.get(label), addresses.get(i).get(label));
            }
            json.writeEndObject();
            json.writeName(indexed.isEmpty() ? TensorMembers.VALUE : TensorMembers.VALUES);
            writeSubspace(i, hex);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void writeSubspace(int subspace, boolean hex) {
        if (indexed.isEmpty()) {
            FieldValueWriter.writeCell(json, type.cellType(), tensor.cell(subspace, 0));
            return;
        }
        var values =
                DenseTensor.of(
                        new TensorType(type.cellType(), indexed),
                        IntStream.range(0, type.subspaceSize())
                                .mapToDouble(i -> tensor.cell(subspace, i))
                                .toArray());
        FieldValueWriter.write(
                json, values, hex ? TensorFormat.HEX_VALUE : TensorFormat.SHORT_VALUE);
    }

    private void writeCells() {
        json.writeStartArray();
        for (int subspace = 0; subspace < tensor.addresses().size(); subspace++) {
            for (int i = 0; i < type.subspaceSize(); i++) {
                json.writeStartObject();
                json.writeObjectPropertyStart(TensorMembers.ADDRESS);
                writeAddress(tensor.addresses().get(subspace), i);
                json.writeEndObject();
                json.writeName(TensorMembers.VALUE);
                FieldValueWriter.writeCell(json, type.cellType(), tensor.cell(subspace, i));
                json.writeEndObject();
            }
        }
        json.writeEndArray();
    }

    private void writeAddress(List<String> labels, int index) {
        int label = 0;
        int part = type.subspaceSize();
        for (Dimension dimension : type.dimensions()) {
            switch (dimension) {
                case Dimension.Mapped(String name) -> {
                    json.writeStringProperty(name, labels.get(label));
                    label++;
                }
                case Dimension.Indexed(String name, int size) -> {
                    part /= size;
                    json.writeStringProperty(name, Integer.toString(index / part % size));
                }
            }
        }
    }
}
