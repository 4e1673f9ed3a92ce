import { type Approval, type ApprovalId, ContractError, isTerminal, type RunId, type Snapshot } from "@xworkmate/contracts";
import type { Clock } from "../../ports/clock.ts";
import type { LoggedEvent } from "../../ports/runs/run-event.ts";
import type { RunService } from "../../ports/runs/run-service.ts";
import { type ChannelThreads, channelOf } from "./channel-threads.ts";
import type { Outbox } from "./outbox.ts";
import { planAnswer, planProgress } from "./text/answer-plan.ts";
import { planApproval, planOutcome } from "./text/approval-plan.ts";

export interface RunPostsParts {
	readonly runs: RunService;
	readonly threads: ChannelThreads;
	readonly outbox: Outbox;
	readonly clock: Clock;
	readonly hasApprovers: boolean;
	readonly appUrl: string | undefined;
	readonly log: (error: unknown, what: string) => void;
}

/** A run whose thread belongs to a channel. */
interface Followed {
	readonly runId: RunId;
	/** The post that shows the run's progress; undefined until there is one. */
	message?: string | undefined;
	/** The text that the progress post has, or the last one that Discord refused to give it. */
	shown: string;
	/** The requests whose posts Discord refused to update. They are tried again when the run is followed again. */
	readonly refused: Set<string>;
	/** When the progress post was posted or last edited. */
	editedAt: number;
	isWorking: boolean;
	isStale: boolean;
	timer?: Disposable | undefined;
}

/** Discord allows about five edits in five seconds; one every two seconds stays well below that. */
const EDIT_EVERY_MS = 2_000;
/** The text of a progress post until the next bridge edits it. */
const STOPPED = "*XWorkmate was stopped.*";

/** Shows runs in their channels: a progress post that is edited while the run works, its requests, and its answer. */
export class RunPosts {
	readonly #parts: RunPostsParts;
	readonly #followed = new Map<RunId, Followed>();
	/** Runs whose threads belong to no channel, or to one that the bot may not use. */
	readonly #foreign = new Set<RunId>();
	readonly #working = new Set<Promise<void>>();
	#isClosed = false;

	constructor(parts: RunPostsParts) {
		this.#parts = parts;
	}

	/** Called with committed events, or with none for a run whose posts may be out of date. Returns without waiting. */
	committed(runId: RunId, events: readonly LoggedEvent[]): void {
		const run = this.#followed.get(runId);
		const hasEnded = events.some(({ event }) => event.type === "ended");
		if (run !== undefined) this.#look(run, hasEnded || events.some(({ event }) => event.type === "approval"));
		else if (!this.#foreign.has(runId)) this.#track(this.#meet(runId));
		else if (hasEnded) this.#foreign.delete(runId);
	}

	follow(runId: RunId): void {
		if (this.#followed.has(runId) || this.#isClosed) return;
		const run: Followed = { runId, shown: "", refused: new Set(), editedAt: 0, isWorking: false, isStale: false };
		this.#followed.set(runId, run);
		this.#look(run, true);
	}

	/** Settles once no post is being worked on, and the posts of unfinished runs say that XWorkmate was stopped. */
	async close(): Promise<void> {
		this.#isClosed = true;
		for (const { timer } of this.#followed.values()) timer?.[Symbol.dispose]();
		await Promise.allSettled([...this.#working]);
		await Promise.allSettled([...this.#followed.values()].map((run) => this.#sayStopped(run)));
	}

	async #sayStopped({ runId }: Followed): Promise<void> {
		const { outbox } = this.#parts;
		const post = await outbox.posted(runId, "answer");
		if (post !== undefined && !(await outbox.isNoted(runId, "final"))) await outbox.edit(post.channel, post.message, { content: STOPPED });
	}

	/** Begins to follow a run. A run that began elsewhere, such as in the app, is also shown if its thread belongs to a channel. */
	async #meet(runId: RunId): Promise<void> {
		const { runs, threads } = this.#parts;
		const { threadId } = await runs.resolve({ runId });
		const place = channelOf(threadId);
		if (place !== undefined && (await threads.isAllowed(place.channel))) this.follow(runId);
		else this.#foreign.add(runId);
	}

	/** Updates the run's posts, immediately or when the next edit is due. */
	#look(run: Followed, isUrgent: boolean): void {
		if (this.#isClosed) return;
		run.isStale = true;
		if (run.isWorking) return;
		const { clock } = this.#parts;
		const due = isUrgent ? clock.now() : run.editedAt + EDIT_EVERY_MS;
		if (due <= clock.now()) this.#track(this.#work(run));
		else this.#lookAt(run, due);
	}

	#lookAt(run: Followed, due: number): void {
		run.timer ??= this.#parts.clock.at(due, () => {
			run.timer = undefined;
			this.#look(run, true);
		});
	}

	#track(work: Promise<void>): void {
		const done = work
			.catch((error: unknown) => this.#parts.log(error, "a run could not be shown on Discord"))
			.finally(() => this.#working.delete(done));
		this.#working.add(done);
	}

	async #work(run: Followed): Promise<void> {
		run.isWorking = true;
		try {
			while (run.isStale && !this.#isClosed) {
				run.isStale = false;
				await this.#show(run);
				if (this.#followed.get(run.runId) !== run) return;
			}
		} finally {
			run.isWorking = false;
		}
	}

	async #show(run: Followed): Promise<void> {
		const { runs, outbox } = this.#parts;
		const snapshot = await ifThere(runs.snapshot(run.runId));
		const place = snapshot === undefined ? undefined : channelOf(snapshot.threadId);
		if (snapshot === undefined || place === undefined) return void this.#followed.delete(run.runId);
		const { channel } = place;
		if (await outbox.isNoted(run.runId, "final")) return void this.#followed.delete(run.runId);
		if (isTerminal(snapshot.status)) {
			await this.#settle(run, snapshot, channel);
			await this.#conclude(run, snapshot, channel);
			this.#followed.delete(run.runId);
			return;
		}
		await this.#progress(run, snapshot, channel);
		for (const record of snapshot.pendingApprovals) await this.#ask(record, channel);
		await this.#settle(run, snapshot, channel);
	}

	/** Edits the progress post, but only if its text would change, and not too often. */
	async #progress(run: Followed, snapshot: Snapshot, channel: string): Promise<void> {
		const { outbox, clock } = this.#parts;
		const content = planProgress(snapshot);
		if (content === run.shown) return;
		if (run.message !== undefined && clock.now() < run.editedAt + EDIT_EVERY_MS) {
			this.#lookAt(run, run.editedAt + EDIT_EVERY_MS);
			return;
		}
		// A post from before a restart still has its earlier text, so it is edited.
		const isNew = run.message === undefined && !(await outbox.kindsOf(run.runId)).includes("answer");
		run.message ??= await outbox.post({ channel, runId: run.runId, kind: "answer", content, ...referenceOf(snapshot) });
		// A refused edit is not repeated, because Discord would refuse the same text again.
		const isSettled = run.message !== undefined && (isNew || (await outbox.edit(channel, run.message, { content })) !== "failed");
		if (isSettled) run.shown = content;
		run.editedAt = clock.now();
	}

	async #ask(record: Approval, channel: string): Promise<string | undefined> {
		const { runs, outbox, hasApprovers } = this.#parts;
		const whole = await runs.approval(record.approvalId as ApprovalId);
		const plan = planApproval(whole, hasApprovers);
		return await outbox.post({ channel, runId: record.runId, kind: `approval:${record.approvalId}`, ...plan });
	}

	/** Updates the posts of requests that are over: adds the outcome, and removes the buttons. */
	async #settle({ refused }: Followed, { runId, pendingApprovals }: Snapshot, channel: string): Promise<void> {
		const { runs, outbox } = this.#parts;
		const pending = new Set(pendingApprovals.map(({ approvalId }) => `approval:${approvalId}`));
		const posted = await this.#postedRequests(runId);
		for (const kind of posted) {
			const over = `over:${kind}`;
			if (pending.has(kind) || refused.has(kind) || (await outbox.isNoted(runId, over))) continue;
			const whole = await runs.approval(kind.slice("approval:".length) as ApprovalId);
			if (whole.record.state === "pending") continue;
			const message = await this.#ask(whole.record, channel);
			if (message === undefined) continue;
			const edited = await outbox.edit(channel, message, { content: planOutcome(whole.record), buttons: [] });
			if (edited === "refused") refused.add(kind);
			if (edited === "done" || edited === "gone") await outbox.note(runId, over, channel, message);
		}
	}

	async #postedRequests(runId: RunId): Promise<readonly string[]> {
		return (await this.#parts.outbox.kindsOf(runId)).filter((kind) => kind.startsWith("approval:"));
	}

	/** The answer replaces the text of the progress post. */
	async #conclude({ runId }: Followed, snapshot: Snapshot, channel: string): Promise<void> {
		const { outbox, appUrl } = this.#parts;
		const { parts, file } = planAnswer(snapshot, appUrl);
		let isWhole = true;
		for (const [index, content] of parts.entries()) {
			const isLast = index === parts.length - 1;
			const body = { content, ...(isLast && file !== undefined ? { file } : {}) };
			const isShown =
				index === 0 ? await this.#first(snapshot, channel, body) : await outbox.post({ channel, runId, kind: `answer:${index}`, ...body });
			isWhole &&= isShown !== undefined;
		}
		if (isWhole) await outbox.note(runId, "final", channel);
	}

	async #first(snapshot: Snapshot, channel: string, body: { readonly content: string }): Promise<string | undefined> {
		const { outbox } = this.#parts;
		const { runId } = snapshot;
		const isNew = !(await outbox.kindsOf(runId)).includes("answer");
		const message = await outbox.post({ channel, runId, kind: "answer", ...body, ...referenceOf(snapshot) });
		if (isNew) return message;
		if (message !== undefined) {
			const edited = await outbox.edit(channel, message, body);
			if (edited === "done") return message;
			if (edited !== "gone") return undefined;
		}
		// The progress post may not exist, or a user may have deleted it, so the answer is posted separately.
		return await outbox.post({ channel, runId, kind: "answer:0", ...body, ...referenceOf(snapshot) });
	}
}

/** The message to reply to: a turn that began on Discord has the id of its message. */
function referenceOf({ origin, turnId }: Snapshot): { reference?: string } {
	return origin?.kind === "operator" && /^\d{1,20}$/.test(turnId) ? { reference: turnId } : {};
}

/** Resolves to undefined if the run no longer exists. */
async function ifThere<T>(asked: Promise<T>): Promise<T | undefined> {
	try {
		return await asked;
	} catch (error) {
		if (error instanceof ContractError && error.code === "NOT_FOUND") return undefined;
		throw error;
	}
}
