import org.apache.spark.sql.functions.udf
import scala.annotation.tailrec
import scala.util.{Try, Success, Failure}
/** One construct each that only a kernel expresses, or a piece of the library that kernels have of their own. */
object Constructs {
  private val Vowels = Set('a', 'e', 'i', 'o', 'u')
  private val Names = Map("de" -> "Germany", "fr" -> "France")
  private val Weights = Array(7, 3, 1)
  private val Stop = Seq("a", "an", "the")
  private val Key = "([a-z]+)=([^;]*);?".r
  private val Num = """-?\d+(\.\d+)?""".r
  def gcd(a: Int, b: Int): Int = if (b == 0) a else gcd(b, a % b)
  val greatestDivisor = udf((a: Int, b: Int) => gcd(math.abs(a), math.abs(b)))
  val countryName = udf((s: String) => Option(s).map(_.trim.toLowerCase).flatMap(Names.get).getOrElse("unknown"))
  val weightedDigits = udf((s: String) => { if (s == null) 0 else s.filter(_.isDigit).map(_.asDigit).zipWithIndex.map { case (d, i) => d * Weights(i % 3) }.sum % 10 })
  val titleCase = udf((s: String) => if (s == null) null else s.split(" ").filterNot(w => Stop.contains(w)).map(_.capitalize).mkString(" "))
  val keyValue = udf((s: String) => s match { case Key(k, v) => k + ":" + v; case null => "none"; case _ => "bad" })
  val numbersIn = udf((s: String) => if (s == null) 0 else Num.findAllIn(s).size)
  val doubled = udf((s: String) => Try(s.toDouble) match { case Success(d) => d * 2; case Failure(_) => -1.0 })
  val factorial = udf((n: Int) => { @tailrec def loop(i: Int, acc: Long): Long = if (i <= 1) acc else loop(i - 1, acc * i); loop(n % 15, 1L) })
  val runs = udf((s: String) => { if (s == null) "" else { val sb = new StringBuilder; var i = 0; while (i < s.length) { val c = s.charAt(i); var j = i; while (j < s.length && s.charAt(j) == c) j += 1; sb.append(c).append(j - i); i = j }; sb.toString } })
  val meanOfPositive = udf((xs: Seq[Int]) => if (xs == null || xs.isEmpty) -1 else xs.filter(_ > 0).foldLeft(0)(_ + _) / xs.size)
  val firstThree = udf((xs: Seq[String]) => if (xs == null) null else xs.filter(_ != null).sorted.distinct.take(3).mkString("|"))
  val dayOfYear = udf((d: java.sql.Date) => { val l = d.toLocalDate; if (l.getDayOfWeek.getValue >= 6) "weekend" else f"${l.getYear}%04d/${l.getDayOfYear}%03d" })
  val euros = udf((x: Double) => f"$x%.2f EUR")
  val pair = udf((x: Double, y: Double) => s"$x;$y")
  val snakeCase = udf((s: String) => if (s == null) null else s.replaceAll("([A-Z])", "_$1").toLowerCase)
  val thousands = udf((s: String) => if (s == null) null else s.reverse.grouped(3).mkString(".").reverse)
  val roundedSum = udf((a: BigDecimal, b: BigDecimal) => if (a == null || b == null) null else (a + b).setScale(1, BigDecimal.RoundingMode.HALF_EVEN))
  val sumOfLetters = udf((s: String) => { val buf = scala.collection.mutable.ArrayBuffer[Int](); if (s != null) for (c <- s) { if (c.isLetter) buf += c.toInt }; buf.sum })
  val padded = udf((s: String, n: Int) => if (s == null) null else s.take(n).padTo(8, '*'))
  val sumOfDivisors = udf((a: Int) => (1 to 10).filter(i => a % i == 0).sum)
  val parsed = udf((s: String) => try { val i = s.toInt; if (i < 0) throw new IllegalArgumentException("neg") else i } catch { case _: NumberFormatException => -1; case e: IllegalArgumentException => -2 })
  val isIdentifier = udf((s: String) => s != null && s.nonEmpty && s.forall(c => c.isLetterOrDigit || c == '_') && !s.head.isDigit)
  val quotient = udf((a: Option[Int], b: Option[Int]) => for (x <- a; y <- b if y != 0) yield x / y)
  val swappedCase = udf((s: String) => if (s == null) null else s.map(c => if (c.isUpper) c.toLower else if (c.isLower) c.toUpper else c))
  val bits = udf((a: Long) => { var x = a; var n = 0; while (x != 0) { n += (x & 1).toInt; x = x >>> 1 }; n })
  val userLength = udf((s: String) => { val i = s.indexWhere(_ == '@'); val (u, h) = s.splitAt(i); u.length - h.length })
  val endsAlike = udf((s: String) => (s.headOption, s.lastOption) match { case (Some(a), Some(b)) if a == b => "same"; case (Some(_), _) => "other"; case _ => "empty" })
  val nextMonth = udf((s: String) => java.time.LocalDate.parse(s).plusMonths(1).toString)
}
