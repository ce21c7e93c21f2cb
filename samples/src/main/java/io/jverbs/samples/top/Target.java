package io.jverbs.samples.top;

import io.jverbs.control.DevicesMXBean;
import java.util.List;

/** A program whose devices are watched. */
interface Target extends AutoCloseable {

    /** {@return the name of the program, for the first line} */
    String name();

    /**
     * {@return the present state of the program's devices}
     *
     * @throws io.jverbs.samples.console.SampleFailure if the program has exited or no longer exposes its devices
     */
    List<DevicesMXBean.Device> devices();

    @Override
    void close();
}
