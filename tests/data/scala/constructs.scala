import org.apache.spark.sql.functions.udf

case class Money(cents: Long, cur: String = "USD") {
  def +(o: Money): Money = Money(cents + o.cents, cur)
  def text: String = f"$cur ${cents / 100}%d.${math.abs(cents % 100)}%02d"
  def scaled(by: Int = 2): Money = copy(cents = cents * by)
  val isDebt: Boolean = cents < 0
}
object Money {
  val Zero: Money = Money(0L)
  def parse(s: String): Option[Money] = s.split(' ') match {
    case Array(c, a) if c.length == 3 => scala.util.Try((a.toDouble * 100).toLong).toOption.map(Money(_, c))
    case Array(a) => scala.util.Try(Money(a.toLong)).toOption
    case _ => None
  }
}

object CompanionAndDefaults {
  def run(n: Int, s: String): String = {
    val total = Money.parse(s).map(_ + Money(250)).getOrElse(Money.Zero)
    total.text + "/" + total.scaled().scaled(by = n).text + "/" + total.copy(cur = "EUR") + "/" + (total == Money(250)) + total.isDebt
  }
  val companionAndDefaults = udf((n: Int, s: String) => run(n, s))
}

sealed trait Tier { def rate: Double; def name: String = toString; def price(p: Double): Double = p * (1 - rate) }
case object Gold extends Tier { val rate = 0.2 }
case object Basic extends Tier { def rate = 0.0; override def name: String = "none" }
final case class Percent(pct: Int) extends Tier { def rate: Double = pct / 100.0 }
object Tier {
  def of(n: Int): Tier = if (n > 5) Gold else if (n < 0) Percent(-n) else Basic
}
object SealedTrait {
  def label(t: Tier): String = t match {
    case Gold => "gold"
    case Percent(p) if p > 2 => "percent" + p
    case p: Percent => "small" + p.pct
    case Basic => "basic"
  }
  def run(n: Int, s: String): String = {
    val t = Tier.of(n)
    val all: List[Tier] = List(Gold, Basic, Percent(n), t)
    label(t) + t.name + t.price(10.0) + all.map(_.rate).sum + t + all.count(_ == t) + all.collect { case Percent(p) => p }.sum
  }
  val sealedTrait = udf((n: Int, s: String) => run(n, s))
}

sealed abstract class Shape(val sides: Int) { def area: Double }
case class Square(a: Double) extends Shape(4) { def area: Double = a * a }
case class Circle(r: Double) extends Shape(0) { def area: Double = 3 * r * r }
case class Poly(n: Int, a: Double) extends Shape(n) { def area: Double = n * a }
object AbstractClass {
  def make(n: Int): Shape = n match { case 0 => Circle(1.5); case k if k < 0 => Square(k.toDouble); case k => Poly(k, 2.0) }
  def run(n: Int, s: String): String = { val x = make(n); x.sides + ":" + x.area + ":" + x + (x match { case Square(_) => "sq"; case _: Circle => "ci"; case Poly(k, a) => k + a }) }
  val abstractClass = udf((n: Int, s: String) => run(n, s))
}

sealed trait Expr
case class Num(v: Int) extends Expr
case class Add(l: Expr, r: Expr) extends Expr
case class Mul(l: Expr, r: Expr) extends Expr
case class Neg(e: Expr) extends Expr
object RecursiveAdt {
  def eval(e: Expr): Int = e match { case Num(v) => v; case Add(l, r) => eval(l) + eval(r); case Mul(Num(0), _) => 0; case Mul(l, r) => eval(l) * eval(r); case Neg(x) => -eval(x) }
  def show(e: Expr): String = e match { case Num(v) => v.toString; case Add(l, r) => "(" + show(l) + "+" + show(r) + ")"; case Mul(l, r) => show(l) + "*" + show(r); case Neg(x) => "-" + show(x) }
  def run(n: Int, s: String): String = { val e: Expr = Add(Mul(Num(n), Num(3)), Neg(Add(Num(1), Num(n)))); show(e) + "=" + eval(e) + e }
  val recursiveAdt = udf((n: Int, s: String) => run(n, s))
}

object Ops {
  implicit class RichText(val s: String) extends AnyVal {
    def orDash: String = if (s == null || s.isEmpty) "-" else s
    def twice(sep: String = "+"): String = s + sep + s
  }
  implicit class RichInt2(n: Int) { def squared: Int = n * n; def clampTo(lo: Int, hi: Int): Int = math.max(lo, math.min(hi, n)) }
}
object ImplicitClasses {
  import Ops._
  def run(n: Int, s: String): String = s.orDash + s.orDash.twice() + "x".twice("#") + n.squared + n.clampTo(0, 5)
  val implicitClasses = udf((n: Int, s: String) => run(n, s))
}

object Orderings2 {
  case class P(name: String, age: Int)
  def run(n: Int, s: String): String = {
    val xs = List(3, n, -1, 10, 7)
    val ps = List(P("b", 2), P("a", n), P("c", 2), P("", -1))
    val byAge: Ordering[P] = Ordering.by(_.age)
    val custom = new Ordering[P] { def compare(x: P, y: P): Int = y.name.compareTo(x.name) }
    List(xs.sorted(Ordering[Int].reverse), xs.sortBy(-_), xs.sorted, xs.max, xs.min(Ordering[Int].reverse), xs.sortBy(x => (x % 2, -x)), xs.max(Ordering.Int.reverse),
      ps.sorted(byAge), ps.sorted(byAge.reverse), ps.sorted(custom).map(_.name), ps.sortBy(_.name)(Ordering[String].reverse), ps.maxBy(_.age), ps.minBy(p => (p.age, p.name)),
      ps.sorted(Ordering.by[P, (Int, String)](p => (-p.age, p.name))), ps.sortWith(_.age > _.age).map(_.name), ps.max(Ordering.by((p: P) => p.age))).mkString("|")
  }
  val orderings2 = udf((n: Int, s: String) => run(n, s))
}
object Orderings3 {
  def run(n: Int, s: String): String = {
    val xs = Seq(5, n, 2)
    val ds = Array(2.5, n.toDouble, -0.0, 0.0)
    Seq(xs.sorted(Ordering[Int].reverse).mkString(","), xs.sorted(Ordering.by((x: Int) => -x)).head, Seq("b", "a", s + "").sorted(Ordering[String].reverse).mkString, xs.sortBy(identity)(Ordering.Int.reverse).last,
      ds.sorted(Ordering[Double].reverse).mkString(","), ds.max, xs.zipWithIndex.sortBy(_._2)(Ordering[Int].reverse).map(_._1).mkString, xs.zipWithIndex.max, Ordering[Int].compare(n, 3), Ordering[String].lt("a", s + ""), Ordering[Int].max(n, 2), xs.map(x => (x, s + "")).sorted(Ordering[(Int, String)].reverse).head._1).mkString("|")
  }
  val orderings3 = udf((n: Int, s: String) => run(n, s))
}

object Email {
  def unapply(s: String): Option[(String, String)] = { val p = s.split("@"); if (p.length == 2) Some((p(0), p(1))) else None }
}
object Even { def unapply(n: Int): Boolean = n % 2 == 0 }
object Half { def unapply(n: Int): Option[Int] = if (n % 2 == 0) Some(n / 2) else None }
object Words { def unapplySeq(s: String): Option[Seq[String]] = Some(s.split("[^a-z]+").toSeq) }
object Extractors {
  def run(n: Int, s: String): String = {
    val a = s match { case null => "null"; case Email(u, h) if u.nonEmpty => h + "<-" + u; case Words(w) => "one " + w; case Words(a, b, rest @ _*) => a + b + rest.size; case _ => "?" }
    val b = n match { case Even() if n > 0 => "even"; case Half(h @ Half(q)) => "q" + h + q; case x => "odd" + x }
    a + b
  }
  val extractors = udf((n: Int, s: String) => run(n, s))
}

object Level extends Enumeration { val Low, Mid, High = Value }
object Color extends Enumeration { type Color = Value; val Red = Value("red"); val Green = Value(5, "green"); val Blue = Value }
object Enumerations {
  import Color._
  def pick(n: Int): Color = if (n < 0) Red else if (n == 0) Green else Blue
  def run(n: Int, s: String): String = {
    val l = if (n < 0) Level.Low else if (n == 0) Level.Mid else Level.High
    val c = pick(n)
    val m = l match { case Level.Low => "low"; case Level.Mid => "mid"; case _ => "hi" }
    l.toString + l.id + m + c + c.id + (c == Color.Red) + Level.values.map(_.toString).mkString(",") + Level.withName("Mid").id + Level(1) + scala.util.Try(Color.withName(s + "")).isSuccess + (l < Level.High)
  }
  val enumerations = udf((n: Int, s: String) => run(n, s))
}

object Arrays2 {
  def dist(a: String, b: String): Int = {
    val d = Array.tabulate(a.length + 1, b.length + 1)((i, j) => if (j == 0) i else if (i == 0) j else 0)
    for (i <- 1 to a.length; j <- 1 to b.length)
      d(i)(j) = math.min(math.min(d(i - 1)(j) + 1, d(i)(j - 1) + 1), d(i - 1)(j - 1) + (if (a(i - 1) == b(j - 1)) 0 else 1))
    d(a.length)(b.length)
  }
  def run(n: Int, s: String): String = {
    val k = math.abs(n)
    val m = Array.ofDim[Int](2, 3)
    m(1)(2) = n
    val f = Array.fill(2, 2)(k)
    f(0)(1) += 1
    val t = m.transpose
    val l = List(List(1, 2, n), List(4, 5, 6)).transpose
    val g = Array.ofDim[Double](2, 2)
    g(0)(0) = 1.5
    dist(s, "abd") + "|" + m.map(_.mkString(",")).mkString(";") + f.flatten.sum + t.map(_.mkString).mkString("/") + l + g.map(_.sum).sum + List.tabulate(3)(_ * n) + Vector.fill(2)(k)
  }
  val arrays2 = udf((n: Int, s: String) => run(n, s))
}

object Breaks {
  import scala.util.control.Breaks._
  def run(n: Int, s: String): String = {
    var sum = 0
    breakable { for (i <- 1 to 100) { if (i * i > n + 20) break; sum += i } }
    var k = 0
    for (i <- 0 until 6) { breakable { if (i % 2 == 0) break(); k += i } }
    breakable { while (true) { k += 1; if (k > 20) break } }
    sum + ":" + k
  }
  val breaks = udf((n: Int, s: String) => run(n, s))
}

object Patterns {
  def run(n: Int, s: String): String = {
    val xs = List(n, 2, 3).take(math.abs(n))
    val a = xs match { case h +: t => h + "/" + t.sum; case _ => "none" }
    val b = xs.toVector match { case init :+ last => init.size + "<" + last; case Vector() => "empty" }
    val c = (n: @unchecked) match { case 0 => "z"; case x if x > 0 => "p"; case _ => "m" }
    val d = (n, s) match { case (0, null) => "zn"; case (x, y) if y != null && y.nonEmpty => x + y; case _ => "-" }
    val e = (n: @scala.annotation.switch) match { case 1 | 2 => "one"; case 7 => "seven"; case _ => "other" }
    val f = Seq(1, n, 3) match { case Seq(1, x, _*) if x > 0 => x; case _ :+ z => z * 2 }
    val g = xs match { case a +: b +: _ => a - b; case Seq(x) => x; case _ => -1 }
    a + b + c + d + e + f + g
  }
  val patterns = udf((n: Int, s: String) => run(n, s))
}

object Zipped {
  def run(n: Int, s: String): String = {
    val a = Seq(1, 2, n); val b = List(10, 20); val c = Seq("x", "y", "z")
    (a, b).zipped.map(_ + _).sum + "|" + (a, c).zipped.map((x, z) => z * x).mkString(",") + (a, c).zipped.toList + (a, b).zipped.forall(_ < _) + (a, b).zipped.exists((x, y) => x > y) + (b, a).zipped.map(_ - _)
  }
  val zipped = udf((n: Int, s: String) => run(n, s))
}

object Maps2 {
  def count(m: collection.Map[String, Int]): Int = m.values.sum
  def run(n: Int, s: String): String = {
    import scala.collection.mutable
    val m = mutable.Map[String, Int]().withDefaultValue(5)
    m("a") += n
    m("b") = m("c") + 1
    val q = mutable.HashMap.empty[Char, Int]
    for (c <- "hello") q(c) = q.getOrElse(c, 0) + 1
    m("a") + "," + m("b") + "," + m.contains("c") + m.get("zz") + m.getOrElse("zz", -1) + count(m) + count(Map("x" -> n)) + q('l')
  }
  val maps2 = udf((n: Int, s: String) => run(n, s))
}

object Library2 {
  def run(n: Int, s: String): String = {
    val st = new java.util.StringTokenizer("a b,c" + s, " ,")
    var parts = List.empty[String]
    val k = st.countTokens
    while (st.hasMoreTokens) parts = st.nextToken() :: parts
    val sb = new StringBuilder("abc")
    sb.append(n).reverse
    val jb = new java.lang.StringBuilder("xyz").reverse.append(1)
    k + parts.mkString("-") + Integer.parseUnsignedInt("ffffffff", 16) + Integer.toUnsignedString(n) + java.lang.Long.toUnsignedString(n.toLong) + Integer.toUnsignedLong(n) + Integer.divideUnsigned(n, 3) + Integer.compareUnsigned(n, 1) + sb + jb + java.lang.Long.parseUnsignedLong("18446744073709551615")
  }
  val library2 = udf((n: Int, s: String) => run(n, s))
}

object ClassNames {
  def run(n: Int, s: String): String = {
    val a = try { if (n == 0) s.trim.toInt else 10 / (n - 7) } catch { case e: Exception => e.getClass.getSimpleName }
    val b = try { List(1)(n) } catch { case e: Throwable => e.getClass.getName }
    a + "," + b + "," + "x".getClass.getName + "," + scala.util.Try(s.length).failed.map(_.getClass.getName).getOrElse("none")
  }
  val classNames = udf((n: Int, s: String) => run(n, s))
}

object Normal {
  import java.text.Normalizer
  def slug(s: String): String = Normalizer.normalize(s, Normalizer.Form.NFD).replaceAll("\\p{M}", "").toLowerCase.replaceAll("[^a-z0-9]+", "-")
  def run(n: Int, s: String): String = slug("Crème Brûlée" + s) + Normalizer.normalize("e\u0301\ufb01\u1e9b\u0323", Normalizer.Form.NFC) + Normalizer.normalize("\ufb01\u2460", java.text.Normalizer.Form.NFKC).length + Normalizer.normalize("\u1e9b\u0323", Normalizer.Form.NFKD).map(_.toInt) + Normalizer.isNormalized("é", Normalizer.Form.NFC)
  val normal = udf((n: Int, s: String) => run(n, s))
}

object Appending {
  private val P = java.util.regex.Pattern.compile("([a-z])(\\d*)")
  def run(n: Int, s: String): String = {
    val m = P.matcher("a1 b22-c" + s)
    val sb = new StringBuffer
    while (m.find()) m.appendReplacement(sb, m.group(1).toUpperCase + "<$2>")
    m.appendTail(sb)
    val q = P.matcher("zz9"); val b2 = new StringBuffer("pre:")
    if (q.find()) q.appendReplacement(b2, java.util.regex.Matcher.quoteReplacement("$" + n + "\\"))
    sb.toString + b2
  }
  val appending = udf((n: Int, s: String) => run(n, s))
}

object Lazies {
  def run(n: Int, s: String): String = {
    def from(k: Int): Stream[Int] = k #:: from(k + 1)
    val it = Iterator.from(1).map(_ * 2).filter(_ % 3 == 0).take(3)
    val st = Stream.from(n).map(_ + 1)
    var seen = 0
    val i2 = Iterator(1, 2, 3).map { x => seen += 1; x }
    val h = i2.next()
    it.toList + "" + from(n).take(3).toList + st.take(2).toList + seen + h + Iterator.iterate(1)(_ * 2).takeWhile(_ < 20).sum + Stream.continually(n).take(2).sum + from(1).filter(_ % 5 == 0).head
  }
  val lazies = udf((n: Int, s: String) => run(n, s))
}

object Sharing {
  def run(n: Int, s: String): String = {
    val a = Array(1, 2, 3)
    val w: Seq[Int] = a
    a(0) = n
    val c = a.toSeq
    a(1) = 9
    val l = a.toList
    a(2) = 8
    w.sum + "," + c + "," + l + w
  }
  val sharing = udf((n: Int, s: String) => run(n, s))
}

object Weeks {
  import java.time.LocalDate
  import java.time.temporal.{ChronoUnit, IsoFields}
  def run(n: Int, s: String): String = {
    val d = LocalDate.of(2020, 12, 28).plusDays(n)
    d.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR) + ":" + d.get(IsoFields.WEEK_BASED_YEAR) + ":" + d.get(IsoFields.QUARTER_OF_YEAR) + ":" + d.get(IsoFields.DAY_OF_QUARTER)
  }
  val weeks = udf((n: Int, s: String) => run(n, s))
}

sealed trait Event { def at: Long; def weight: Double = 1.0; override def toString: String = "event@" + at }
case class Click(at: Long, target: String) extends Event { override def weight: Double = super_(2.0); private def super_(x: Double) = x + 0.5 }
case class View(at: Long) extends Event { require(at >= 0, "negative time") ; val half: Long = at / 2 }
case object Tick extends Event { val at = 7L }
object Events {
  def parse(n: Int, s: String): Event = s match {
    case null => Tick
    case "" => View(n.toLong)
    case t => Click(n.toLong, t)
  }
  def run(n: Int, s: String): String = {
    val e = parse(n, s)
    val es: Seq[Event] = Seq(e, Tick, Click(1, "x"))
    val kind = e match { case _: Click => "c"; case v: View => "v" + v.half; case Tick => "t" }
    kind + e + es.map(_.weight).sum + es.map(_.at).max + (e.isInstanceOf[Click]) + es.exists(_ == Tick) + es.groupBy(_.weight).keys.toSeq.sorted + s"<$e>" + es.mkString(";")
  }
  val events = udf((n: Int, s: String) => run(n, s))
}

object Unsigned {
  def run(n: Int, s: String): String = Integer.toUnsignedString(n) + ":" + Integer.toUnsignedLong(n) + ":" + java.lang.Long.toUnsignedString(n.toLong) + ":" + Integer.divideUnsigned(n, 3)
  val unsigned = udf((n: Int, s: String) => run(n, s))
}

object NullReceivers {
  case class Box(v: Int) { def shape: String = "box"; def plus(k: Int): Int = v + k }
  sealed trait Animal { def sound: String = "?" }
  case class Dog(name: String) extends Animal { override def sound: String = "woof" }
  def run(n: Int, s: String): String = {
    val b: Box = if (n == 0) null else Box(n)
    val a: Animal = if (s == null) null else Dog(s)
    b.shape + b.plus(1) + a.sound
  }
  val nullReceivers = udf((n: Int, s: String) => run(n, s))
}
