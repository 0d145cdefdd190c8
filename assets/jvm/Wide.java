package rewright.worker;

import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.internal.SQLConf$;
import org.apache.spark.sql.types.DataType;
import scala.runtime.AbstractFunction0;

/**
 * A {@code UDF11} to {@code UDF22}: Spark takes those only by name, through a function of Scala that calls them. This is that
 * function, as a proxy of the interface.
 */
final class Wide implements InvocationHandler, Serializable {
  private static final long serialVersionUID = 1L;

  private final Object function;
  private final int arity;
  private transient Method call;

  private Wide(Object function, int arity) {
    this.function = function;
    this.arity = arity;
  }

  /** What registering would make of it. */
  static Object udf(Object function, int arity, DataType type) {
    Object proxy;
    try {
      Class<?> api = Class.forName("scala.Function" + arity);
      proxy = Proxy.newProxyInstance(api.getClassLoader(), new Class<?>[] {api}, new Wide(function, arity));
    } catch (ClassNotFoundException e) {
      throw new Failure("internal", "Scala has no function of " + arity + " parameters");
    }
    // Without types of its parameters, which is what registering gives as well.
    SQLConf conf = SQLConf$.MODULE$.get().clone();
    conf.setConfString("spark.sql.legacy.allowUntypedScalaUDF", "true");
    return SQLConf$.MODULE$.withExistingConf(conf, new AbstractFunction0<Object>() {
      @Override
      public Object apply() {
        return functions.udf(proxy, type);
      }
    });
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
    switch (method.getName()) {
      case "apply":
        try {
          return call().invoke(function, args);
        } catch (InvocationTargetException e) {
          throw e.getCause();
        }
      case "hashCode":
        return System.identityHashCode(proxy);
      case "equals":
        return proxy == args[0];
      case "toString":
        return "<function" + arity + ">";
      default:
        throw new UnsupportedOperationException(method.getName());
    }
  }

  private Method call() throws ClassNotFoundException {
    if (call == null) {
      for (Method m : Class.forName("org.apache.spark.sql.api.java.UDF" + arity).getMethods()) {
        if (m.getName().equals("call")) {
          call = m;
        }
      }
    }
    return call;
  }
}
