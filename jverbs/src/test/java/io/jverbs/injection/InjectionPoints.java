package io.jverbs.injection;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Finds the injection points of classes, the instructions that can throw an Error: allocations and calls. A call is no
 * injection point if the method is quiet, so that only a stack overflow is possible, which ShortStacksTest covers. A
 * quiet method does not allocate or throw, and calls only quiet methods and the JDK methods that are listed here. A
 * call of a method that catches every Throwable is no injection point either, because the calls inside that method are.
 * An abstract method of a sealed type is quiet if all implementations are. Assertions have no injection points.
 */
public final class InjectionPoints {
    /**
     * Methods of the JDK that neither allocate nor access memory of the program. An entry that ends with a dot stands
     * for all methods of the class.
     */
    private static final Set<String> QUIET_JDK = Set.of("java/lang/invoke/VarHandle.", "java/lang/Math.",
            "java/util/Objects.requireNonNull",
            "java/lang/Integer.compareUnsigned", "java/lang/Integer.reverseBytes", "java/lang/Long.compareUnsigned",
            "java/lang/Long.reverseBytes", "java/lang/Object.<init>", "java/lang/Thread.onSpinWait",
            "java/lang/Thread.currentThread", "java/lang/System.nanoTime", "java/lang/Enum.ordinal",
            "java/util/concurrent/atomic/AtomicInteger.", "java/util/concurrent/atomic/AtomicLong.",
            "java/util/concurrent/atomic/AtomicBoolean.", "java/util/concurrent/atomic/AtomicReference.get",
            "java/util/concurrent/atomic/AtomicReference.getPlain", "java/util/concurrent/atomic/AtomicReference.set",
            "java/util/concurrent/atomic/AtomicReference.getAndSet",
            "java/util/concurrent/atomic/AtomicReference.compareAndSet",
            "java/util/concurrent/atomic/AtomicReferenceArray.get",
            "java/util/concurrent/atomic/AtomicReferenceArray.getAndSet",
            "java/util/concurrent/atomic/AtomicReferenceArray.compareAndSet",
            "java/util/concurrent/atomic/AtomicLongArray.incrementAndGet",
            "java/util/concurrent/CountDownLatch.countDown",
            "java/util/concurrent/locks/ReentrantLock.unlock", "java/util/concurrent/locks/Condition.signal",
            "java/util/concurrent/locks/Condition.signalAll",
            "java/util/concurrent/locks/StampedLock.unlockRead", "java/util/concurrent/locks/StampedLock.unlockWrite",
            "java/util/concurrent/locks/ReentrantReadWriteLock.readLock",
            "java/util/concurrent/locks/ReentrantReadWriteLock.writeLock",
            "java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock.unlock",
            "java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock.unlock",
            "jdk/jfr/FlightRecorder.isInitialized");

    /** Methods that catch every Throwable that is thrown inside, and try again or do without. */
    private static final Set<String> CATCHES_ALL = Set.of("io/jverbs/soft/queue/DeferredWork$DeferredQueue.run()V",
            "io/jverbs/soft/fabric/RealTimers.fire(Ljava/lang/Runnable;)V",
            "io/jverbs/Resource.endClose(Lio/jverbs/Resource$Lifecycle;)V",
            "io/jverbs/spi/ServiceLoop.failed(Ljava/lang/Throwable;)I",
            "io/jverbs/spi/ServiceLoop.logFailure(Ljava/lang/Throwable;)V",
            "io/jverbs/ContextObjects.endCloseOfAll(Z)V", "io/jverbs/RemainingObjects.failed(Ljava/lang/Throwable;)V",
            "io/jverbs/rsocket/journal/StreamJournal"
                    + ".ended(Ljava/util/function/Supplier;Ljava/lang/Enum;Ljava/lang/Throwable;)V",
            "io/jverbs/strict/TrackingState.disable(Ljava/lang/Throwable;)V",
            "io/jverbs/strict/OpenObjects.created"
                    + "(Ljava/lang/String;Ljava/lang/Object;Lio/jverbs/spi/Handle;)Lio/jverbs/spi/Handle;",
            "io/jverbs/strict/OpenObjects.created(Ljava/lang/String;JLjava/lang/String;Ljava/lang/Object;"
                    + "Lio/jverbs/spi/Handle;)Lio/jverbs/spi/Handle;",
            "io/jverbs/strict/OpenObjects.created(Ljava/lang/String;Ljava/lang/Object;Ljava/lang/Object;"
                    + "Lio/jverbs/spi/Handle;)Lio/jverbs/spi/Handle;",
            "io/jverbs/strict/OpenObjects.destroyed(Lio/jverbs/spi/Handle;)V",
            "io/jverbs/strict/StrictContext.register"
                    + "(Lio/jverbs/spi/Handle$Mr;Ljava/lang/foreign/MemorySegment;JI)V",
            "io/jverbs/strict/StrictContext.deregister(Lio/jverbs/spi/Handle$Mr;IILjava/lang/String;)V",
            "io/jverbs/strict/StrictContext.trackBind"
                    + "(Lio/jverbs/strict/StrictQp;Lio/jverbs/spi/Handle$Mw;JZZ)V",
            "io/jverbs/strict/StrictContext.trackDestroy(Lio/jverbs/spi/Handle$Qp;)V",
            "io/jverbs/strict/OpenObjects.destroyed(Lio/jverbs/spi/Handle;Lio/jverbs/spi/ContextOps$EventsReported;Z)"
                    + "Lio/jverbs/spi/ContextOps$EventsReported;",
            "io/jverbs/strict/DeferredReports.report(Ljava/util/List;)V",
            "io/jverbs/strict/StrictDataPath.checkAccepted(Lio/jverbs/strict/StrictQp;)Ljava/util/List;",
            "io/jverbs/strict/StrictDataPath.untrack(Lio/jverbs/strict/StrictQp;I)V",
            "io/jverbs/strict/StrictDataPath.untrackReceives(Lio/jverbs/strict/StrictQp;I)V",
            "io/jverbs/strict/StrictDataPath"
                    + ".track(Lio/jverbs/strict/SharedReceives;Lio/jverbs/ReceiveWorkRequest;J)V",
            "io/jverbs/strict/StrictDataPath"
                    + ".track(Lio/jverbs/strict/StrictCq;Ljava/lang/foreign/MemorySegment;I)Ljava/util/List;");

    private final Map<String, ClassNode> classes = new HashMap<>();
    private final Map<String, Set<String>> overridden = new HashMap<>();
    private final Set<String> quiet = new HashSet<>();
    private final Map<String, byte[]> instrumented = new HashMap<>();
    private final List<String> descriptions = new ArrayList<>();
    private int calls;
    private int allocations;
    private int quietCalls;

    /**
     * Finds and instruments the points.
     *
     * @param files the class files of the classes to instrument
     * @param known the class files of other classes that they call
     */
    public InjectionPoints(List<byte[]> files, List<byte[]> known) {
        List<ClassNode> wanted = files.stream().map(this::read).toList();
        known.forEach(this::read);
        findOverridden();
        findQuiet();
        for (ClassNode node : wanted) {
            instrumented.put(node.name.replace('/', '.'), instrument(node));
        }
    }

    private ClassNode read(byte[] file) {
        ClassNode node = new ClassNode();
        new ClassReader(file).accept(node, 0);
        classes.put(node.name, node);
        return node;
    }

    private void findOverridden() {
        for (ClassNode node : classes.values()) {
            List<String> supertypes = new ArrayList<>(node.interfaces);
            supertypes.add(node.superName);
            for (int i = 0; i < supertypes.size(); i++) {
                ClassNode parent = classes.get(supertypes.get(i));
                if (parent != null) {
                    supertypes.add(parent.superName);
                    supertypes.addAll(parent.interfaces);
                    overridden.computeIfAbsent(parent.name, name -> new HashSet<>()).add(node.name);
                }
            }
        }
    }

    private static String id(String owner, String name, String descriptor) {
        return owner + "." + name + descriptor;
    }

    private void findQuiet() {
        boolean changed = true;
        while (changed) {
            changed = false;
            for (ClassNode node : classes.values()) {
                for (MethodNode method : node.methods) {
                    changed |= isQuiet(method) && quiet.add(id(node.name, method.name, method.desc));
                }
            }
        }
    }

    private boolean isQuiet(MethodNode method) {
        if ((method.access & (Opcodes.ACC_NATIVE | Opcodes.ACC_ABSTRACT)) != 0) {
            return false;
        }
        for (AbstractInsnNode instruction : withoutAssertions(method)) {
            if (isAllocation(instruction) || instruction.getOpcode() == Opcodes.ATHROW
                    || instruction instanceof MethodInsnNode call && !isQuiet(call)) {
                return false;
            }
        }
        return true;
    }

    private boolean isQuiet(MethodInsnNode call) {
        if (!call.owner.startsWith("io/jverbs/")) {
            return QUIET_JDK.contains(call.owner + ".") || QUIET_JDK.contains(call.owner + "." + call.name);
        }
        if (isAbstract(call)) {
            List<ClassNode> implementations = implementations(call.owner);
            return implementations != null && implementations.stream().allMatch(node -> isQuietIn(node.name, call));
        }
        return isQuietIn(call.owner, call) && overridden.getOrDefault(call.owner, Set.of()).stream()
                .allMatch(subclass -> !declares(subclass, call) || isQuietIn(subclass, call));
    }

    private boolean isAbstract(MethodInsnNode call) {
        ClassNode owner = classes.get(call.owner);
        return owner != null && owner.methods.stream().anyMatch(method -> method.name.equals(call.name)
                && method.desc.equals(call.desc) && (method.access & Opcodes.ACC_ABSTRACT) != 0);
    }

    /** Returns the classes of a sealed type that may have instances; null if there may be others that are not known. */
    private List<ClassNode> implementations(String name) {
        ClassNode node = classes.get(name);
        if (node == null) {
            return null;
        }
        List<ClassNode> found = new ArrayList<>();
        if ((node.access & Opcodes.ACC_ABSTRACT) == 0) {
            found.add(node);
        }
        if ((node.access & Opcodes.ACC_FINAL) != 0) {
            return found;
        }
        if (node.permittedSubclasses == null) {
            return null;
        }
        for (String subclass : node.permittedSubclasses) {
            List<ClassNode> more = implementations(subclass);
            if (more == null) {
                return null;
            }
            found.addAll(more);
        }
        return found;
    }

    /** Returns the instructions that are executed if assertions are disabled. */
    private static List<AbstractInsnNode> withoutAssertions(MethodNode method) {
        List<AbstractInsnNode> kept = new ArrayList<>();
        AbstractInsnNode end = null;
        for (AbstractInsnNode instruction : method.instructions) {
            if (end == null && instruction instanceof FieldInsnNode field && field.name.equals("$assertionsDisabled")
                    && field.getNext() instanceof JumpInsnNode jump) {
                end = jump.label;
            } else if (instruction == end) {
                end = null;
            }
            if (end == null) {
                kept.add(instruction);
            }
        }
        return kept;
    }

    private boolean declares(String owner, MethodInsnNode call) {
        return classes.get(owner).methods.stream()
                .anyMatch(method -> method.name.equals(call.name) && method.desc.equals(call.desc));
    }

    /** Searches the method in a class and its superclasses. */
    private boolean isQuietIn(String owner, MethodInsnNode call) {
        for (ClassNode node = classes.get(owner); node != null; node = classes.get(node.superName)) {
            if (declares(node.name, call)) {
                String id = id(node.name, call.name, call.desc);
                return quiet.contains(id) || CATCHES_ALL.contains(id);
            }
        }
        return false;
    }

    private static boolean isAllocation(AbstractInsnNode instruction) {
        return switch (instruction.getOpcode()) {
            case Opcodes.NEW, Opcodes.NEWARRAY, Opcodes.ANEWARRAY, Opcodes.MULTIANEWARRAY, Opcodes.INVOKEDYNAMIC ->
                true;
            default -> false;
        };
    }

    /**
     * Returns the instrumented class files, with a call of {@link ErrorInjector#at} before each point, by class name.
     */
    public Map<String, byte[]> instrumented() {
        return instrumented;
    }

    private byte[] instrument(ClassNode node) {
        for (MethodNode method : node.methods) {
            instrument(node, method);
        }
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        node.accept(writer);
        return writer.toByteArray();
    }

    private void instrument(ClassNode node, MethodNode method) {
        if (method.name.equals("<clinit>")) {
            // runs once, when the device is opened
            return;
        }
        int line = 0;
        for (AbstractInsnNode instruction : withoutAssertions(method)) {
            if (instruction instanceof LineNumberNode number) {
                line = number.line;
            }
            String what = describe(instruction);
            if (what != null) {
                InsnList hook = new InsnList();
                int point = descriptions.size();
                hook.add(point <= Short.MAX_VALUE ? new IntInsnNode(Opcodes.SIPUSH, point) : new LdcInsnNode(point));
                hook.add(new MethodInsnNode(Opcodes.INVOKESTATIC, ErrorInjector.class.getName().replace('.', '/'), "at",
                        "(I)V"));
                if (instruction.getOpcode() == Opcodes.NEW) {
                    // stack maps refer to the offset of the NEW instruction, so the call is inserted after it
                    method.instructions.insert(instruction, hook);
                } else {
                    method.instructions.insertBefore(instruction, hook);
                }
                descriptions.add(node.name.substring(node.name.lastIndexOf('/') + 1) + "." + method.name + ":" + line
                        + " " + what);
            }
        }
    }

    /** Describes the injection point at an instruction; null if the instruction can only overflow the stack. */
    private String describe(AbstractInsnNode instruction) {
        if (isAllocation(instruction)) {
            allocations++;
            return instruction instanceof TypeInsnNode type ? "new " + type.desc : "new";
        }
        if (!(instruction instanceof MethodInsnNode call)) {
            return null;
        }
        if (isQuiet(call)) {
            quietCalls++;
            return null;
        }
        calls++;
        return "call " + call.owner.substring(call.owner.lastIndexOf('/') + 1) + "." + call.name;
    }

    /** Describes an injection point: the class, the method, the line, and the instruction. */
    public String description(int point) {
        return descriptions.get(point);
    }

    @Override
    public String toString() {
        return descriptions.size() + " injection points, " + allocations + " allocations and " + calls
                + " calls; " + quietCalls + " calls that can only overflow the stack are excluded";
    }
}
