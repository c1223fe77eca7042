package org.crabro.config.services;

import org.crabro.config.application.XmlElement;

/** A graphics processor that a package asks for. Models run on processors only. */
final class GpuDevice {
    private GpuDevice() {}

    /**
     * Warns if a model is to run on a graphics processor. A negative number asks for none.
     *
     * @param name of the element with its number
     */
    static void check(XmlElement model, String name) {
        model.children(name).stream()
                .filter(device -> !device.text().startsWith("-"))
                .findFirst()
                .ifPresent(device ->
                        device.file()
                                .warn(
                                        device,
                                        name + ": no model is run on a graphics processor here"));
    }
}
