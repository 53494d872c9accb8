-- Whether the present release is that of a resume, and not of runs in retry that fell due later. The release before neither reads nor writes it.
ALTER TABLE "channel_health" ADD COLUMN "is_resuming" BOOLEAN NOT NULL DEFAULT false;
