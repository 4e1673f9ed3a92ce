import { type ApprovalDecision, ApprovalId, ContractError, limits, type TaskSummary } from "@xworkmate/contracts";
import type { RunService } from "../../ports/runs/run-service.ts";
import { type ChannelThreads, channelOf } from "./channel-threads.ts";
import type { Conversation } from "./conversation.ts";
import type { Command, DiscordInteraction, DiscordWire } from "./discord-wire.ts";
import type { ReviewPress } from "./reviews/review-press.ts";
import { outcomeWords, readCustomId } from "./text/approval-plan.ts";
import { plainWords } from "./text/escape-text.ts";

export interface InteractionsParts {
	readonly runs: RunService;
	readonly wire: Pick<DiscordWire, "reply" | "acknowledge" | "followUp">;
	readonly threads: ChannelThreads;
	readonly conversation: Conversation;
	readonly approvers: readonly string[];
	readonly mayTalk: (user: string) => boolean;
	/** If absent, the user is not asked about plan messages on Discord. */
	readonly reviews?: ReviewPress | undefined;
}

export const commands: readonly Command[] = [
	{ name: "new", description: "Start a new conversation in this channel" },
	{ name: "stop", description: "Stop what is running in this channel" },
	{ name: "status", description: "Show what is running in this channel" },
];

const COMMAND = 2;
const CLICK = 3;
/** The maximum number of users whose refusal is recorded for one request, so that many presses don't fill the run's log. */
const MOST_REFUSED = 20;
const MOST_REQUESTS = 1_000;
const NOTHING_RUNS = "Nothing is running here.";
const UNKNOWN_REQUEST = "XWorkmate doesn't recognize this request, so no decision was made.";

/** Handles buttons and commands. */
export class Interactions {
	readonly #parts: InteractionsParts;
	/** The users who were refused on recent requests, by request. Each gets one receipt for the request, no matter how often they press. */
	readonly #refused = new Map<string, Set<string>>();

	constructor(parts: InteractionsParts) {
		this.#parts = parts;
	}

	async take(interaction: DiscordInteraction): Promise<void> {
		const user = interaction.member?.user ?? interaction.user;
		if (user === undefined) return;
		if (interaction.type === CLICK) await this.#click(interaction, user);
		else if (interaction.type === COMMAND) await this.#command(interaction, user.id);
	}

	async #click(interaction: DiscordInteraction, user: { readonly id: string; readonly username: string }): Promise<void> {
		const { wire, approvers, reviews } = this.#parts;
		if ((await reviews?.take(interaction, user.id)) === true) return;
		const asked = readCustomId(interaction.data.custom_id ?? "");
		const approvalId = asked === undefined ? undefined : await this.#requestIn(interaction.channel_id, asked.approvalId);
		if (!approvers.includes(user.id)) {
			if (approvalId !== undefined) await this.#refuse(approvalId, deciderOf(user));
			return await wire.reply(interaction, notAnApprover(approvers));
		}
		if (asked === undefined || approvalId === undefined) return await wire.reply(interaction, UNKNOWN_REQUEST);
		// Acknowledged at once, because Discord waits only three seconds, and a gateway may take longer to confirm the decision.
		const acknowledged = wire.acknowledge(interaction);
		// A press counts even if the acknowledgement does not reach Discord.
		const [outcome, answered] = await Promise.allSettled([this.#decide(approvalId, asked.decision, deciderOf(user)), acknowledged]);
		if (outcome.status === "rejected") throw outcome.reason;
		if (answered.status === "rejected") throw answered.reason;
		await wire.followUp(interaction, outcome.value);
	}

	/** Decides the request, and returns the result in words. The post itself is edited once the run's log contains the decision. */
	async #decide(approvalId: ApprovalId, decision: ApprovalDecision, decidedBy: string): Promise<string> {
		try {
			const { record, applied } = await this.#parts.runs.decideApproval(approvalId, decision, decidedBy);
			return applied ? `${outcomeWords(record)}.` : `This request is already closed. ${outcomeWords(record)}.`;
		} catch (error) {
			if (!(error instanceof ContractError)) throw error;
			return `${plainWords(error.message)} ${plainWords(error.fix)}`;
		}
	}

	/** A button works only in the channel of the request's thread. */
	async #requestIn(channel: string, id: string): Promise<ApprovalId | undefined> {
		try {
			const { record } = await this.#parts.runs.approval(ApprovalId.parse(id));
			return channelOf(record.threadId)?.channel === channel ? (record.approvalId as ApprovalId) : undefined;
		} catch (error) {
			if (error instanceof ContractError && error.code === "NOT_FOUND") return undefined;
			throw error;
		}
	}

	async #refuse(approvalId: ApprovalId, actor: string): Promise<void> {
		const actors = this.#refused.get(approvalId) ?? new Set();
		if (actors.has(actor) || actors.size >= MOST_REFUSED) return;
		this.#refused.set(approvalId, actors.add(actor));
		const [oldest] = this.#refused.keys();
		if (this.#refused.size > MOST_REQUESTS && oldest !== undefined) this.#refused.delete(oldest);
		await this.#parts.runs.refuseActor(approvalId, actor);
	}

	async #command(interaction: DiscordInteraction, user: string): Promise<void> {
		const { wire, threads, mayTalk, conversation } = this.#parts;
		const { channel_id: channel, id, data } = interaction;
		if (!mayTalk(user) || !(await threads.isAllowed(channel))) {
			return await wire.reply(interaction, "You can't use this bot here, so nothing was done.");
		}
		switch (data.name) {
			case "new":
				return await conversation.inOrder(channel, async () => {
					await threads.begin(channel, id);
					await wire.reply(interaction, "A new conversation starts with your next message.");
				});
			case "stop":
				return await wire.reply(interaction, await this.#stop(channel));
			case "status":
				return await wire.reply(interaction, await this.#status(channel));
			default:
				return await wire.reply(interaction, "XWorkmate doesn't recognize this command. Use /new, /stop or /status.");
		}
	}

	async #stop(channel: string): Promise<string> {
		const { runs } = this.#parts;
		const stopped = await Promise.all((await this.#unfinished(channel)).map(({ runId }) => runs.cancel(runId)));
		if (stopped.length === 0) return NOTHING_RUNS;
		return `Stopping ${stopped.length === 1 ? "1 message" : `${stopped.length} messages`}.`;
	}

	async #status(channel: string): Promise<string> {
		const { runs } = this.#parts;
		const unfinished = await this.#unfinished(channel);
		if (unfinished.length === 0) return NOTHING_RUNS;
		const running = unfinished.filter(({ status }) => status === "running");
		const queued = unfinished.length - running.length;
		const snapshots = await Promise.all(running.map(({ runId }) => runs.snapshot(runId)));
		const waiting = snapshots.reduce((sum, { pendingApprovals }) => sum + pendingApprovals.length, 0);
		return `${running.length} running, ${queued} queued. Requests waiting for approval: ${waiting}.`;
	}

	/** The unfinished runs of all threads of a channel, because /new begins another thread and stops nothing. */
	async #unfinished(channel: string): Promise<readonly TaskSummary[]> {
		const queued = await this.#all("queued");
		const running = await this.#all("running");
		// A run that started in between is in both lists.
		const byId = new Map([...queued, ...running].map((run) => [run.runId, run]));
		return [...byId.values()].filter(({ threadId }) => channelOf(threadId)?.channel === channel);
	}

	async #all(status: "queued" | "running"): Promise<readonly TaskSummary[]> {
		const found: TaskSummary[] = [];
		let cursor: string | undefined;
		do {
			const page = await this.#parts.runs.list({ status, limit: limits.listMax, cursor });
			found.push(...page.items);
			cursor = page.nextCursor;
		} while (cursor !== undefined);
		return found;
	}
}

/** The name of the user who made a decision, as it is recorded. It contains the user's id, because a name can pass to another user. */
function deciderOf({ id, username }: { readonly id: string; readonly username: string }): string {
	return `discord:${/^[a-z0-9_.]{2,32}$/.test(username) ? `${username} (${id})` : id}`;
}

function notAnApprover(approvers: readonly string[]): string {
	const who = approvers.slice(0, 5).map((id) => `<@${id}>`);
	const others =
		who.length === 0
			? "Requests can be answered in XWorkmate."
			: `Requests can be answered by ${new Intl.ListFormat("en", { type: "disjunction" }).format(who)}.`;
	return `You aren't an approver, so no decision was made. ${others}`;
}
