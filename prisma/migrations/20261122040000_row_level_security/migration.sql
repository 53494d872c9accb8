-- Rows belong to environments, and a statement sees those of the environments that its transaction names in the setting
-- postrider.environments: an array of UUIDs, or 'all' for work that by its nature goes across environments. Without the
-- setting it sees none. This holds for every role but the tables' owner, so that whoever connects as the owner is not
-- affected. Subqueries that refer to no row are computed once for each statement.

ALTER TABLE "environments" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "environments_in_scope" ON "environments" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR "id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%'
                              THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]));

DO $$
DECLARE
  "table_name" text;
BEGIN
  FOREACH "table_name" IN ARRAY ARRAY[
    'tokens', 'channels', 'event_types', 'template_versions', 'messages', 'delivery_runs', 'replay_batches',
    'idempotency_records', 'environment_usage', 'removed_deliveries', 'erasures', 'audit_log']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', "table_name");
    EXECUTE format($policy$
      CREATE POLICY %I ON %I USING (
        (SELECT current_setting('postrider.environments', true) = 'all')
        OR "environment_id" = ANY ((SELECT CASE WHEN current_setting('postrider.environments', true) LIKE '{%%'
                                                THEN current_setting('postrider.environments', true)::uuid[] END)::uuid[]))
    $policy$, "table_name" || '_in_scope', "table_name");
  END LOOP;
END;
$$;

-- An attempt has the environment of its run, whose policy decides.
ALTER TABLE "attempts" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "attempts_in_scope" ON "attempts" USING (
  (SELECT current_setting('postrider.environments', true) = 'all')
  OR EXISTS (SELECT FROM "delivery_runs" "run" WHERE "run"."id" = "run_id"));
