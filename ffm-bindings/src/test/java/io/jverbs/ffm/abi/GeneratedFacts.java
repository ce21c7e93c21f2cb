package io.jverbs.ffm.abi;

import io.jverbs.ffm.ibverbs.IbvConstants;
import java.io.IOException;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.PaddingLayout;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Reads the facts that the generated classes state, by reflection. */
final class GeneratedFacts {

    private static final String PACKAGE = IbvConstants.class.getPackageName();

    private GeneratedFacts() {}

    /**
     * A generated class of a C type.
     *
     * @param cName the type as C writes it: {@code struct ibv_qp}
     * @param javaClass the class
     */
    record Type(String cName, Class<?> javaClass) {

        GroupLayout layout() {
            try {
                return (GroupLayout) javaClass.getMethod("layout").invoke(null);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Returns every type named in the include list. */
    static List<Type> types() throws IOException {
        var types = new ArrayList<Type>();
        for (var line : includes("types.includes")) {
            var words = line.split(" ");
            var prefix = switch (words[0]) {
                case "--include-struct" -> "struct ";
                case "--include-union" -> "union ";
                case "--include-typedef" -> "";
                default -> null;
            };
            if (prefix != null) {
                types.add(new Type(prefix + words[1], generatedClass(words[1])));
            }
        }
        return types;
    }

    /** Returns every constant of the generated class. */
    static List<Fact> constants() {
        var facts = new ArrayList<Fact>();
        for (var method : IbvConstants.class.getMethods()) {
            if (!Modifier.isStatic(method.getModifiers()) || method.getParameterCount() > 0) {
                continue;
            }
            facts.add(switch (value(method)) {
                case Integer value -> Fact.of(method.getName(), value);
                case Long value -> Fact.of(method.getName(), value);
                case MemorySegment pointer -> Fact.of(method.getName(), pointer.address());
                case Object other -> throw new AssertionError(method + " is " + other);
            });
        }
        return facts;
    }

    /** Returns size, alignment, and offset and size of every field, including those of nested structs. */
    static List<Fact> facts(Type type, UnaryOperator<GroupLayout> translation) {
        var facts = new ArrayList<Fact>();
        var layout = translation.apply(type.layout());
        facts.add(Fact.of("sizeof(" + type.cName() + ")", layout.byteSize()));
        facts.add(Fact.of("_Alignof(" + type.cName() + ")", layout.byteAlignment()));
        addFields(facts, type.cName(), "", 0, layout);
        return facts;
    }

    private static void addFields(List<Fact> facts, String cName, String path, long base, GroupLayout layout) {
        boolean union = layout instanceof java.lang.foreign.UnionLayout;
        long offset = base;
        for (var member : layout.memberLayouts()) {
            if (!(member instanceof PaddingLayout)) {
                addField(facts, cName, path, offset, member);
            }
            offset += union ? 0 : member.byteSize();
        }
    }

    private static void addField(List<Fact> facts, String cName, String path, long offset, MemoryLayout member) {
        var name = member.name().orElseThrow();
        // C has no name for an anonymous struct: its fields belong to the enclosing struct.
        boolean anonymous = name.startsWith("$anon");
        var field = anonymous ? path : path + name;
        if (!anonymous) {
            facts.add(Fact.of("offsetof(" + cName + ", " + field + ")", offset));
            facts.add(Fact.of("sizeof(((" + cName + " *) 0)->" + field + ")", member.byteSize()));
        }
        if (member instanceof GroupLayout group) {
            addFields(facts, cName, anonymous || field.isEmpty() ? field : field + ".", offset, group);
        }
    }

    /** Returns the offset accessors of a class that disagree with its layout. */
    static List<String> accessorsThatContradictTheLayout(Type type) {
        var contradictions = new ArrayList<String>();
        for (var method : type.javaClass().getMethods()) {
            if (!method.getName().endsWith("$offset")) {
                continue;
            }
            var field = method.getName().substring(0, method.getName().length() - "$offset".length());
            var expected = facts(type, layout -> layout).stream()
                    .filter(fact -> fact.expression().equals("offsetof(" + type.cName() + ", " + field + ")"))
                    .findAny();
            if (expected.isEmpty() || expected.get().value() != (long) value(method)) {
                contradictions.add(type.cName() + "." + field + ": " + value(method) + ", " + expected);
            }
        }
        return contradictions;
    }

    static List<String> includes(String file) throws IOException {
        return Files.readAllLines(Path.of(System.getProperty("jverbs.ffm.jextract"), file)).stream()
                .filter(line -> line.startsWith("--")).toList();
    }

    private static Class<?> generatedClass(String name) {
        try {
            return Class.forName(PACKAGE + "." + name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError("no class was generated for " + name, e);
        }
    }

    private static Object value(Method method) {
        try {
            return method.invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
