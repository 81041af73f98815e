package dev.turnstone.server.config;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** Reads a YAML file into names and texts, each with its line. One thread. */
final class YamlText {
    private static final int DEPTH_MAX = 20;
    private static final int VALUES_MAX = 1_000_000;
    /** Dotted words, which may have indexes and quoted names. */
    private static final Pattern KEY = Pattern.compile("[^\\s\"\\[\\]]+(?:\\[\\d+]|\"[^\"]*\"|[^\\s\"\\[\\]]+)*");

    private final Path file;
    private final Schema schema;
    private final List<Problem> problems;
    private final Map<String, Written> values = new TreeMap<>();

    private YamlText(Path file, Schema schema, List<Problem> problems) {
        this.file = file;
        this.schema = schema;
        this.problems = problems;
    }

    /** What it holds, by name; what is wrong is added to the problems. */
    static Map<String, Written> read(Path file, Schema schema, List<Problem> problems) {
        YamlText yaml = new YamlText(file, schema, problems);
        try {
            Node root = new Yaml(new LoaderOptions()).compose(new StringReader(Files.readString(file)));
            if (root != null) {
                yaml.root(root);
            }
        } catch (NoSuchFileException e) {
            yaml.problem(0, "there is no such file");
        } catch (AccessDeniedException e) {
            yaml.problem(0, "may not be read");
        } catch (CharacterCodingException e) {
            yaml.problem(0, "is not UTF-8 text");
        } catch (IOException e) {
            yaml.problem(0, "cannot be read: " + e.getMessage());
        } catch (MarkedYAMLException e) {
            Mark mark = e.getProblemMark();
            yaml.problem(mark == null ? 0 : mark.getLine() + 1, "is not YAML: " + said(e.getProblem()));
        } catch (YAMLException e) {
            yaml.problem(0, "is not YAML: " + said(e.getMessage()));
        }
        return yaml.values;
    }

    private static String said(String message) {
        return String.valueOf(message).strip().replaceAll("\\s+", " ");
    }

    private void problem(int line, String message) {
        problems.add(new Problem(new Origin(file.toString(), line), message));
    }

    private static int line(Node node) {
        return node.getStartMark().getLine() + 1;
    }

    private void root(Node root) {
        if (root instanceof MappingNode mapping) {
            mapping(mapping, "", 0);
        } else if (!root.getTag().equals(Tag.NULL)) {
            problem(line(root), "holds no settings: each is written NAME: VALUE");
        }
    }

    private void mapping(MappingNode mapping, String prefix, int depth) {
        for (NodeTuple tuple : mapping.getValue()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                problem(line(tuple.getKeyNode()), "a name is a text, not a list or a section");
            } else if (prefix.isEmpty() && !KEY.matcher(key.getValue()).matches()) {
                problem(line(key), "unknown setting '" + key.getValue() + "'");
            } else {
                node(tuple.getValueNode(), child(prefix, key.getValue()), line(key), depth + 1);
            }
        }
    }

    /** People write {@code a.b: 1} as well as {@code a: {b: 1}}; names that they choose are kept as they are. */
    private String child(String prefix, String key) {
        if (prefix.isEmpty()) {
            return key;
        }
        String dotted = prefix + "." + key;
        boolean chosen = schema.isMap(prefix) && !schema.settings().containsKey(dotted);
        return chosen ? prefix + ".\"" + key.replace("\"", "") + "\"" : dotted;
    }

    private void node(Node node, String name, int line, int depth) {
        if (depth > DEPTH_MAX || values.size() > VALUES_MAX) {
            problem(line, name + ": " + (depth > DEPTH_MAX ? "nested too deeply" : "too many values"));
        } else if (node instanceof MappingNode mapping) {
            mapping(mapping, name, depth);
        } else if (node instanceof SequenceNode list) {
            int index = 0;
            for (Node element : list.getValue()) {
                node(element, name + "[" + index++ + "]", line(element), depth + 1);
            }
            if (index == 0) {
                put(name, "", line);
            }
        } else if (node instanceof ScalarNode scalar && !scalar.getTag().equals(Tag.NULL)) {
            put(name, scalar.getValue(), line);
        }
    }

    private void put(String name, String text, int line) {
        Written before = values.putIfAbsent(name, new Written(text, new Origin(file.toString(), line)));
        if (before != null) {
            problem(
                    line,
                    "'" + name + "' is given twice, first in line "
                            + before.origin().line());
        }
    }
}
