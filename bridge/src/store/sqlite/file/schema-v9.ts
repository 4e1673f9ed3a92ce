/**
 * What channels report about messages after sending them.
 *
 * - `webhook_event`: each report, stored before its sender gets an answer. `event_key` is derived from the content, so that a repeated
 *   report is stored once. `body`: the report without the text of any message; '' once it is `handled`. From then on, the row is
 *   kept only to recognize repeats.
 * - `reply_window`: until when an address may be sent free-form messages, because a message came from it.
 */
export const schemaV9 = `
CREATE TABLE webhook_event (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	event_key TEXT NOT NULL UNIQUE,
	channel TEXT NOT NULL,
	received_at TEXT NOT NULL,
	body TEXT NOT NULL,
	handled INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_event_waiting ON webhook_event (id) WHERE handled = 0;
CREATE INDEX webhook_event_handled ON webhook_event (received_at) WHERE handled = 1;

CREATE TABLE reply_window (
	channel TEXT NOT NULL,
	address TEXT NOT NULL,
	until TEXT NOT NULL,
	PRIMARY KEY (channel, address)
) STRICT, WITHOUT ROWID;

CREATE INDEX action_at_channel ON delivery_action (channel, provider_message_id) WHERE provider_message_id IS NOT NULL;
`;
