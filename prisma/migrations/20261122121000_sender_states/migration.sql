-- Which senders of email channels are out of their turn. A row is written when that changes, and never for a sender that has
-- always worked. Processes find out for themselves: a row says what the last one found.
CREATE TABLE "sender_states" (
  "channel_id" UUID NOT NULL,
  "environment_id" UUID NOT NULL,
  "sender" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "since" TIMESTAMPTZ(3) NOT NULL,
  "until" TIMESTAMPTZ(3),
  "reason" TEXT,
  CONSTRAINT "sender_states_pkey" PRIMARY KEY ("channel_id", "sender"),
  CONSTRAINT "sender_states_state" CHECK (
    ("state" = 'closed' AND "until" IS NULL) OR ("state" = 'open' AND "until" IS NOT NULL)),
  CONSTRAINT "sender_states_environment_id_channel_id_fkey" FOREIGN KEY ("environment_id", "channel_id")
    REFERENCES "channels"("environment_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
