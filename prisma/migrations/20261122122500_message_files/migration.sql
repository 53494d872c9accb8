-- Files of large events, which are kept apart from the payload so that nothing else reads them. They go with their message.
CREATE TABLE "message_files" (
  "environment_id" UUID NOT NULL,
  "message_id" UUID NOT NULL,
  "number" INTEGER NOT NULL,
  "content" BYTEA NOT NULL,
  CONSTRAINT "message_files_pkey" PRIMARY KEY ("environment_id", "message_id", "number"),
  CONSTRAINT "message_files_message_fkey" FOREIGN KEY ("environment_id", "message_id")
    REFERENCES "messages"("environment_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
-- Files are compressed already, most of them.
ALTER TABLE "message_files" ALTER COLUMN "content" SET STORAGE EXTERNAL;
