import { type ActionId, type OccurrenceId, omitUndefined, type PlanId, type Timestamp } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { KeyedTold, Told } from "../../../ports/channels/channel-news.ts";
import type { ActionAt, ChannelStore } from "../../../ports/channels/channel-store.ts";
import { decodeRecord } from "../rows/stored-json.ts";
import { answer } from "../rows/translate-error.ts";

interface ToldRow {
	readonly id: number;
	readonly receivedAt: Timestamp;
	readonly body: string;
}

interface ActionAtRow {
	readonly planId: PlanId;
	readonly occurrenceId: OccurrenceId;
	readonly actionId: ActionId;
	readonly handedOverAt: Timestamp | null;
}

/** Stores channels' reports and reply windows, in SQLite. */
export function createChannelStore(db: Database): ChannelStore {
	const sql = prepareStatements(db);
	const reply = <T>(work: () => T): Promise<T> => answer(db.name, work);
	const keep = db.transaction((told: readonly KeyedTold[], receivedAt: Timestamp) =>
		told.reduce((sum, { key, told: one }) => sum + sql.keep.run(key, channelOf(one), receivedAt, JSON.stringify(one)).changes, 0),
	);
	const markHandled = db.transaction((ids: readonly number[]) => {
		for (const id of ids) sql.handled.run(id);
	});
	return {
		keep: (told, receivedAt) => reply(() => (told.length === 0 ? 0 : keep.immediate(told, receivedAt))),
		waiting: (limit, afterId = 0) =>
			reply(() => sql.waiting.all(afterId, limit).map(({ body, ...row }) => ({ ...row, told: decodeRecord<Told>(body) }))),
		markHandled: (ids) => reply(() => markHandled.immediate(ids)),
		forget: (before, limit) => reply(() => sql.forget.run(before, limit).changes),
		findAction: (actionId, channel) => reply(() => toActionAt(sql.action.get(actionId, channel))),
		findAtChannel: (channel, providerMessageId) => reply(() => toActionAt(sql.atChannel.get(channel, providerMessageId))),
		windowUntil: (channel, address) => reply(() => sql.window.get(channel, address)),
		openWindow: (channel, address, until) => reply(() => void sql.openWindow.run(channel, address, until)),
	};
}

function channelOf(told: Told): string {
	return told.kind === "news" ? told.news.channel : told.channel;
}

function toActionAt(row: ActionAtRow | undefined): ActionAt | undefined {
	if (row === undefined) return undefined;
	const { handedOverAt, ...place } = row;
	return { ...place, ...omitUndefined({ handedOverAt: handedOverAt ?? undefined }) };
}

const ACTION = `SELECT plan_id AS planId, occurrence_id AS occurrenceId, action_id AS actionId, handed_over_at AS handedOverAt
	FROM delivery_action AS action JOIN occurrence ON occurrence.id = action.occurrence JOIN plan ON plan.id = occurrence.plan`;

function prepareStatements(db: Database) {
	return {
		keep: db.prepare<[string, string, string, string]>(
			`INSERT INTO webhook_event (event_key, channel, received_at, body, handled) VALUES (?, ?, ?, ?, 0)
			ON CONFLICT (event_key) DO NOTHING`,
		),
		waiting: db.prepare<[number, number], ToldRow>(
			"SELECT id, received_at AS receivedAt, body FROM webhook_event WHERE handled = 0 AND id > ? ORDER BY id LIMIT ?",
		),
		handled: db.prepare<[number]>("UPDATE webhook_event SET handled = 1, body = '' WHERE id = ?"),
		forget: db.prepare<[string, number]>(
			"DELETE FROM webhook_event WHERE id IN (SELECT id FROM webhook_event WHERE handled = 1 AND received_at < ? LIMIT ?)",
		),
		action: db.prepare<[string, string], ActionAtRow>(`${ACTION} WHERE action_id = ? AND action.channel = ?`),
		atChannel: db.prepare<[string, string], ActionAtRow>(
			`${ACTION} WHERE action.channel = ? AND provider_message_id = ? ORDER BY action.id DESC LIMIT 1`,
		),
		window: db.prepare<[string, string], Timestamp>("SELECT until FROM reply_window WHERE channel = ? AND address = ?").pluck(),
		openWindow: db.prepare<[string, string, string]>(
			`INSERT INTO reply_window (channel, address, until) VALUES (?, ?, ?)
			ON CONFLICT (channel, address) DO UPDATE SET until = excluded.until WHERE excluded.until > until`,
		),
	};
}
