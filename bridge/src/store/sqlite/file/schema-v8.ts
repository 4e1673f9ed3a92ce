/**
 * Plans, their occurrences, and the occurrences' messages.
 *
 * - `plan_event` is the log: append-only, with `seq` gapless within the plan and `feed_seq` rising across all plans.
 * - `plan_state`, `occurrence` and `delivery_action` are views of it, written in the transaction of their event. The status
 *   of a finished occurrence or message never changes.
 * - `ready`: the message may be sent once it is due, unlike the pending messages of an occurrence that is still being worked on.
 *   `not_before`: '' means at once. `lease_until`: set while a message is claimed or being handed over, but not once its channel has
 *   accepted it.
 * - `delivery_attempt` is written with the event that it belongs to. The triggers are the last safeguard: they refuse to hand over a
 *   message again unless the earlier attempt was recorded as refused, and they refuse any event from a bridge that a later one has replaced.
 * - `payload`: the bytes that a channel hands over. `dashboard_message`: the inbox.
 */
export const schemaV8 = `
CREATE TABLE bridge_epoch (
	epoch INTEGER PRIMARY KEY AUTOINCREMENT,
	at TEXT NOT NULL
) STRICT;

CREATE TABLE plan (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	plan_id TEXT NOT NULL UNIQUE,
	request_id TEXT NOT NULL UNIQUE,
	input_hash TEXT NOT NULL,
	thread_id TEXT NOT NULL
) STRICT;
CREATE TRIGGER plan_kept BEFORE UPDATE ON plan BEGIN SELECT RAISE(ABORT, 'plan rows never change'); END;
CREATE TRIGGER plan_stays BEFORE DELETE ON plan BEGIN SELECT RAISE(ABORT, 'plan rows stay'); END;

CREATE TABLE plan_event (
	feed_seq INTEGER PRIMARY KEY AUTOINCREMENT,
	plan INTEGER NOT NULL REFERENCES plan (id),
	seq INTEGER NOT NULL,
	at TEXT NOT NULL,
	status TEXT NOT NULL CHECK (status IN ('pending', 'running', 'needs_review', 'completed', 'failed', 'paused', 'deleted')),
	epoch INTEGER NOT NULL,
	body TEXT NOT NULL,
	UNIQUE (plan, seq)
) STRICT;
CREATE INDEX plan_event_fed ON plan_event (plan);
CREATE TRIGGER plan_event_kept BEFORE UPDATE ON plan_event BEGIN SELECT RAISE(ABORT, 'the log of plans is append-only'); END;
CREATE TRIGGER plan_event_stays BEFORE DELETE ON plan_event BEGIN SELECT RAISE(ABORT, 'the log of plans is append-only'); END;
CREATE TRIGGER plan_event_whole BEFORE INSERT ON plan_event
WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM plan_event WHERE plan = NEW.plan)
	OR EXISTS (SELECT 1 FROM plan_event WHERE feed_seq = NEW.feed_seq)
BEGIN SELECT RAISE(ABORT, 'the log of a plan has no gaps'); END;
CREATE TRIGGER plan_event_owner BEFORE INSERT ON plan_event
WHEN NEW.epoch < (SELECT coalesce(max(epoch), 0) FROM bridge_epoch)
BEGIN SELECT RAISE(ABORT, 'another bridge has taken over'); END;

CREATE TABLE plan_state (
	plan INTEGER PRIMARY KEY REFERENCES plan (id),
	status TEXT NOT NULL,
	next_due_at TEXT,
	needs_review INTEGER NOT NULL,
	has_open INTEGER NOT NULL,
	revision INTEGER NOT NULL,
	work TEXT NOT NULL,
	delivery TEXT NOT NULL,
	body TEXT NOT NULL
) STRICT;
CREATE INDEX plan_due ON plan_state (next_due_at) WHERE next_due_at IS NOT NULL;
CREATE INDEX plan_by_status ON plan_state (status, plan);
CREATE INDEX plan_shown ON plan_state (plan) WHERE status <> 'deleted';
CREATE INDEX plan_in_review ON plan_state (plan) WHERE needs_review > 0;
CREATE INDEX plan_open ON plan_state (plan) WHERE has_open = 1;

CREATE TABLE occurrence (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	occurrence_id TEXT NOT NULL UNIQUE,
	plan INTEGER NOT NULL REFERENCES plan (id),
	kind TEXT NOT NULL CHECK (kind IN ('scheduled', 'manual', 'resend')),
	due_at TEXT NOT NULL,
	request_id TEXT,
	status TEXT NOT NULL CHECK (
		status IN ('due', 'running', 'delivering', 'needs_review', 'completed', 'failed', 'cancelled', 'skipped')
	),
	body TEXT NOT NULL
) STRICT;
CREATE INDEX occurrence_of ON occurrence (plan, id);
CREATE UNIQUE INDEX occurrence_once ON occurrence (plan, due_at) WHERE kind = 'scheduled';
CREATE UNIQUE INDEX occurrence_asked ON occurrence (plan, request_id) WHERE request_id IS NOT NULL;
CREATE TRIGGER occurrence_over BEFORE UPDATE OF status ON occurrence
WHEN OLD.status IN ('completed', 'failed', 'cancelled', 'skipped') AND NEW.status <> OLD.status
BEGIN SELECT RAISE(ABORT, 'the occurrence is over'); END;

CREATE TABLE delivery_action (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	action_id TEXT NOT NULL UNIQUE,
	occurrence INTEGER NOT NULL REFERENCES occurrence (id),
	channel TEXT NOT NULL,
	lane TEXT NOT NULL,
	status TEXT NOT NULL CHECK (status IN ('pending', 'sending', 'completed', 'failed', 'needs_review', 'unknown')),
	stage TEXT CHECK (stage IN ('claimed', 'handing_over', 'accepted')),
	ready INTEGER NOT NULL,
	not_before TEXT NOT NULL,
	epoch INTEGER,
	lease_until TEXT,
	provider_message_id TEXT,
	content_hash TEXT,
	handed_over_at TEXT,
	CHECK (status <> 'sending' OR (stage IS NOT NULL AND epoch IS NOT NULL))
) STRICT;
CREATE INDEX action_of ON delivery_action (occurrence);
CREATE INDEX action_ready ON delivery_action (lane, id, not_before) WHERE ready = 1;
CREATE INDEX action_ready_at ON delivery_action (lane, not_before) WHERE ready = 1;
CREATE INDEX action_held ON delivery_action (lane) WHERE lease_until IS NOT NULL;
CREATE INDEX action_lease ON delivery_action (lease_until) WHERE lease_until IS NOT NULL;
CREATE INDEX action_handed_over ON delivery_action (channel, handed_over_at) WHERE handed_over_at IS NOT NULL;
CREATE INDEX action_content ON delivery_action (lane, content_hash, handed_over_at) WHERE handed_over_at IS NOT NULL;
CREATE TRIGGER action_over BEFORE UPDATE OF status ON delivery_action
WHEN OLD.status IN ('completed', 'failed') AND NEW.status <> OLD.status
BEGIN SELECT RAISE(ABORT, 'the message is over'); END;

CREATE TABLE delivery_attempt (
	action INTEGER NOT NULL REFERENCES delivery_action (id),
	n INTEGER NOT NULL,
	epoch INTEGER NOT NULL,
	claimed_at TEXT NOT NULL,
	handed_over_at TEXT,
	outcome TEXT CHECK (outcome IN ('refused', 'done', 'unknown')),
	PRIMARY KEY (action, n)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER attempt_begins BEFORE INSERT ON delivery_attempt
WHEN NEW.handed_over_at IS NOT NULL OR NEW.outcome IS NOT NULL
	OR EXISTS (SELECT 1 FROM delivery_attempt WHERE action = NEW.action AND n = NEW.n)
BEGIN SELECT RAISE(ABORT, 'an attempt begins with its claim'); END;
CREATE TRIGGER attempt_once BEFORE UPDATE OF handed_over_at ON delivery_attempt
WHEN OLD.handed_over_at IS NOT NULL OR OLD.outcome IS NOT NULL OR EXISTS (
	SELECT 1 FROM delivery_attempt WHERE action = NEW.action AND n <> NEW.n AND handed_over_at IS NOT NULL AND outcome IS NOT 'refused'
)
BEGIN SELECT RAISE(ABORT, 'an earlier attempt may have arrived'); END;
CREATE TRIGGER attempt_over BEFORE UPDATE OF outcome ON delivery_attempt
WHEN OLD.outcome IN ('refused', 'done') AND NEW.outcome IS NOT OLD.outcome
BEGIN SELECT RAISE(ABORT, 'the attempt is over'); END;
CREATE TRIGGER attempt_stays BEFORE DELETE ON delivery_attempt BEGIN SELECT RAISE(ABORT, 'attempts stay'); END;

CREATE TABLE payload (
	sha256 TEXT PRIMARY KEY,
	channel TEXT NOT NULL,
	media_type TEXT NOT NULL,
	envelope TEXT NOT NULL,
	bytes BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER payload_kept BEFORE UPDATE ON payload BEGIN SELECT RAISE(ABORT, 'payload rows never change'); END;

CREATE TABLE dashboard_message (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	message_id TEXT NOT NULL UNIQUE,
	read INTEGER NOT NULL,
	body TEXT NOT NULL
) STRICT;
CREATE INDEX dashboard_unread ON dashboard_message (id) WHERE read = 0;
`;
