import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import javax.lang.model.element.*;
import javax.tools.*;

/**
 * Prints each call of the Java files that a list names, one JSON object a line: where it stands, and where what it calls
 * is declared. A call that javac cannot resolve (a library is missing) is not printed; one that leads out of the files has
 * no targets. A constructor may be meant by its class too.
 */
public final class Calls {
  private static final PrintStream OUT =
      new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);

  private final Trees trees;
  private final SourcePositions positions;

  private Calls(JavacTask task) {
    trees = Trees.instance(task);
    positions = trees.getSourcePositions();
  }

  public static void main(String[] arguments) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
    List<String> paths = Files.readAllLines(Path.of(arguments[0]));
    List<String> options = List.of("-proc:none", "-implicit:none", "-Xmaxerrs", "1");
    JavacTask task = (JavacTask) compiler.getTask(
        Writer.nullWriter(), files, problem -> { }, options, null, files.getJavaFileObjectsFromStrings(paths));
    Iterable<? extends CompilationUnitTree> units = task.parse();
    task.analyze();
    Calls calls = new Calls(task);
    for (CompilationUnitTree unit : units) {
      calls.print(unit);
    }
    OUT.flush();
  }

  private void print(CompilationUnitTree unit) {
    new TreePathScanner<Void, Void>() {
      @Override
      public Void visitMethodInvocation(MethodInvocationTree call, Void unused) {
        ExpressionTree select = call.getMethodSelect();
        if (select instanceof MemberSelectTree) {
          String name = ((MemberSelectTree) select).getIdentifier().toString();
          site(unit, name, positions.getEndPosition(unit, select) - name.length(), new TreePath(getCurrentPath(), select));
        } else if (select instanceof IdentifierTree) {
          String name = ((IdentifierTree) select).getName().toString();
          if (!name.equals("this") && !name.equals("super")) {
            site(unit, name, positions.getStartPosition(unit, select), new TreePath(getCurrentPath(), select));
          }
        }
        return super.visitMethodInvocation(call, unused);
      }

      @Override
      public Void visitNewClass(NewClassTree made, Void unused) {
        Tree type = made.getIdentifier();
        if (type instanceof ParameterizedTypeTree) {
          type = ((ParameterizedTypeTree) type).getType();
        }
        if (type instanceof IdentifierTree && made.getClassBody() == null) {
          site(unit, type.toString(), positions.getStartPosition(unit, type), getCurrentPath());
        }
        return super.visitNewClass(made, unused);
      }
    }.scan(unit, null);
  }

  private void site(CompilationUnitTree unit, String name, long position, TreePath path) {
    Element element = trees.getElement(path);
    if (element == null || element.asType() == null || element.asType().getKind().name().equals("ERROR")
        || !(element instanceof ExecutableElement)) {
      return;
    }
    List<String> targets = new ArrayList<>();
    if (element.getKind() == ElementKind.CONSTRUCTOR) {
      Element owner = element.getEnclosingElement();
      target(targets, owner, owner.getSimpleName().toString());
      target(targets, element, owner.getSimpleName().toString());
    } else {
      target(targets, element, element.getSimpleName().toString());
    }
    OUT.println("{\"path\":" + quoted(file(unit)) + ",\"line\":" + unit.getLineMap().getLineNumber(position)
        + ",\"name\":" + quoted(name) + ",\"targets\":[" + String.join(",", targets) + "]}");
  }

  private void target(List<String> targets, Element element, String name) {
    TreePath path = trees.getPath(element);
    if (path == null) {
      return;
    }
    CompilationUnitTree unit = path.getCompilationUnit();
    long position = positions.getStartPosition(unit, path.getLeaf());
    if (position >= 0) {
      long line = unit.getLineMap().getLineNumber(position);
      targets.add("[" + quoted(file(unit)) + "," + line + "," + quoted(name) + "]");
    }
  }

  private static String file(CompilationUnitTree unit) {
    URI uri = unit.getSourceFile().toUri();
    return Path.of(uri).toString();
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
