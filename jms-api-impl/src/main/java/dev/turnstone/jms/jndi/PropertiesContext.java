package dev.turnstone.jms.jndi;

import java.util.Collections;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.naming.Binding;
import javax.naming.CompositeName;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NameParser;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NotContextException;
import javax.naming.OperationNotSupportedException;

/**
 * A directory, or one below it, of objects that are bound once and for all: whatever would change it is refused. Any
 * thread, but for its environment.
 */
@SuppressWarnings({"BanJNDI", "JdkObsolete"}) // its API wants a Hashtable; no look-up goes elsewhere
final class PropertiesContext implements Context {
    /** From names relative to here, with slashes, to their objects. */
    private final Map<String, Object> bound;

    private final Hashtable<String, Object> environment = new Hashtable<>();

    PropertiesContext(Map<String, Object> bound, Map<?, ?> environment) {
        this.bound = Map.copyOf(bound);
        environment.forEach((key, value) -> this.environment.put(key.toString(), value));
    }

    @Override
    public Object lookup(Name name) throws NamingException {
        return lookup(name.toString());
    }

    @Override
    public Object lookup(String name) throws NamingException {
        Object object = bound.get(name);
        if (object != null) {
            return object;
        }
        Map<String, Object> below = below(name);
        if (below.isEmpty() && !name.isEmpty()) {
            throw new NameNotFoundException("nothing is bound to '" + name + "'; there are: " + names());
        }
        return new PropertiesContext(below, environment);
    }

    private List<String> names() {
        return bound.keySet().stream().sorted().toList();
    }

    private Map<String, Object> below(String name) {
        if (name.isEmpty()) {
            return bound;
        }
        Map<String, Object> below = new LinkedHashMap<>();
        bound.forEach((full, object) -> {
            if (full.startsWith(name + "/")) {
                below.put(full.substring(name.length() + 1), object);
            }
        });
        return below;
    }

    @Override
    public Object lookupLink(Name name) throws NamingException {
        return lookup(name);
    }

    @Override
    public Object lookupLink(String name) throws NamingException {
        return lookup(name);
    }

    @Override
    public NamingEnumeration<NameClassPair> list(Name name) throws NamingException {
        return list(name.toString());
    }

    @Override
    public NamingEnumeration<NameClassPair> list(String name) throws NamingException {
        List<NameClassPair> pairs = bindings(name).stream()
                .map(binding -> new NameClassPair(binding.getName(), binding.getClassName()))
                .toList();
        return new Listing<>(pairs);
    }

    @Override
    public NamingEnumeration<Binding> listBindings(Name name) throws NamingException {
        return listBindings(name.toString());
    }

    @Override
    public NamingEnumeration<Binding> listBindings(String name) throws NamingException {
        return new Listing<>(bindings(name));
    }

    private List<Binding> bindings(String name) throws NamingException {
        if (!(lookup(name) instanceof PropertiesContext listed)) {
            throw new NotContextException("'" + name + "' is an object and holds no others");
        }
        Map<String, Binding> bindings = new LinkedHashMap<>();
        for (String full : listed.names()) {
            String first = full.replaceFirst("/.*", "");
            bindings.putIfAbsent(first, new Binding(first, listed.lookup(first)));
        }
        return List.copyOf(bindings.values());
    }

    @Override
    public NameParser getNameParser(Name name) {
        return CompositeName::new;
    }

    @Override
    public NameParser getNameParser(String name) {
        return CompositeName::new;
    }

    @Override
    public Name composeName(Name name, Name prefix) throws NamingException {
        return ((Name) prefix.clone()).addAll(name);
    }

    @Override
    public String composeName(String name, String prefix) throws NamingException {
        return composeName(new CompositeName(name), new CompositeName(prefix)).toString();
    }

    @Override
    public Object addToEnvironment(String name, Object value) {
        return environment.put(name, value);
    }

    @Override
    public Object removeFromEnvironment(String name) {
        return environment.remove(name);
    }

    @Override
    public Hashtable<?, ?> getEnvironment() {
        return new Hashtable<>(environment);
    }

    /** Nothing is held. */
    @Override
    public void close() {}

    @Override
    public String getNameInNamespace() throws NamingException {
        throw readOnly("getNameInNamespace");
    }

    @Override
    public void bind(Name name, Object object) throws NamingException {
        throw readOnly("bind");
    }

    @Override
    public void bind(String name, Object object) throws NamingException {
        throw readOnly("bind");
    }

    @Override
    public void rebind(Name name, Object object) throws NamingException {
        throw readOnly("rebind");
    }

    @Override
    public void rebind(String name, Object object) throws NamingException {
        throw readOnly("rebind");
    }

    @Override
    public void unbind(Name name) throws NamingException {
        throw readOnly("unbind");
    }

    @Override
    public void unbind(String name) throws NamingException {
        throw readOnly("unbind");
    }

    @Override
    public void rename(Name from, Name to) throws NamingException {
        throw readOnly("rename");
    }

    @Override
    public void rename(String from, String to) throws NamingException {
        throw readOnly("rename");
    }

    @Override
    public void destroySubcontext(Name name) throws NamingException {
        throw readOnly("destroySubcontext");
    }

    @Override
    public void destroySubcontext(String name) throws NamingException {
        throw readOnly("destroySubcontext");
    }

    @Override
    public Context createSubcontext(Name name) throws NamingException {
        throw readOnly("createSubcontext");
    }

    @Override
    public Context createSubcontext(String name) throws NamingException {
        throw readOnly("createSubcontext");
    }

    private static NamingException readOnly(String method) {
        return new OperationNotSupportedException(method + ": this directory is what its settings say, and read-only");
    }

    /** What a listing goes through. */
    private static final class Listing<T> implements NamingEnumeration<T> {
        private final java.util.Enumeration<T> rest;

        Listing(List<T> all) {
            rest = Collections.enumeration(all);
        }

        @Override
        public boolean hasMore() {
            return hasMoreElements();
        }

        @Override
        public T next() {
            return nextElement();
        }

        @Override
        public boolean hasMoreElements() {
            return rest.hasMoreElements();
        }

        @Override
        public T nextElement() {
            return rest.nextElement();
        }

        @Override
        public void close() {}
    }
}
