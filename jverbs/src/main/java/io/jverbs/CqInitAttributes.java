package io.jverbs;

/**
 * What a completion queue is created with, the arguments of ibv_create_cq(3). Ranges are checked when the queue is
 * created.
 *
 * @param cqe how many completions the queue must hold, 1 to {@link DeviceAttributes#maxCqe()}; the device may grant
 *         more
 * @param channel where the queue's events go, null if it is only polled
 * @param completionVector which of the device's interrupts to use, 0 to {@link DeviceAttributes#completionVectors()}
 *         - 1
 * @param userContext any object of the program's, given back by the queue; null if there is none
 */
public record CqInitAttributes(int cqe, CompletionChannel channel, int completionVector, Object userContext) {

    /**
     * Asks for a queue without channel and user context, on completion vector 0.
     *
     * @param cqe how many completions the queue must hold
     * @return the attributes
     */
    public static CqInitAttributes of(int cqe) {
        return new CqInitAttributes(cqe, null, 0, null);
    }

    /**
     * Sets the channel.
     *
     * @param events where the queue's events go, null for nowhere
     * @return these attributes with it
     */
    public CqInitAttributes withChannel(CompletionChannel events) {
        return new CqInitAttributes(cqe, events, completionVector, userContext);
    }

    /**
     * Sets the completion vector.
     *
     * @param vector which of the device's interrupts to use, from 0
     * @return these attributes with it
     */
    public CqInitAttributes withCompletionVector(int vector) {
        return new CqInitAttributes(cqe, channel, vector, userContext);
    }

    /**
     * Sets the user context.
     *
     * @param context any object of the program's, null for none
     * @return these attributes with it
     */
    public CqInitAttributes withUserContext(Object context) {
        return new CqInitAttributes(cqe, channel, completionVector, context);
    }
}
