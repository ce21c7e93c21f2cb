package io.jverbs.soft.nulls;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The types of packages and the names of their parameters, parsed from the sources, because class files lack them. */
final class ParameterNames {
    private final List<String> types = new ArrayList<>();
    /** The names by class, method and parameter types. */
    private final Map<String, List<String>> names = new HashMap<>();

    /** Parses the source files of folders, without those of subfolders. */
    static ParameterNames of(List<Path> folders) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (Path folder : folders) {
            try (Stream<Path> files = Files.list(folder)) {
                files.filter(each -> each.toString().endsWith(".java")
                        && !each.endsWith("package-info.java")).sorted().forEach(sources::add);
            }
        }
        ParameterNames parsed = new ParameterNames();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(null, files, null, List.of("-proc:none"), null,
                    files.getJavaFileObjectsFromPaths(sources));
            for (CompilationUnitTree unit : task.parse()) {
                for (Tree type : unit.getTypeDecls()) {
                    parsed.add(unit.getPackageName() + ".", (ClassTree) type);
                }
            }
        }
        return parsed;
    }

    private void add(String before, ClassTree type) {
        String name = before + type.getSimpleName();
        types.add(name);
        for (Tree member : type.getMembers()) {
            if (member instanceof ClassTree nested) {
                add(name + "$", nested);
            } else if (member instanceof MethodTree method) {
                String called = method.getReturnType() == null ? "<init>" : method.getName().toString();
                names.put(name + "." + called + method.getParameters().stream()
                        .map(each -> erased(each.getType().toString())).toList(),
                        method.getParameters().stream().map(each -> each.getName().toString()).toList());
            }
        }
    }

    /** Returns the simple name of a type without type arguments and annotations. */
    private static String erased(String type) {
        String plain = type.replaceAll("<.*>", "").replaceAll("@\\w+ ?", "").replace("...", "[]");
        return plain.substring(plain.lastIndexOf('.') + 1);
    }

    /** Returns the names of all classes and interfaces, including nested ones. */
    List<String> types() {
        return types;
    }

    /** Returns the names of the parameters of a method or constructor. */
    List<String> of(Executable executable) {
        Class<?> owner = executable.getDeclaringClass();
        if (executable instanceof Constructor<?> constructor && owner.isRecord()
                && Arrays.equals(constructor.getParameterTypes(), Arrays.stream(owner.getRecordComponents())
                        .map(RecordComponent::getType).toArray(Class<?>[]::new))) {
            return Arrays.stream(owner.getRecordComponents()).map(RecordComponent::getName).toList();
        }
        String called = executable instanceof Constructor<?> ? "<init>" : executable.getName();
        String key = owner.getName() + "." + called + Arrays.stream(executable.getParameters())
                .map(ParameterNames::written).toList();
        List<String> found = names.get(key);
        if (found == null) {
            throw new AssertionError("no source file declares " + key + "; the type has: " + names.keySet().stream()
                    .filter(each -> each.startsWith(owner.getName() + ".")).collect(Collectors.joining("; ")));
        }
        return found;
    }

    private static String written(Parameter parameter) {
        return erased(parameter.getParameterizedType().getTypeName().replace('$', '.'));
    }
}
