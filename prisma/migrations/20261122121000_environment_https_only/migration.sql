-- Whether the channels of an environment may only have https URLs. The default is what the release before does.
ALTER TABLE "environments" ADD COLUMN "https_only" BOOLEAN NOT NULL DEFAULT false;
