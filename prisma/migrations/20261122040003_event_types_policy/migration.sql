-- See 20261122040000_environments_policy.
ALTER TABLE "event_types" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "event_types_in_scope" ON "event_types" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
