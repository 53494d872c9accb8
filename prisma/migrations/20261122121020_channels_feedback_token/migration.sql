-- SHA-256 of the token that a channel's providers report with. Null where there is none.
ALTER TABLE "channels" ADD COLUMN "feedback_token_hash" BYTEA;
