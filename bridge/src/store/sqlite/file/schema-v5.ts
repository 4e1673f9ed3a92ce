/**
 * What a store with a million runs needs: deletions, grants and retention find their rows by an index, and deletions are done in parts.
 *
 * - An event's trigger looks at the end of its run's log once instead of twice.
 * - `change`: a run's own row is found by the index that also finds the rows of its approvals, so a change writes one index page fewer.
 * - `delivery_of_run`: without it, deleting a run scanned the deliveries of all threads.
 * - `approval.window_ends`: when a grant ends, in milliseconds since the epoch; null for anything else, and for a revoked grant.
 * - `bytes_kept`: the total size of the runs whose bytes are kept, so that retention need not add them up.
 * - An expired run whose `total_bytes` is above 0 may still have bytes in the artifact store. Earlier versions removed the bytes at
 *   once, so the migration sets `total_bytes` to 0 for the runs that have already expired.
 * - A thread in `deleting` is hidden: its rows are being removed in several transactions.
 */
export const schemaV5 = `
DROP TRIGGER event_follows;
DROP TRIGGER event_not_after_end;
CREATE TRIGGER event_follows BEFORE INSERT ON event
WHEN NEW.seq IS NOT coalesce(
	(SELECT iif(status IN ('queued', 'running'), seq + 1, 'ended') FROM event WHERE run = NEW.run ORDER BY seq DESC LIMIT 1), 1)
BEGIN
	SELECT RAISE(ABORT, 'the run has ended') FROM event WHERE run = NEW.run AND status NOT IN ('queued', 'running');
	SELECT RAISE(ABORT, 'an event must follow the last one of its run');
END;

DROP INDEX change_of_run;
DROP INDEX change_by_run;
CREATE UNIQUE INDEX change_of_run ON change (run, ifnull(approval, 0));

CREATE INDEX delivery_of_run ON delivery (run);

ALTER TABLE approval ADD COLUMN window_ends INTEGER;
UPDATE approval SET window_ends = (unixepoch(decided_at) + 1 + json_extract(body, '$.windowSeconds')) * 1000
WHERE state = 'decided' AND decision = 'allow_window' AND json_extract(body, '$.revokedAt') IS NULL;
DROP INDEX approval_windows;
CREATE INDEX approval_windows ON approval (window_ends) WHERE window_ends IS NOT NULL;

CREATE TABLE bytes_kept (total INTEGER NOT NULL) STRICT;
INSERT INTO bytes_kept (total) SELECT coalesce(sum(total_bytes), 0) FROM run_bytes WHERE expired = 0 AND total_bytes > 0;
CREATE TRIGGER bytes_kept_more AFTER INSERT ON run_bytes
BEGIN UPDATE bytes_kept SET total = total + NEW.total_bytes; END;
CREATE TRIGGER bytes_kept_less AFTER UPDATE OF expired ON run_bytes WHEN OLD.expired = 0 AND NEW.expired = 1
BEGIN UPDATE bytes_kept SET total = total - OLD.total_bytes; END;
CREATE TRIGGER bytes_kept_gone AFTER DELETE ON run_bytes WHEN OLD.expired = 0
BEGIN UPDATE bytes_kept SET total = total - OLD.total_bytes; END;

UPDATE run_bytes SET total_bytes = 0 WHERE expired = 1 AND total_bytes > 0;
CREATE INDEX run_bytes_leaving ON run_bytes (run) WHERE expired = 1 AND total_bytes > 0;
`;
