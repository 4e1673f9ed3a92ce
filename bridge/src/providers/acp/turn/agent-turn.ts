import { setTimeout as delay } from "node:timers/promises";
import type { RequestPermissionResponse } from "@agentclientprotocol/sdk";
import { spanWords } from "@xworkmate/contracts";
import type { PermissionAnswer, PermissionRequest, ProviderTurn, TurnSink } from "../../../ports/agents/provider.ts";
import type { ProviderOutcome, ProviderUpdate } from "../../../ports/runs/run-event.ts";
import { UpdateQueue } from "../../update-queue.ts";
import { UpdateTranslator } from "../../update-translator.ts";
import type { AcpBounds } from "../process/acp-bounds.ts";
import type { AgentConnection, TurnListener } from "../process/agent-connection.ts";
import { AgentFailure } from "../process/agent-failure.ts";
import { onAbort } from "../process/on-abort.ts";
import type { CallFacts } from "../protocol/call-facts.ts";
import { type AgentQuestion, answerFor } from "../protocol/decode-permission.ts";
import type { ReceivedUpdate } from "../protocol/decode-update.ts";
import { AllowedFiles } from "./allowed-files.ts";
import { AllowedInput } from "./allowed-input.ts";
import { CallBook } from "./call-book.ts";
import { CallIds } from "./call-ids.ts";
import { DeniedEdits } from "./denied-edits.ts";
import { EditsFound } from "./edits-found.ts";
import { OpenCalls } from "./open-calls.ts";
import { permissionRequest } from "./permission-request.ts";
import { promptBlocks } from "./prompt-blocks.ts";
import { readPromptResponse } from "./prompt-outcome.ts";

type Landed = { readonly response: unknown } | { readonly error: unknown };

const cancelled: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };
/** How long a cancel waits for a listing of the processes that the agent is running. A listing usually takes less. */
const LISTED_MS = 100;
/** How long the answer to a withdrawn question waits for the run to be stopped. */
const STOP_WAIT_MS = 1_000;
/** How long a request waits for those before it. They only read folders. */
const ORDER_WAIT_MS = 2_000;

/** Carries out one prompt in an open conversation, until the prompt has ended, or has been stopped as far as possible. */
export class AgentTurn implements TurnListener {
	readonly #agent: AgentConnection;
	readonly #conversationId: string;
	readonly #sink: TurnSink;
	readonly #bounds: AcpBounds;
	readonly #translator = new UpdateTranslator();
	readonly #ids = new CallIds(this.#translator);
	readonly #calls = new CallBook();
	readonly #open = new OpenCalls();
	readonly #edits = new EditsFound(this.#open);
	readonly #allowedFiles = new AllowedFiles();
	readonly #allowedInput = new AllowedInput();
	readonly #deniedEdits = new DeniedEdits(this.#open);
	readonly #queue: UpdateQueue;
	readonly #stopping = Promise.withResolvers<PermissionAnswer>();
	/** Settles when every request so far has been made. */
	#made: Promise<void> = Promise.resolve();
	/** For each request made after the stop: settles once the request is in the log. */
	readonly #noted: Promise<void>[] = [];
	#workingDirectory = "";
	#stopped = false;
	#denied = false;

	constructor(agent: AgentConnection, conversationId: string, sink: TurnSink, bounds: AcpBounds) {
		this.#agent = agent;
		this.#conversationId = conversationId;
		this.#sink = sink;
		this.#bounds = bounds;
		this.#queue = new UpdateQueue(sink, bounds.pendingUpdates);
	}

	/** How many updates were ignored because their kind is unknown or not shown, or because they are unreadable. */
	get ignoredUpdates(): number {
		return this.#translator.ignored;
	}

	/** @throws AgentFailure for an error response or a dead agent; errors of the sink */
	async run(turn: ProviderTurn, stop: AbortSignal): Promise<ProviderOutcome> {
		this.#workingDirectory = turn.workingDirectory;
		await this.#edits.begin(turn.artifactDirectory);
		using _attached = this.#agent.attach(this);
		const params = { sessionId: this.#conversationId, prompt: promptBlocks(turn) };
		const landing: Promise<Landed> = this.#agent.request("session/prompt", params).then(
			(response) => ({ response }),
			(error: unknown) => ({ error }),
		);
		const stopped = Promise.withResolvers<"stopped">();
		using _listening = onAbort(stop, () => stopped.resolve("stopped"));
		// If the log fails, the agent is stopped too. The stop then rejects with the log's own error.
		const first = await Promise.race([landing, stopped.promise, this.#queue.failed]);
		// Awaited here, because what the agent still reports while it stops is received only until this function returns.
		return typeof first === "string" ? await this.#stop(landing) : await this.#settle(first);
	}

	onUpdate({ conversationId, update: sent, parts, announces }: ReceivedUpdate): void {
		if (conversationId !== this.#conversationId) return;
		const update = sent.kind === "tool" ? { ...sent, change: this.#ids.own(sent.change, announces === true ? "call" : "update") } : sent;
		if (update.kind === "tool") this.#deniedEdits.proposed(update.change);
		const facts = update.kind === "tool" && parts !== undefined ? this.#calls.see(update.change.toolCallId, parts) : undefined;
		if (facts !== undefined) this.#edits.notice(facts, this.#workingDirectory);
		const look = facts && ((translated: ProviderUpdate) => this.#look(translated, facts));
		const named = facts === undefined || facts.isUnclear ? new Set<string>() : facts.paths;
		for (const translated of this.#translator.translate(update)) {
			if (translated.kind === "tool_call") {
				this.#deniedEdits.reported(translated, named, this.#workingDirectory);
				this.#edits.received(translated, facts, this.#workingDirectory);
			}
			this.#queue.push(translated, look);
		}
	}

	async onQuestion({ conversationId, change: asked, parts, answers, names }: AgentQuestion): Promise<RequestPermissionResponse> {
		if (conversationId !== this.#conversationId) return cancelled;
		if (this.#stopped) {
			this.#noted.push(this.#noteUnasked({ change: asked, parts, answers, names }));
			return this.#withdrawn();
		}
		const change = this.#ids.own(asked, "question");
		const { toolCallId } = change;
		this.#open.asked(toolCallId);
		const facts = this.#calls.see(toolCallId, parts);
		// Some agents ask about a call that they have not announced, so the call is put into the log before the question. A change that only
		// the question shows is noted, because the file is compared with it once the call is reported as done.
		const note = (asked: ProviderUpdate) => this.#edits.look(asked, facts, this.#workingDirectory);
		for (const translated of this.#translator.tool(change, true)) this.#queue.push(translated, note);
		const proposed = this.#deniedEdits.proposed(change);
		const questionId = crypto.randomUUID();
		for (const translated of this.#translator.asks(toolCallId, questionId)) this.#queue.push(translated);
		// Read before any wait, because another question about the same call may arrive during the wait, and this request must not show that
		// question's content.
		const question = this.#translator.question(toolCallId);
		this.#edits.notice(facts, this.#workingDirectory);
		if (!(await this.#queue.written())) return cancelled;
		const making = this.#inOrder(permissionRequest(question, facts, { answers, names }, this.#workingDirectory));
		const asking = making.then((request) => this.#ask(this.#stopped ? { ...request, isLate: true } : request));
		const answer = await Promise.race([asking, this.#stopping.promise]);
		if (answer.decision === "withdrawn") {
			for (const translated of this.#translator.withdrawn(toolCallId, questionId)) this.#queue.push(translated);
			return this.#withdrawn();
		}
		const decision = answer.decision === "expired" ? "deny" : answer.decision;
		if (decision === "deny") {
			this.#denied = true;
			for (const translated of this.#translator.denied(toolCallId, questionId)) this.#queue.push(translated);
			const edited = question.toolKind === "edit" && !facts.isUnclear ? [...facts.paths].filter((path) => path !== "") : [];
			await this.#deniedEdits.denied(toolCallId, proposed, edited, this.#workingDirectory);
		} else {
			for (const translated of this.#translator.allowed(question, questionId)) this.#queue.push(translated);
			this.#allowedFiles.allowed(question, facts);
			this.#allowedInput.allowed(question, facts);
			this.#deniedEdits.allowed(toolCallId, question.toolKind, proposed, this.#workingDirectory);
		}
		const optionId = answerFor(decision, answers);
		return optionId === undefined ? cancelled : { outcome: { outcome: "selected", optionId } };
	}

	/**
	 * Waits for the requests before it, so that they stay in the order of the agent's questions, although some read folders and others don't.
	 * A folder that does not respond holds the others up for a moment only.
	 */
	async #inOrder(making: Promise<PermissionRequest>): Promise<PermissionRequest> {
		const before = this.#made;
		this.#made = Promise.allSettled([before, making]).then(() => undefined);
		await Promise.race([before, delay(ORDER_WAIT_MS, undefined, { ref: false })]);
		return await making;
	}

	/**
	 * Logs a call that the agent asks about after the stop, and the request as withdrawn. The user is not asked, so the agent was never
	 * allowed to make the call.
	 */
	async #noteUnasked({ change: asked, parts, answers, names }: Omit<AgentQuestion, "conversationId">): Promise<void> {
		const change = this.#ids.own(asked, "question");
		const { toolCallId } = change;
		const questionId = crypto.randomUUID();
		const facts = this.#calls.see(toolCallId, parts);
		for (const translated of this.#translator.tool(change, true)) this.#queue.push(translated);
		for (const translated of this.#translator.asks(toolCallId, questionId)) this.#queue.push(translated);
		// Read before any wait, as in `onQuestion`.
		const question = this.#translator.question(toolCallId);
		for (const translated of this.#translator.withdrawn(toolCallId, questionId)) this.#queue.push(translated);
		if (!(await this.#queue.written())) return;
		const request = await permissionRequest(question, facts, { answers, names }, this.#workingDirectory);
		await this.#ask({ ...request, isLate: true });
	}

	ready(): Promise<void> | undefined {
		return this.#queue.full ? this.#queue.ready() : undefined;
	}

	/** Adds to a report what the call's files show, and whether the files and the input are those that were allowed. */
	async #look(update: ProviderUpdate, facts: CallFacts): Promise<ProviderUpdate> {
		const seen = await this.#edits.look(update, facts, this.#workingDirectory);
		const compared = await this.#allowedFiles.look(seen, facts, this.#workingDirectory);
		return await this.#allowedInput.look(compared, facts, this.#workingDirectory);
	}

	/** Asks the user. If the log cannot record a question, the turn fails and nothing is allowed. */
	async #ask(request: PermissionRequest): Promise<PermissionAnswer> {
		try {
			return await this.#sink.requestPermission(request);
		} catch (error) {
			this.#queue.fail(error);
			return { decision: "deny" };
		}
	}

	/**
	 * Answers a question that was withdrawn. If the turn is being stopped, session/cancel is sent before this answer: that order works with
	 * every agent (ACP, prompt turn).
	 */
	async #withdrawn(): Promise<RequestPermissionResponse> {
		await Promise.race([this.#stopping.promise, delay(STOP_WAIT_MS, undefined, { ref: false })]);
		return cancelled;
	}

	async #settle(landed: Landed): Promise<ProviderOutcome> {
		if ("error" in landed) {
			await this.#finished();
			throw landed.error;
		}
		const { outcome, usage } = readPromptResponse(landed.response, this.#agent.profile.label, this.#denied);
		if (usage !== undefined) this.#queue.push({ kind: "usage", ...usage });
		await this.#finished();
		return outcome;
	}

	/** Settles when everything is in the log, including what the files of doubted and denied edits show at the end, and which allowed calls were last reported as something else. @throws errors of the sink */
	async #finished(): Promise<void> {
		await Promise.race([Promise.all(this.#noted), this.#queue.failed]);
		await this.#queue.drained();
		for (const update of await this.#edits.lookAgain(this.#workingDirectory)) this.#queue.push(update);
		for (const left of this.#translator.leftOpen()) {
			const update = await this.#allowedInput.compare(left, this.#calls.of(left.toolCallId), this.#workingDirectory);
			if (update.unpermitted !== undefined) this.#queue.push(update);
		}
		for (const made of await this.#deniedEdits.made()) for (const update of this.#translator.madeAnyway(made)) this.#queue.push(update);
		await this.#queue.drained();
	}

	/**
	 * Stops the turn. Any answer to the prompt confirms the stop; commands that the agent then leaves running are ended. Without an answer,
	 * or if the agent goes on working, the whole process group is ended, and its end confirms the stop.
	 */
	async #stop(landing: Promise<Landed>): Promise<ProviderOutcome> {
		this.#stopped = true;
		const { runningSince } = this.#open;
		// The processes are listed before the agent ends any, because a command whose shell has ended can no longer be found by its parents.
		const listing = runningSince === undefined ? [] : this.#agent.processes();
		await Promise.race([listing, delay(LISTED_MS, undefined, { ref: false })]);
		this.#agent.notify("session/cancel", { sessionId: this.#conversationId });
		this.#stopping.resolve({ decision: "withdrawn" });
		const landed = await Promise.race([landing, delay(this.#bounds.cancelMs, undefined, { ref: false })]);
		const isConfirmed = landed !== undefined && !("error" in landed && !isAnswer(landed.error));
		if (isConfirmed) this.#agent.report.confirmStop();
		// Calls may have begun before the agent noticed the stop, and those that were running may have been reported as ended since then.
		const since = runningSince ?? this.#open.runningSince;
		const endCommands = async () => since === undefined || (await this.#agent.endCommands(since, await listing));
		const isStopped = isConfirmed ? await endCommands() : await this.#agent.kill();
		await this.#finished();
		const { label } = this.#agent.profile;
		if (!isStopped) return { kind: "cancelled", remote: false, incomplete: mayRunOn(label) };
		if (landed === undefined) return { kind: "cancelled", remote: false, forced: ignoredStop(label, this.#bounds.cancelMs) };
		return { kind: "cancelled", remote: false, ...(isNormalEnd(landed, label) && { normalEnd: normalEndWords(label) }) };
	}
}

function ignoredStop(agent: string, waitedMs: number): string {
	return `${agent} did not respond to the stop within ${spanWords(waitedMs)}, so the bridge ended its process.`;
}

/** True if the agent answered the prompt as if it had not been stopped. The protocol has a stop reason of its own for a stop. */
function isNormalEnd(landed: Landed, label: string): boolean {
	return "response" in landed && readPromptResponse(landed.response, label, false).outcome.kind === "ended";
}

/** Some agents report this of work that the stop interrupted. */
function normalEndWords(agent: string): string {
	return `${agent} reported the normal end of its turn instead of a stop, so its work may be finished or cut short.`;
}

function mayRunOn(agent: string): string {
	return `${agent} was stopped, but it is not known whether all of its processes have ended. Some may still be running on the bridge's computer.`;
}

/** True if the agent answered with an error, or was ended because it broke the protocol; false if it died. */
function isAnswer(error: unknown): boolean {
	return error instanceof AgentFailure && (error.code === "PROVIDER_ERROR" || error.code === "PROVIDER_AUTH_REQUIRED");
}
