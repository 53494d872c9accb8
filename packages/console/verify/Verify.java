import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

final class Verify {
  private static final long TOLERANCE_SECONDS = 300;

  /** Whether a request comes from us. body is its unchanged bytes; header gives the value of a header or null. */
  static boolean isGenuine(byte[] body, UnaryOperator<String> header) throws GeneralSecurityException {
    String id = header.apply("webhook-id");
    String timestamp = header.apply("webhook-timestamp");
    String signatures = header.apply("webhook-signature");
    if (id == null || signatures == null || timestamp == null || !timestamp.matches("\\d{1,12}")) return false;
    long age = Instant.now().getEpochSecond() - Long.parseLong(timestamp);
    if (Math.abs(age) > TOLERANCE_SECONDS) return false;

    String secret = System.getenv("WEBHOOK_SECRET").replaceFirst("^whsec_", "");
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret), "HmacSHA256"));
    mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
    String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
    for (String given : signatures.split(" ")) {
      if (MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8)))
        return true;
    }
    return false;
  }
}
