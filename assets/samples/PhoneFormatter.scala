package support.contacts

import org.apache.spark.sql.functions.udf

/** Ten digits, or eleven with a leading 1, become "(555) 123-4567"; anything else is left as it was typed. */
object PhoneFormatter {

  def formatPhone(phone: String): String =
    if (phone == null) null
    else {
      val digits = phone.replaceAll("[^0-9]", "")
      val local =
        if (digits.length == 11 && digits.startsWith("1")) digits.substring(1)
        else digits
      if (local.length == 10)
        "(" + local.substring(0, 3) + ") " + local.substring(3, 6) + "-" + local.substring(6)
      else phone
    }

  val formatPhoneUdf = udf(formatPhone _)
}
