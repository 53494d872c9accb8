-- How many workers in a row were lost while they had the run: one that loses too many is tried alone. A release that knows
-- nothing of the column leaves it at 0. A constant default rewrites no row.
ALTER TABLE "delivery_runs" ADD COLUMN "lost_workers" SMALLINT NOT NULL DEFAULT 0;
