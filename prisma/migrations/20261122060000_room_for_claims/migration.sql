-- Room on a page for the version of each of its runs that a claim makes: without it that goes to another page and into every
-- index. Holds for pages that are filled from now on, and rewrites nothing (decision 35).
ALTER TABLE "delivery_runs" SET (fillfactor = 50);
