import type { BareClient } from "../wire/bare-client.ts";
import type { EventStream } from "../wire/event-stream.ts";
import { type FoldedRun, foldUpdates } from "../wire/fold-updates.ts";
import { expectServedBytes } from "../wire/served-artifacts.ts";
import type { TurnParams } from "../wire/turn.ts";
import { isOver, type RunUpdate, type TaskSnapshot } from "../wire/wire.ts";

export interface FollowedRun {
	/** As the stream's response gave it. */
	readonly snapshot: TaskSnapshot;
	/** Every update, in the order received over all connections. */
	readonly updates: readonly RunUpdate[];
	/** Why each dropped connection ended. */
	readonly drops: readonly string[];
	readonly heartbeats: number;
}

export interface FollowOptions {
	readonly idleMs?: number;
	/** Connections to try before giving up. */
	readonly attempts?: number;
	/** Called after each drop, before the next connection. */
	readonly onDrop?: (why: string, drops: number) => void | Promise<void>;
}

export interface SettleOptions extends FollowOptions {
	readonly method?: "session.start" | "session.message";
	/** Acts while the run is active. */
	readonly during?: (stream: EventStream) => Promise<void>;
}

const ATTEMPTS = 5;

/** Submits a turn, follows it to its end over any number of drops, and checks everything that must hold of every run. */
export async function settle(client: BareClient, params: TurnParams, options: SettleOptions = {}): Promise<FollowedRun> {
	const stream = await client.stream(options.method ?? "session.start", params, streamOptions(options));
	const followed = await besides(stream, follow(client, stream, options), options.during?.(stream));
	await expectTruth(client, followed);
	return followed;
}

/** What fails first fails the test at once; the other then has no reader left. */
async function besides<T>(stream: EventStream, following: Promise<T>, acting: Promise<void> = Promise.resolve()): Promise<T> {
	try {
		const [followed] = await Promise.all([following, acting]);
		return followed;
	} finally {
		stream.close();
	}
}

/** Replays a run that was submitted before from its first event, follows it to its end, checks the same. */
export async function settleAgain(client: BareClient, runId: string, options: FollowOptions = {}): Promise<FollowedRun> {
	const stream = await client.stream("xworkmate.tasks.subscribe", { runId, afterSeq: 0 }, streamOptions(options));
	const followed = await follow(client, stream, options);
	await expectTruth(client, followed);
	return followed;
}

/** Reads a stream to its response; every drop is resumed by subscribe with Last-Event-ID. */
export async function follow(client: BareClient, first: EventStream, options: FollowOptions = {}): Promise<FollowedRun> {
	const updates: RunUpdate[] = [];
	const drops: string[] = [];
	let heartbeats = 0;
	let stream: EventStream | undefined = first;
	for (;;) {
		if (stream !== undefined) {
			const end = await stream.ended;
			updates.push(...stream.updates);
			heartbeats += stream.heartbeats;
			if (end.kind === "response") return { snapshot: end.snapshot, updates, drops, heartbeats };
			if (end.kind === "refused") throw new Error(`the stream ended with ${end.refusal.data.code}: ${end.refusal.message}`);
			drops.push(end.why);
		}
		if (drops.length >= (options.attempts ?? ATTEMPTS)) throw new Error(`dropped ${drops.length} times: ${drops.join("; ")}`);
		await options.onDrop?.(drops.at(-1) ?? "", drops.length);
		const runId = (updates[0] ?? first.updates[0])?.runId;
		if (runId === undefined) throw new Error("dropped before the first update: the caller has to submit again");
		stream = await reconnect(client, runId, updates.length, options).catch((error: unknown) => {
			drops.push(error instanceof Error ? error.message : String(error));
			return undefined;
		});
	}
}

function reconnect(client: BareClient, runId: string, lastEventId: number, options: FollowOptions): Promise<EventStream> {
	return client.stream("xworkmate.tasks.subscribe", { runId }, { ...streamOptions(options), lastEventId });
}

function streamOptions({ idleMs }: FollowOptions): { idleMs?: number } {
	return idleMs === undefined ? {} : { idleMs };
}

/**
 * What must hold of every run that has ended: the log has no gap and no double, its fold is the
 * snapshot, tasks.get gives the same snapshot as the stream, and the served bytes are the manifest's.
 */
async function expectTruth(client: BareClient, { snapshot, updates }: Pick<FollowedRun, "snapshot" | "updates">): Promise<void> {
	if (!isOver(snapshot.status)) throw new Error(`the stream's response is ${snapshot.status}`);
	const folded = foldUpdates(updates);
	const problems = disagreements(folded, snapshot);
	const asked = await client.snapshot({ runId: snapshot.runId });
	if (timeless(asked) !== timeless(snapshot)) problems.push(`tasks.get says ${timeless(asked)}, the stream ${timeless(snapshot)}`);
	if (problems.length > 0) throw new Error(`run ${snapshot.runId}: ${problems.join("; ")}`);
	await expectServedBytes(client, snapshot);
}

/** A snapshot as text without the one field that changes with the asking. */
export function timeless({ serverTime: _, ...rest }: TaskSnapshot): string {
	return JSON.stringify(rest);
}

function disagreements(folded: FoldedRun, snapshot: TaskSnapshot): string[] {
	const problems: string[] = [];
	const same = (what: string, stream: unknown, told: unknown) => {
		if (JSON.stringify(stream) !== JSON.stringify(told)) {
			problems.push(`${what}: the stream gives ${JSON.stringify(stream)}, the snapshot ${JSON.stringify(told)}`);
		}
	};
	const { output, artifacts } = snapshot;
	same("status", folded.status, snapshot.status);
	same("lastSeq", folded.lastSeq, snapshot.lastSeq);
	same("success", folded.status === "completed", snapshot.success);
	same(
		"pending approvals",
		folded.pendingApprovals,
		snapshot.pendingApprovals.map(({ approvalId }) => approvalId),
	);
	same("open approvals at the end", folded.pendingApprovals, []);
	same("artifact count", folded.artifacts.count, artifacts.count);
	same("artifact bytes", folded.artifacts.totalBytes, artifacts.totalBytes);
	same("rejected", Math.min(folded.artifacts.rejected, 200), snapshot.rejectedArtifacts.length);
	same("output bytes", Buffer.byteLength(folded.outputText), output?.totalBytes ?? 0);
	if (output !== undefined && !output.truncated) same("output", folded.outputText, output.text);
	if (output?.truncated && !folded.outputText.startsWith(output.text) && !folded.outputText.endsWith(output.text)) {
		problems.push("the truncated output is no part of what was streamed");
	}
	return problems;
}
