-- See 20261122040000_environments_policy.
ALTER TABLE "message_files" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "message_files_in_scope" ON "message_files" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
