import { setImmediate } from "node:timers/promises";
import { inflateRawSync } from "node:zlib";
import { Timestamp, Usage } from "@xworkmate/contracts";
import type Database from "better-sqlite3";
import { z } from "zod";
import type { UsedRun } from "../threads/domain/used-run.ts";

const Ended = z.object({ id: z.int(), thread: z.int(), ended_at: Timestamp, provider: z.string().nullable(), fresh: z.int().nullable() });
const Loose = z.object({ body: z.string() });
const Packed = z.object({ body: z.instanceof(Uint8Array) });
const Update = z.object({ update: Usage.extend({ kind: z.literal("usage") }) });
/** How many runs are read before the app continues with other work. */
const READ_AT_ONCE = 25;
/** The maximum number of a thread's earlier runs that are read to find out what a conversation had cost before the first listed run. */
const LOOKED_BACK = 10;

/** The token usage and cost that agents reported, read from the recorded updates. */
export class ReportedUsage {
	readonly #sql;
	/** Usage by turn. It is cached because the recorded updates of an ended turn never change. */
	readonly #known = new Map<number, Usage>();

	constructor(db: Database.Database) {
		const ended = `SELECT id, thread, ended_at,
			coalesce(json_extract(snapshot, '$.provider.providerId'), json_extract(request, '$.routing.providerId')) AS provider,
			json_extract(request, '$.fresh') AS fresh
			FROM turns WHERE run_id IS NOT NULL AND ended_at IS NOT NULL`;
		this.#sql = {
			since: db.prepare(`${ended} AND ended_at >= ? ORDER BY id`),
			ofThread: db.prepare(`${ended} AND thread = (SELECT threads.id FROM threads WHERE thread_id = ?) ORDER BY id`),
			before: db.prepare(`${ended} AND thread = @thread AND id < @id ORDER BY id DESC LIMIT ${LOOKED_BACK}`),
			packed: db.prepare("SELECT body FROM packed_updates WHERE turn = ? ORDER BY last_seq"),
			loose: db.prepare("SELECT body FROM updates WHERE turn = ? AND json_extract(body, '$.update.kind') = 'usage' ORDER BY seq"),
		};
	}

	/** The runs that ended at this time or later, oldest first. */
	runsSince(since: string): Promise<readonly UsedRun[]> {
		return this.#read(this.#sql.since.all(since));
	}

	/** Every run of a thread that has ended, oldest first. */
	runsOf(threadId: string): Promise<readonly UsedRun[]> {
		return this.#read(this.#sql.ofThread.all(threadId));
	}

	async #read(rows: readonly unknown[]): Promise<readonly UsedRun[]> {
		const costs = new Map<string, number | undefined>();
		const runs: UsedRun[] = [];
		for (const [index, row] of rows.entries()) {
			if (index % READ_AT_ONCE === READ_AT_ONCE - 1) await setImmediate();
			const ended = Ended.parse(row);
			const usage = this.#of(ended.id);
			const conversation = `${ended.thread} ${ended.provider}`;
			const costBefore = costs.has(conversation) && ended.fresh === null ? costs.get(conversation) : this.#costBefore(ended);
			costs.set(conversation, usage.costUsd ?? costBefore);
			const { ended_at: endedAt, provider } = ended;
			runs.push({ endedAt, usage, ...(provider !== null && { providerId: provider }), ...(costBefore !== undefined && { costBefore }) });
		}
		return runs;
	}

	#costBefore({ id, thread, provider, fresh }: z.output<typeof Ended>): number | undefined {
		if (fresh !== null) return undefined;
		for (const row of this.#sql.before.all({ id, thread })) {
			const earlier = Ended.parse(row);
			if (earlier.provider !== provider) continue;
			const { costUsd } = this.#of(earlier.id);
			if (costUsd !== undefined || earlier.fresh !== null) return costUsd;
		}
		return undefined;
	}

	/** The last figure of each kind that the run reported. */
	#of(turn: number): Usage {
		const known = this.#known.get(turn);
		if (known !== undefined) return known;
		const packed = this.#sql.packed.all(turn).flatMap((row) =>
			inflateRawSync(Packed.parse(row).body)
				.toString("utf8")
				.split("\n")
				.filter((line) => line.includes('"kind":"usage"')),
		);
		const bodies = [...packed, ...this.#sql.loose.all(turn).map((row) => Loose.parse(row).body)];
		let usage: Usage = {};
		for (const body of bodies) {
			// The filters also let through other updates that contain this text.
			const { data } = Update.safeParse(JSON.parse(body));
			if (data === undefined) continue;
			const { kind: _, ...figures } = data.update;
			usage = { ...usage, ...figures };
		}
		this.#known.set(turn, usage);
		return usage;
	}
}
