-- See 20261122040000_environments_policy.
ALTER TABLE "operational_events" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "operational_events_in_scope" ON "operational_events" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
