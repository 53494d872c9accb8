-- Several credentials of a channel: an object of sealed texts by name. A release that knows nothing of it uses the column
-- of the single secret, which the config with a single sender keeps to.
ALTER TABLE "channels" ADD COLUMN "sealed_credentials" JSONB,
  ADD CONSTRAINT "channels_sealed_credentials_object" CHECK (jsonb_typeof("sealed_credentials") = 'object');

-- Which sender of the channel decided an attempt, what the provider calls the message, and the senders that were tried
-- before: a list with the outcome of each. Null for attempts of before. No default, so that nothing is rewritten.
ALTER TABLE "attempts" ADD COLUMN "sender" TEXT, ADD COLUMN "provider_message_id" TEXT, ADD COLUMN "tried" JSONB;
