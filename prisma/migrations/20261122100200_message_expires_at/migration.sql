-- After this time no attempt of the event's own runs begins; null for an event without. No default, so that nothing is rewritten.
ALTER TABLE "messages" ADD COLUMN "expires_at" TIMESTAMPTZ(3);
