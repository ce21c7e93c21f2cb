package io.jverbs.contract.end;

import io.jverbs.DeviceAttributes;
import io.jverbs.Gid;
import io.jverbs.GidEntry;
import io.jverbs.PortAttributes;
import java.util.List;

/**
 * Queries of the end's device, contexts and protection domains. Contexts are identified by ids; {@link End#MAIN} always
 * exists.
 */
public interface DeviceCommands {

    /** Returns the name of the device of the main context. */
    String deviceName();

    /** Returns the selector with which this end was opened. */
    String selector();

    /** Returns the names of {@code Verbs.devices()}. */
    List<String> deviceNames();

    /** Opens another context of the same device. */
    int openContext();

    /**
     * Opens {@code perThread} contexts of the device in each of {@code threads} threads at the same time, queries a
     * port of each, and closes them. Returns the number of distinct contexts.
     */
    int openManyContexts(int threads, int perThread);

    DeviceAttributes queryDevice(int context);

    PortAttributes queryPort(int context, int port);

    Gid queryGid(int context, int port, int index);

    GidEntry queryGidEntry(int context, int port, int index);

    List<GidEntry> queryGidTable(int context);

    GidEntry preferredGid(int context, int port);

    int queryPkey(int context, int port, int index);

    /** Returns the index of a P_Key, or -1 if the table does not contain it. */
    int pkeyIndex(int context, int port, int pkey);

    int allocatePd(int context);

    /**
     * Closes any object of this end by its id (context, domain, region, window, queue, channel, address handle). The id
     * stays valid, for tests of closed objects.
     */
    void destroy(int id);

    /** Returns whether a region or context is closed. */
    boolean isClosed(int id);

    /** Returns {@code toString} of the object. */
    String describe(int id);

    /**
     * Describes all queue pairs and completion queues, for the analysis of a failure. Removes the completions from the
     * queues.
     */
    String describeAll();
}
