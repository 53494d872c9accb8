-- See 20261122040000_environments_policy.
-- An attempt has the environment of its run, whose policy decides.
ALTER TABLE "attempts" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "attempts_in_scope" ON "attempts" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR EXISTS (SELECT FROM "delivery_runs" "run" WHERE "run"."id" = "run_id"));
