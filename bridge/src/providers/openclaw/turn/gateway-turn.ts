import { type OpenClawRunRef, type OpenClawTask, spanWords, withFullStop } from "@xworkmate/contracts";
import { AutoResetEvent } from "@xworkmate/platform/async";
import type { PermissionRequest, ProviderTurn, TurnSink } from "../../../ports/agents/provider.ts";
import type { ProviderOutcome, ProviderUpdate } from "../../../ports/runs/run-event.ts";
import { UpdateQueue } from "../../update-queue.ts";
import type { GatewayApi } from "../gateway/gateway-api.ts";
import type { GatewayBounds } from "../gateway/gateway-bounds.ts";
import type { GatewayConnection, GatewayLog } from "../gateway/gateway-connection.ts";
import { GatewayLost, GatewayProtocolError, GatewayRefusal, isPluginCode } from "../gateway/gateway-error.ts";
import { decodeAgentEvent, decodeChatEvent, type GatewayEvent, runOf } from "./agent-event.ts";
import { type AskedAnswer, GatewayApprovals } from "./gateway-approvals.ts";
import { GatewayRunWatcher } from "./gateway-run-watcher.ts";
import { GatewayTranslator, type LastWords } from "./gateway-translator.ts";
import { prepareRun } from "./prepare-run.ts";
import { lostRun, outcomeOf, workNotice } from "./remote-outcome.ts";
import { RunSender } from "./run-sender.ts";
import { RunStopper } from "./run-stopper.ts";
import { newSessionKey, storedSessionKey } from "./session-key.ts";
import { TurnRefused } from "./turn-refused.ts";

export interface GatewayTurnDeps {
	readonly connection: GatewayConnection;
	readonly api: GatewayApi;
	readonly bounds: GatewayBounds;
	readonly log: GatewayLog;
}

const RESTARTED =
	"OpenClaw is still busy with the previous message in this conversation, so this message begins a new conversation, in which OpenClaw does not know what was said before.";

const pluginEvents = { run: "plugin.xworkmate.run", approval: "plugin.xworkmate.approval" } as const;

/** Follows one run on the gateway, from its current state to its end. A later bridge may do the same for the same run. */
export class GatewayTurn {
	readonly #deps: GatewayTurnDeps;
	readonly #turn: ProviderTurn;
	readonly #sink: TurnSink;
	readonly #stop: AbortSignal;
	readonly #translator: GatewayTranslator;
	readonly #queue: UpdateQueue;
	readonly #wake = new AutoResetEvent();
	readonly #witness: GatewayRunWatcher;
	readonly #sender: RunSender;
	readonly #stopper: RunStopper;
	#held: GatewayApprovals;
	#ref: OpenClawRunRef;
	/** The conversation's final text, used if only the gateway reports the end. */
	#finalWords = "";
	/** Whether the run may be executing: true at first, because an earlier bridge may have started it. */
	#begun = true;
	#away = false;
	#ignored = 0;

	constructor(deps: GatewayTurnDeps, turn: ProviderTurn, sink: TurnSink, stop: AbortSignal) {
		this.#deps = deps;
		this.#turn = turn;
		this.#sink = sink;
		this.#stop = stop;
		const { runId, threadId, artifactScope } = turn;
		this.#ref = { runId, artifactScope, sessionKey: storedSessionKey(turn.session) ?? newSessionKey(threadId, runId) };
		this.#translator = new GatewayTranslator(`${Date.now().toString(36)}-`, turn.spoken);
		this.#queue = new UpdateQueue(sink, deps.bounds.pendingUpdates);
		this.#held = this.#holding();
		this.#witness = new GatewayRunWatcher(deps, () => this.#wake.set());
		this.#sender = new RunSender(deps, turn);
		this.#stopper = new RunStopper(deps);
	}

	get ref(): OpenClawRunRef {
		return this.#ref;
	}

	/** How many events of this run were ignored because their kind is unknown or not shown, or because they are malformed. */
	get ignoredEvents(): number {
		return this.#ignored;
	}

	/**
	 * Settles with the outcome, which is `lost` if it can't be determined.
	 * @throws errors of the sink, which are the bridge's failures
	 */
	async run(): Promise<ProviderOutcome> {
		const wake = () => this.#wake.set();
		this.#stop.addEventListener("abort", wake, { once: true });
		void this.#queue.failed.then(wake);
		try {
			return await this.#carryOut();
		} catch (error) {
			return await this.#explain(error);
		} finally {
			this.#stop.removeEventListener("abort", wake);
			this.#witness.end();
		}
	}

	/** Handles an event from the gateway. Events of other runs and conversations are ignored. */
	onEvent(name: string, payload: unknown): void {
		if (name === "exec.approval.requested") this.#held.onGatewayEvent("exec", payload);
		else if (name === "plugin.approval.requested") this.#held.onGatewayEvent("plugin", payload);
		else if (name === "exec.approval.resolved") this.#held.onGatewayAnswer("exec", payload);
		else if (name === "plugin.approval.resolved") this.#held.onGatewayAnswer("plugin", payload);
		else if (name === pluginEvents.approval) this.#held.onPluginEvent(payload);
		else if (this.#isOurs(payload)) this.#onRunEvent(name, payload);
	}

	onLink(): void {
		if (this.#away) this.#push([notice("info", "GATEWAY_BACK", "The connection to the gateway was restored.")]);
		this.#away = false;
		this.#held
			.relist()
			.catch((error: unknown) => this.#deps.log.warn({ err: error, runId: this.#ref.runId }, "the open requests could not be listed"));
		this.#wake.set();
	}

	onLoss(): void {
		this.#away = true;
		const message = `The connection to the gateway was lost. It is not known yet whether the run continues there. The bridge will try to reconnect for ${spanWords(this.#deps.bounds.lostMs)}.`;
		this.#push([notice("warning", "GATEWAY_AWAY", message)]);
	}

	async #carryOut(): Promise<ProviderOutcome> {
		const known = await this.#known();
		// An earlier bridge received the requests for approval, so the open ones have to be listed again.
		if (known !== undefined) this.#relist();
		const task = known ?? (await this.#prepare());
		return task === undefined ? { kind: "cancelled", remote: false } : this.#follow(task);
	}

	/** The run as the plugin knows it; undefined if it was never prepared. */
	async #known(): Promise<OpenClawTask | undefined> {
		try {
			return await this.#deps.api.task(this.#ref);
		} catch (error) {
			// The run was started, but the gateway no longer knows it. The run must not be started again.
			if (this.#turn.begun || !isPluginCode(error, "RUN_UNKNOWN")) throw error;
			this.#begun = false;
			return undefined;
		}
	}

	/** Reads the current state of the run. Retried if the plugin fails to report it. */
	async #look(): Promise<OpenClawTask> {
		for (const until = performance.now() + this.#deps.bounds.lostMs; ; ) {
			try {
				return await this.#deps.api.task(this.#ref);
			} catch (error) {
				const passes = error instanceof GatewayRefusal && !isPluginCode(error, "RUN_UNKNOWN") && !isPluginCode(error, "SCOPE_MISMATCH");
				if (!passes || performance.now() > until) throw error;
				await this.#wake.wait(this.#deps.bounds.pollMs);
			}
		}
	}

	/** Registers the run; undefined if it was stopped before it was registered. */
	#prepare(): Promise<OpenClawTask | undefined> {
		return prepareRun(this.#deps, this.#turn, this.#sink, {
			ref: this.#ref,
			stop: this.#stop,
			wake: this.#wake,
			onNewConversation: (ref) => {
				this.#ref = ref;
				this.#held = this.#holding();
				this.#push([notice("warning", "CONVERSATION_RESTARTED", RESTARTED)]);
			},
		});
	}

	#relist(): void {
		this.#held
			.relist()
			.catch((error: unknown) => this.#deps.log.warn({ err: error, runId: this.#ref.runId }, "the open requests could not be listed"));
	}

	async #follow(known: OpenClawTask): Promise<ProviderOutcome> {
		for (let task = known; ; task = await this.#look()) {
			if (task.state !== "prepared") this.#begin();
			const outcome = outcomeOf(task);
			if (outcome !== undefined) {
				this.#push(workNotice(task));
				return this.#land(outcome, task.output);
			}
			const witnessed = this.#witness.outcome(this.#stop.aborted);
			if (witnessed !== undefined) {
				return this.#land(witnessed.outcome, { text: witnessed.words ?? this.#finalWords, truncated: false });
			}
			if (this.#stopping) await this.#askToStop();
			else if (task.state === "prepared") await this.#send();
			await this.#wake.wait(this.#stopping ? this.#deps.bounds.abortMs : this.#deps.bounds.pollMs);
		}
	}

	/** True if the run is being stopped, whether on request or because the log failed. */
	get #stopping(): boolean {
		return this.#stop.aborted || this.#queue.broken;
	}

	async #send(): Promise<void> {
		try {
			await this.#sink.handOver();
			if (await this.#sender.send(this.#ref, () => this.#stopping)) this.#begin();
		} catch (error) {
			// Stops the run, because a run that was prepared but never sent would block the conversation.
			if (!(error instanceof GatewayLost)) await this.#askToStop();
			throw error;
		}
	}

	#begin(): void {
		this.#begun = true;
		this.#witness.listen(this.#ref);
	}

	async #askToStop(): Promise<void> {
		if (await this.#stopper.ask(this.#ref)) this.#wake.set();
	}

	async #land(outcome: ProviderOutcome, output: LastWords | undefined): Promise<ProviderOutcome> {
		if (output !== undefined) this.#push(this.#translator.last(output));
		await this.#queue.drained();
		return outcome;
	}

	async #explain(error: unknown): Promise<ProviderOutcome> {
		await this.#queue.drained();
		if (error instanceof GatewayLost) return lostRun(error.message);
		if (error instanceof TurnRefused) return { kind: "failed", code: error.code, message: error.message };
		if (error instanceof GatewayRefusal && !this.#begun) {
			return { kind: "failed", code: "OPENCLAW_REFUSED", message: `OpenClaw rejected the message: ${withFullStop(error.message)}` };
		}
		if (error instanceof GatewayRefusal || error instanceof GatewayProtocolError) {
			return lostRun(`The gateway stopped reporting on the run: ${withFullStop(error.message)}`);
		}
		throw error;
	}

	#isOurs(payload: unknown): boolean {
		const run = runOf(payload);
		return run?.sessionKey === this.#ref.sessionKey;
	}

	#onRunEvent(name: string, payload: unknown): void {
		if (name === pluginEvents.run) this.#wake.set();
		else if (name === "agent") this.#show(decodeAgentEvent(payload));
		else if (name === "chat") this.#show(decodeChatEvent(payload));
		else this.#ignored++;
	}

	#show(event: GatewayEvent): void {
		if (event.kind === "lifecycle") this.#wake.set();
		if (event.kind === "final") this.#finalWords = event.text;
		if (event.kind === "ignored") this.#ignored++;
		this.#push(this.#translator.translate(event));
		if (this.#queue.full) this.#deps.connection.link?.pauseUntil(this.#queue.ready());
	}

	#push(updates: readonly ProviderUpdate[]): void {
		for (const update of updates) this.#queue.push(update);
	}

	#holding(): GatewayApprovals {
		return new GatewayApprovals({
			api: this.#deps.api,
			ref: this.#ref,
			ask: (request) => this.#ask(request),
			onDenied: (request) => this.#push(this.#translator.denied(request)),
			onError: (error) => this.#deps.log.warn({ err: error, runId: this.#ref.runId }, "a request could not be answered"),
		});
	}

	/** Asks the user. If the log cannot record a question, the turn fails and nothing is allowed. */
	async #ask(request: PermissionRequest): Promise<AskedAnswer> {
		this.#push(this.#translator.asked(request));
		try {
			if (this.#stopping || !(await this.#queue.written())) return { decision: "withdrawn" };
			return await this.#sink.requestPermission(request);
		} catch (error) {
			this.#queue.fail(error);
			return { decision: "unrecorded" };
		}
	}
}

function notice(level: "info" | "warning", code: string, message: string): ProviderUpdate {
	return { kind: "notice", level, code, message };
}
