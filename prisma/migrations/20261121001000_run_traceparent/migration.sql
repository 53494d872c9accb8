-- The W3C traceparent by which the worker continues the trace of the request that made the run; NULL when nobody traces.
-- Without a default no row is rewritten.
ALTER TABLE "delivery_runs" ADD COLUMN "traceparent" TEXT;
