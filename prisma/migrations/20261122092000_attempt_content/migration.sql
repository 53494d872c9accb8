-- What an attempt sent, so that it can be shown and proved: SHA-256 of the content, and the headers and the address of the exchange.
-- Null for attempts of before, and where nothing was sent. No default, so that nothing is rewritten.
ALTER TABLE "attempts" ADD COLUMN "content_sha256" BYTEA, ADD COLUMN "exchange" JSONB;
