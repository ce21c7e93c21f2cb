package io.jverbs.samples.top;

import io.jverbs.control.DevicesMXBean;
import java.util.List;

/** A program whose devices are watched. */
interface Target extends AutoCloseable {

    /** Which program it is, for the first line. */
    String name();

    /**
     * Its devices now.
     *
     * @throws io.jverbs.samples.SampleFailure if it has ended
     */
    List<DevicesMXBean.Device> devices();

    @Override
    void close();
}
