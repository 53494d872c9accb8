-- Erasures by `recipient.id` instead of the address. It is known for as long as it is looked for, and no longer.
ALTER TABLE "erasures" ADD COLUMN "recipient_id" TEXT;
ALTER TABLE "erasures" DROP CONSTRAINT "erasures_address_while_open";
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_recipient_while_open"
  CHECK (("status" = 'completed') = (num_nonnulls("recipient_email", "recipient_id") = 0)
         AND num_nonnulls("recipient_email", "recipient_id") <= 1);
