package lending.scoring

import org.apache.spark.sql.functions.udf

/** Bands of the score sheet. A missing score is a band of its own; scores outside of 300 to 850 are data errors. */
object CreditRisk {

  val riskBand = udf { (score: Integer) =>
    if (score == null) "unscored"
    else if (score < 300 || score > 850) "invalid"
    else if (score >= 740) "low"
    else if (score >= 670) "moderate"
    else if (score >= 580) "elevated"
    else "high"
  }
}
