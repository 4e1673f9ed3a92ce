/**
 * Receipts of what happened to plans' messages. Each receipt is the body of its event in the plan's log.
 *
 * - `plan_receipt`: an index of these events. `id` rises across the receipts of runs and plans together. `n` is the receipt's number in
 *   its plan, and `seq` is that of its event.
 */
export const schemaV10 = `
CREATE TABLE plan_receipt (
	id INTEGER PRIMARY KEY,
	plan INTEGER NOT NULL REFERENCES plan (id),
	n INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	at TEXT NOT NULL,
	type TEXT NOT NULL,
	action TEXT,
	UNIQUE (plan, n)
) STRICT;
CREATE INDEX plan_receipt_of ON plan_receipt (action, n) WHERE action IS NOT NULL;
CREATE TRIGGER plan_receipt_kept BEFORE UPDATE ON plan_receipt BEGIN SELECT RAISE(ABORT, 'receipts never change'); END;
CREATE TRIGGER plan_receipt_stays BEFORE DELETE ON plan_receipt BEGIN SELECT RAISE(ABORT, 'receipts of plans stay'); END;
CREATE INDEX plan_of_thread ON plan (thread_id);
`;
