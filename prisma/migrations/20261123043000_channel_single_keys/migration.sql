-- The primary key of both tables is the channel alone, so these indexes said nothing new. ON CONFLICT (channel_id) does not cover them:
-- of two transactions that inserted the first row of a channel at once, one could fail here. Both tables have one row per channel.
DROP INDEX IF EXISTS "channel_health_environment_id_channel_id_key";
DROP INDEX IF EXISTS "channel_limit_states_environment_id_channel_id_key";
