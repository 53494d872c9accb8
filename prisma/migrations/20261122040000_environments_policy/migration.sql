-- Rows belong to environments, and a statement sees those of the environments that its transaction names in the setting
-- postrider.environments: an array of UUIDs, or 'all' for work that by its nature goes across environments. Without the
-- setting it sees none. This holds for every role but the tables' owner, so that whoever connects as the owner is not
-- affected. Subqueries that refer to no row are computed once for each statement.
--
-- One table in each migration: each takes its table from everybody for a moment, and two of them in one transaction could
-- wait for traffic that waits for it.
ALTER TABLE "environments" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "environments_in_scope" ON "environments" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
