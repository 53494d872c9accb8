require "base64"
require "openssl"

TOLERANCE_SECONDS = 300

# Whether a request comes from us. body is its unchanged bytes; headers are by lower-case names.
def genuine?(body, headers, secret = ENV.fetch("WEBHOOK_SECRET"))
  id = headers["webhook-id"].to_s
  timestamp = headers["webhook-timestamp"].to_s
  return false if id.empty? || timestamp !~ /\A\d+\z/
  return false if (Time.now.to_i - timestamp.to_i).abs > TOLERANCE_SECONDS

  key = Base64.strict_decode64(secret.delete_prefix("whsec_"))
  digest = OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{timestamp}.".b + body.b)
  expected = "v1,#{Base64.strict_encode64(digest)}"
  headers["webhook-signature"].to_s.split(" ").any? do |given|
    OpenSSL.secure_compare(given, expected)
  end
end
