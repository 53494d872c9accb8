-- What mail providers report, in the figures. The release before counts neither, and drops what it folds meanwhile.
ALTER TABLE "stats_deltas" ADD COLUMN "bounced" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "complained" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "stats" ADD COLUMN "bounced" BIGINT NOT NULL DEFAULT 0, ADD COLUMN "complained" BIGINT NOT NULL DEFAULT 0;
