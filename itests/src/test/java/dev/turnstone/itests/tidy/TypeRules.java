package dev.turnstone.itests.tidy;

import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import org.jspecify.annotations.Nullable;

/** The rules for types and their members, applied to one file. */
final class TypeRules extends TreePathScanner<@Nullable Void, @Nullable Void> {
    private static final int CLASS_LINES_MAX = 400;
    private static final int METHOD_LINES_MAX = 35;
    private static final int FIELDS_MAX = 12;
    private static final int CONSTRUCTOR_ARGUMENTS_MAX = 6;
    private static final Set<String> DOCUMENTED_MODULES = Set.of("broker-api", "journal", "jms-api-impl");
    private static final Set<String> CATCH_ALL = Set.of("Exception", "Throwable");
    private static final Set<String> MEETS_THREADS =
            Set.of("dev.turnstone.broker.mailbox", "dev.turnstone.broker.embedded");
    private static final Pattern EMPTY_NAME =
            Pattern.compile("\\w*(Impl|Manager|Helper|Utils?)|(Base|Abstract)[A-Z]\\w*");
    private static final Pattern GETTER = Pattern.compile("get[A-Z]\\w*");

    private final SourceFile file;
    private final List<Finding> findings;
    private final Deque<String> names = new ArrayDeque<>();

    TypeRules(SourceFile file, List<Finding> findings) {
        this.file = file;
        this.findings = findings;
    }

    void check() {
        scan(new TreePath(file.unit()), null);
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, @Nullable Void none) {
        if (type.getSimpleName().isEmpty()) {
            return super.visitClass(type, null);
        }
        boolean nested = !names.isEmpty();
        names.addLast(type.getSimpleName().toString());
        if (!nested) {
            limit("class-lines", CLASS_LINES_MAX, file.linesOf(type));
        }
        limit("fields", FIELDS_MAX, fieldsOf(type));
        if (EMPTY_NAME.matcher(type.getSimpleName()).matches()) {
            found("class-name");
        }
        if (file.isMain()
                && type.getKind() == Tree.Kind.CLASS
                && !isClosed(type.getModifiers())
                && !isExtendedByJmh()) {
            found("class-final");
        }
        if (isApi(type.getModifiers()) && !file.hasDocComment(getCurrentPath())) {
            found("public-doc");
        }
        super.visitClass(type, null);
        names.removeLast();
        return null;
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, @Nullable Void none) {
        ClassTree owner = (ClassTree) getCurrentPath().getParentPath().getLeaf();
        boolean constructor = method.getName().contentEquals("<init>");
        names.addLast(constructor ? "new" : method.getName().toString());
        if (method.getBody() != null) {
            // The body alone: a table of cases may stand in an annotation.
            limit("method-lines", METHOD_LINES_MAX, file.linesOf(method.getBody()));
        }
        if (constructor && owner.getKind() != Tree.Kind.RECORD) {
            limit(
                    "constructor-arguments",
                    CONSTRUCTOR_ARGUMENTS_MAX,
                    method.getParameters().size());
        }
        if (file.isMain()) {
            checkSignature(owner, method);
        }
        super.visitMethod(method, null);
        names.removeLast();
        return null;
    }

    @Override
    public @Nullable Void visitCatch(CatchTree caught, @Nullable Void none) {
        boolean everything = CATCH_ALL.contains(caught.getParameter().getType().toString());
        if (file.isMain() && everything) {
            foundInFile("catch-all");
        }
        return super.visitCatch(caught, null);
    }

    @Override
    public @Nullable Void visitSynchronized(SynchronizedTree block, @Nullable Void none) {
        // One thread owns the engine's state; only its mailbox and the wiring meet other threads.
        if (file.isMain() && file.module().equals("broker") && !MEETS_THREADS.contains(file.packageName())) {
            found("synchronized");
        }
        return super.visitSynchronized(block, null);
    }

    private void checkSignature(ClassTree owner, MethodTree method) {
        boolean overrides = isAnnotated(method, "Override");
        // What a library's type makes its subclass declare is not ours to narrow.
        if (!overrides
                && method.getThrows().stream().map(ExpressionTree::toString).anyMatch(CATCH_ALL::contains)) {
            foundInFile("throws-all");
        }
        if (!overrides && GETTER.matcher(method.getName()).matches()) {
            found("accessor-get");
        }
        boolean memberOfInterface = owner.getKind() == Tree.Kind.INTERFACE
                && !method.getModifiers().getFlags().contains(Modifier.PRIVATE);
        boolean visible = memberOfInterface || isPublic(method.getModifiers());
        boolean documented = overrides || file.hasDocComment(getCurrentPath());
        if (visible && isApi(owner.getModifiers()) && !documented) {
            found("public-doc");
        }
    }

    private boolean isApi(ModifiersTree modifiers) {
        return file.isMain() && DOCUMENTED_MODULES.contains(file.module()) && isPublic(modifiers);
    }

    /** JMH generates subclasses of what it measures. */
    private boolean isExtendedByJmh() {
        return file.module().equals("benchmarks");
    }

    private static boolean isPublic(ModifiersTree modifiers) {
        return modifiers.getFlags().contains(Modifier.PUBLIC);
    }

    private static boolean isClosed(ModifiersTree modifiers) {
        return Stream.of(Modifier.FINAL, Modifier.ABSTRACT, Modifier.SEALED).anyMatch(modifiers.getFlags()::contains);
    }

    private static boolean isAnnotated(MethodTree method, String annotation) {
        return method.getModifiers().getAnnotations().stream()
                .anyMatch(present -> present.getAnnotationType().toString().equals(annotation));
    }

    private static int fieldsOf(ClassTree type) {
        if (type.getKind() != Tree.Kind.CLASS) {
            return 0;
        }
        return (int) type.getMembers().stream()
                .filter(VariableTree.class::isInstance)
                .map(member -> ((VariableTree) member).getModifiers().getFlags())
                .filter(flags -> !flags.contains(Modifier.STATIC))
                .count();
    }

    private void limit(String rule, int max, int amount) {
        if (amount > max) {
            findings.add(new Finding(rule, place(), amount));
        }
    }

    private void found(String rule) {
        findings.add(new Finding(rule, place(), 1));
    }

    /** Counted by file, so that the exception need not follow each method's name. */
    private void foundInFile(String rule) {
        findings.add(new Finding(rule, file.path().toString(), 1));
    }

    private String place() {
        return file.packageName() + "." + names.stream().collect(Collectors.joining("."));
    }
}
