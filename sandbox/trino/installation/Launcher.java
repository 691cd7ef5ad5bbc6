/** Starts Trino. Maven has the server, but no program that starts it. It uses reflection, because it is compiled without the server. */
public class Launcher {
  public static void main(String[] arguments) throws Exception {
    Class<?> server = Class.forName("io.trino.server.Server");
    server.getMethod("start", String.class).invoke(server.getDeclaredConstructor().newInstance(), arguments[0]);
  }
}
