-- When there were workers (decision 58): an interval for each time without a gap. It counts how long runs waited for the limits of
-- their channels, and not for workers. It is of the whole service: there is no environment, and so no policy.
CREATE TABLE "worker_presence" (
  "began_at" TIMESTAMPTZ(3) NOT NULL,
  "seen_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "worker_presence_pkey" PRIMARY KEY ("began_at")
);
