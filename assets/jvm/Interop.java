package rewright.worker;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The few Scala values that Java code has to make, in the form that both Scala 2.12 and 2.13 take. */
public final class Interop {
  private Interop() {}

  /** An immutable Scala list. */
  public static <T> scala.collection.immutable.List<T> list(List<? extends T> items) {
    scala.collection.immutable.List<T> result = empty();
    for (int i = items.size() - 1; i >= 0; i--) {
      result = new scala.collection.immutable.$colon$colon<T>(items.get(i), result);
    }
    return result;
  }

  /** The empty list, whatever its element type. */
  @SuppressWarnings("unchecked")
  private static <T> scala.collection.immutable.List<T> empty() {
    Object nil = scala.collection.immutable.Nil$.MODULE$;
    return (scala.collection.immutable.List<T>) nil;
  }

  /** A Java list of anything that Scala can iterate over. */
  public static List<Object> items(Object iterable) {
    List<Object> result = new ArrayList<>();
    scala.collection.Iterator<?> it = (scala.collection.Iterator<?>) call(iterable, "iterator");
    while (it.hasNext()) {
      result.add(it.next());
    }
    return result;
  }

  /** The public methods of classes by name: to ask for them each time would cost more than most calls. */
  private static final ClassValue<Map<String, Method[]>> METHODS = new ClassValue<Map<String, Method[]>>() {
    @Override
    protected Map<String, Method[]> computeValue(Class<?> type) {
      return new ConcurrentHashMap<>();
    }
  };

  private static Method[] named(Class<?> type, String name) {
    return METHODS.get(type).computeIfAbsent(name, n -> {
      List<Method> found = new ArrayList<>();
      for (Method m : type.getMethods()) {
        if (m.getName().equals(n)) {
          m.setAccessible(true);
          found.add(m);
        }
      }
      return found.toArray(new Method[0]);
    });
  }

  /** Calls a public method by name; for members whose generic signatures differ between versions or mislead javac. */
  public static Object call(Object target, String name, Object... args) {
    Class<?> type = target instanceof Class ? (Class<?>) target : target.getClass();
    for (Method m : named(type, name)) {
      if (m.getParameterCount() == args.length && fits(m.getParameterTypes(), args)) {
        return invoke(m, target, args);
      }
    }
    throw new Failure("internal", type.getName() + " has no method " + name + " for " + args.length + " arguments");
  }

  /**
   * Calls the longest form of a method that takes these arguments and then nothing but flags, all of which are off: releases
   * of Spark add flags at the end.
   */
  static Object callWithFlags(Object target, String name, Object... args) {
    Method longest = null;
    for (Method m : named(target.getClass(), name)) {
      boolean longer = longest == null || m.getParameterCount() > longest.getParameterCount();
      if (longer && takesFlags(m.getParameterTypes(), args)) {
        longest = m;
      }
    }
    if (longest == null) {
      throw new Failure("internal", target.getClass().getName() + " has no method " + name + " that takes flags only");
    }
    Object[] all = java.util.Arrays.copyOf(args, longest.getParameterCount());
    java.util.Arrays.fill(all, args.length, all.length, false);
    return invoke(longest, target, all);
  }

  private static boolean takesFlags(Class<?>[] types, Object[] args) {
    if (types.length < args.length || !fits(java.util.Arrays.copyOf(types, args.length), args)) {
      return false;
    }
    for (int i = args.length; i < types.length; i++) {
      if (types[i] != boolean.class) {
        return false;
      }
    }
    return true;
  }

  /** Makes an object of a class known by name only. */
  public static Object make(String type, Object... args) {
    try {
      for (java.lang.reflect.Constructor<?> c : Class.forName(type).getConstructors()) {
        if (c.getParameterCount() == args.length && fits(c.getParameterTypes(), args)) {
          return c.newInstance(args);
        }
      }
    } catch (java.lang.reflect.InvocationTargetException e) {
      throw unchecked(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new Failure("internal", "cannot make a " + type + ": " + e);
    }
    throw new Failure("internal", type + " has no constructor for " + args.length + " arguments");
  }

  /** The instance of a Scala object. */
  public static Object module(String name) {
    try {
      return Class.forName(name + "$").getField("MODULE$").get(null);
    } catch (ReflectiveOperationException e) {
      throw new Failure("internal", "there is no object " + name + ": " + e);
    }
  }

  private static Object invoke(Method m, Object target, Object[] args) {
    try {
      return m.invoke(target instanceof Class ? null : target, args);
    } catch (java.lang.reflect.InvocationTargetException e) {
      throw unchecked(e.getCause());
    } catch (IllegalAccessException e) {
      throw new Failure("internal", "cannot call " + m + ": " + e);
    }
  }

  private static boolean fits(Class<?>[] types, Object[] args) {
    for (int i = 0; i < types.length; i++) {
      Class<?> t = types[i];
      if (t == boolean.class) {
        t = Boolean.class;
      } else if (t == int.class) {
        t = Integer.class;
      }
      if (args[i] == null ? types[i].isPrimitive() : !t.isInstance(args[i])) {
        return false;
      }
    }
    return true;
  }

  /** Throws anything as it is. */
  public static RuntimeException unchecked(Throwable t) {
    return Interop.<RuntimeException>sneak(t);
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> T sneak(Throwable t) throws T {
    throw (T) t;
  }

  /** An array as a list, for varargs of references. */
  static <T> scala.collection.immutable.List<T> of(Collection<? extends T> items) {
    return list(new ArrayList<T>(items));
  }
}
