-- See 20261122040000_environments_policy.
ALTER TABLE "delivery_runs" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "delivery_runs_in_scope" ON "delivery_runs" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
