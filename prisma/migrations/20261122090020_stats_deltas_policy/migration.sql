-- See 20261122040000_environments_policy.
ALTER TABLE "stats_deltas" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "stats_deltas_in_scope" ON "stats_deltas" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
