-- When the last pause of a channel ended: runs in retry that are older wait for their turn in the release of held runs. Null: never paused.
-- A released run has `held` = 'released' until its claim. The release before neither reads nor writes either.
ALTER TABLE "channels" ADD COLUMN "resumed_at" TIMESTAMPTZ(3);
