-- See 20261122040000_environments_policy.
ALTER TABLE "idempotency_records" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "idempotency_records_in_scope" ON "idempotency_records" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                             THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));
