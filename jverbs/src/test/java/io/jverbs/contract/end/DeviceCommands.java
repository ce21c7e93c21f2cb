package io.jverbs.contract.end;

import io.jverbs.DeviceAttributes;
import io.jverbs.Gid;
import io.jverbs.GidEntry;
import io.jverbs.PortAttributes;
import java.util.List;

/** Queries of the end's device, contexts and protection domains. Contexts are ids; {@link End#MAIN} always exists. */
public interface DeviceCommands {

    /** Name of the device of the main context. */
    String deviceName();

    /** Selector this end was opened with. */
    String selector();

    /** Names of {@code Verbs.devices()}. */
    List<String> deviceNames();

    /** Another context of the same device. */
    int openContext();

    /**
     * Opens {@code perThread} contexts of the device in each of {@code threads} threads at once, asks each for its
     * ports, closes them, and answers how many distinct contexts there were.
     */
    int openManyContexts(int threads, int perThread);

    DeviceAttributes queryDevice(int context);

    PortAttributes queryPort(int context, int port);

    Gid queryGid(int context, int port, int index);

    GidEntry queryGidEntry(int context, int port, int index);

    List<GidEntry> queryGidTable(int context);

    GidEntry preferredGid(int context, int port);

    int queryPkey(int context, int port, int index);

    /** Index of a P_Key, -1 when the table lacks it. */
    int pkeyIndex(int context, int port, int pkey);

    int allocatePd(int context);

    /**
     * Closes any object of this end by its id (context, domain, region, window, queue, channel, address handle). The
     * id stays valid for tests of closed objects.
     */
    void destroy(int id);

    /** Whether a region or context says it is closed. */
    boolean isClosed(int id);

    /** {@code toString} of the object. */
    String describe(int id);

    /** What all queue pairs and completion queues are like; takes the completions. For who looks into a failure. */
    String describeAll();
}
