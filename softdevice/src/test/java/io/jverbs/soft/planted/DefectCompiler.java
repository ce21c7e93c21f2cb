package io.jverbs.soft.planted;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Compiles one changed source file against the compiled modules, in memory. */
final class DefectCompiler implements AutoCloseable {
    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private final StandardJavaFileManager files;

    /**
     * @param classPath the class path that the file is compiled against
     */
    DefectCompiler(List<Path> classPath) {
        files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
        try {
            files.setLocationFromPaths(StandardLocation.CLASS_PATH, classPath);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Compiles one source file.
     *
     * @param className the name of the class that the file declares
     * @param source the text of the file
     * @return the class files, by class name
     * @throws IllegalStateException if it does not compile
     */
    synchronized Map<String, byte[]> compile(String className, String source) {
        Map<String, ByteArrayOutputStream> classes = new HashMap<>();
        StringWriter messages = new StringWriter();
        boolean compiled = compiler.getTask(messages, new InMemory(files, classes), null,
                List.of("-proc:none", "-nowarn", "-implicit:none", "-Xlint:none"), null,
                List.of(new SourceText(className, source))).call();
        if (!compiled) {
            throw new IllegalStateException("the source with the defect does not compile:\n" + messages);
        }
        Map<String, byte[]> bytes = new HashMap<>();
        classes.forEach((name, stream) -> bytes.put(name, stream.toByteArray()));
        return bytes;
    }

    @Override
    public void close() throws IOException {
        files.close();
    }

    /** A file manager that keeps the compiled classes in memory. */
    private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> classes;

        InMemory(JavaFileManager files, Map<String, ByteArrayOutputStream> classes) {
            super(files);
            this.classes = classes;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(Location location, String className, JavaFileObject.Kind kind,
                FileObject sibling) {
            ByteArrayOutputStream stream = new ByteArrayOutputStream();
            classes.put(className, stream);
            return new SimpleJavaFileObject(URI.create("memory:///" + className.replace('.', '/') + kind.extension),
                    kind) {
                @Override
                public OutputStream openOutputStream() {
                    return stream;
                }
            };
        }
    }

    /** The source file with the defect. */
    private static final class SourceText extends SimpleJavaFileObject {
        private final String text;

        SourceText(String className, String text) {
            super(URI.create("memory:///" + className.replace('.', '/') + Kind.SOURCE.extension), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
