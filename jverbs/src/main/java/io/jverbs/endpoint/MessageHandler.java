package io.jverbs.endpoint;

/**
 * Gets the messages of an endpoint; see {@link Endpoint#onMessage}.
 *
 * <p>
 * The methods of all handlers of a context are called by one thread at a time: a thread of the context, or one that
 * waits in a method of an endpoint. A handler may send, reply and make requests, also if this means that it has to
 * wait. While it runs, no other handler of the context is called, so it should return soon.
 *
 * <p>
 * If a method throws an exception or an Error, its connection ends with {@link
 * EndpointException.Reason#HANDLER_FAILED}. Other connections continue.
 *
 * {@snippet :
 * endpoint.onMessage((from, message) -> message.reply(replyTo(message.bytes())));
 * }
 */
@FunctionalInterface
public interface MessageHandler {

    /**
     * Called for each message, in the order in which the peer has sent them. The message is closed when this method
     * returns, so copy what is needed later.
     *
     * @param endpoint the endpoint that has received the message
     * @param message the message
     * @throws InterruptedException if the thread is interrupted; the connection ends then
     */
    void onMessage(Endpoint endpoint, Message message) throws InterruptedException;

    /**
     * Called once, after the last message, when the connection has ended. Does nothing unless it is overridden.
     *
     * @param endpoint the endpoint
     * @param failure why the connection has ended; null if one side has closed its endpoint
     */
    default void onClosed(Endpoint endpoint, EndpointException failure) {
        // most handlers do not need it
    }
}
