package io.jverbs.rsocket.journal;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A stream has ended. */
@Name("io.jverbs.Stream")
@Label("Stream")
@Description("A stream has ended, or was not established")
@Category("RDMA")
@StackTrace(false)
final class StreamEvent extends Event {
    @Label("Device")
    @Description("The name of the RDMA device")
    String device;
    @Label("Queue Pair")
    @Description("The number of the queue pair, 0 if there was none yet")
    int queuePair;
    @Label("Local Address")
    @Description("The address and the port of this side, null if they are not known")
    String local;
    @Label("Remote Address")
    @Description("The address and the port of the peer")
    String remote;
    @Label("Accepted")
    @Description("True if a listener accepted the stream, false if this side connected it")
    boolean accepted;
    @Label("Lifetime")
    @Description("The time from the begin of the connection's establishment")
    @Timespan
    long lifetime;
    @Label("Sent Bytes")
    @Description("The bytes that were sent, without those that were written to mapped buffers")
    @DataAmount
    long sentBytes;
    @Label("Sent Messages")
    @Description("The messages that took a credit of the peer")
    long sentMessages;
    @Label("Received Bytes")
    @Description("The bytes that have arrived")
    @DataAmount
    long receivedBytes;
    @Label("Received Messages")
    @Description("The messages of the peer that took a credit")
    long receivedMessages;
    @Label("Waits")
    @Description("How often a thread blocked in a method of the stream")
    long waits;
    @Label("Reason")
    @Description("What ended the stream: the reason of its RdmaStreamException, or an event of its state machine")
    String reason;
    @Label("Explanation")
    @Description("The message of the exception, null if the stream has not failed")
    String explanation;
}
