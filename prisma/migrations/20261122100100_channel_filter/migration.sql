-- Which events a channel takes, by what is in them; null takes all. The release before ignores it: until every API runs this
-- release, a channel with a filter can get events that its filter does not take.
ALTER TABLE "channels" ADD COLUMN "filter" JSONB;
