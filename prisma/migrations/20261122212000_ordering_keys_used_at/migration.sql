-- When a place of the key was last given: a key that has not been used for long is forgotten (decision 0048). The default is evaluated
-- once, so no row is rewritten. No index has the column: a search by the primary key finds what is old, and the updates stay HOT.
ALTER TABLE "ordering_keys" ADD COLUMN "used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now();
