/**
 * RDMA verbs for Java: the objects, attributes and work requests of libibverbs. {@link io.jverbs.Verbs} is the entry
 * point.
 *
 * <p>
 * The names of classes and methods are those of libibverbs, in full: {@code struct ibv_qp} is {@link
 * io.jverbs.QueuePair}, and {@code ibv_post_send} is {@link io.jverbs.QueuePair#postSend}. The Javadoc names the manual
 * page of each verb.
 *
 * <p>
 * Control path: {@link io.jverbs.RdmaContext}, {@link io.jverbs.ProtectionDomain} and the other objects are created
 * with immutable attributes. Failed verbs throw the unchecked {@link io.jverbs.VerbsException}, whose message says what
 * to do.
 *
 * <p>
 * Data path: {@link io.jverbs.SendWorkRequest}, {@link io.jverbs.ReceiveWorkRequest} and {@link
 * io.jverbs.WorkCompletions} are reusable and hold their data off-heap, in the layout of the C structures. Posting and
 * polling do not allocate.
 *
 * <p>
 * A complete program, in which one queue pair writes into memory of another:
 *
 * {@snippet :
 * try (RdmaContext context = Verbs.open();
 *         ProtectionDomain pd = context.allocatePd();
 *         CompletionQueue cq = context.createCompletionQueue(16);
 *         MemoryRegion source = pd.allocate(4096, Access.LOCAL_WRITE);
 *         MemoryRegion target = pd.allocate(4096, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
 *         QueuePair left = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build());
 *         QueuePair right = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build())) {
 *     left.connect(right.localInfo());
 *     right.connect(left.localInfo());
 *     source.segment().setString(0, "hello");
 *     left.postSend(SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED)
 *             .sge(source, 0, 64).remote(target.address(), target.rkey()));
 *     WorkCompletions completions = WorkCompletions.create(1);
 *     while (cq.poll(completions) == 0) {
 *         Thread.onSpinWait();
 *     }
 *     System.out.println(completions.status(0) + ": " + target.segment().getString(0));
 * }
 * }
 */
package io.jverbs;
