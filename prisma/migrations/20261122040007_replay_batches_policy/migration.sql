-- See 20261122040000_environments_policy.
ALTER TABLE "replay_batches" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "replay_batches_in_scope" ON "replay_batches" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
