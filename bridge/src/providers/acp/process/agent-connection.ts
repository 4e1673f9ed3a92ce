import { setTimeout as delay } from "node:timers/promises";
import type { RequestPermissionResponse } from "@agentclientprotocol/sdk";
import { type RunId, spanWords, type ToolCallState, withFullStop } from "@xworkmate/contracts";
import type { ProcessLedger } from "../../../ports/agents/process-ledger.ts";
import { type EndBounds, type ExitStatus, ProcessGroup, SpawnError } from "../../../processes/group/process-group.ts";
import type { ProcessEntry } from "../../../processes/group/process-group-table.ts";
import { type AgentQuestion, decodePermission } from "../protocol/decode-permission.ts";
import { decodeUpdate, type ReceivedUpdate } from "../protocol/decode-update.ts";
import { type AcpBounds, COMMANDS_MS, DRAIN_MS, EXIT_WAIT_MS, OWN_EXIT_MS } from "./acp-bounds.ts";
import { AgentFailure, RequestError, WireError } from "./agent-failure.ts";
import type { AgentLaunch } from "./agent-launch.ts";
import { type AgentLog, AgentReport } from "./agent-report.ts";
import { AgentWire } from "./agent-wire.ts";
import { bounded } from "./bounded.ts";
import { asksToSignIn, errorSentence, errorWords, goneWords, lacksVariable, loginWords, perhapsLoginWords } from "./failure-words.ts";
import { type AgentCapabilities, initializeParams, readInitializeResponse } from "./handshake.ts";
import type { ModelChoice } from "./model-choice.ts";
import { StderrTail } from "./stderr-tail.ts";

/** A line that begins with a brace was meant as a message; any other line is ordinary output. */
const OBJECT_BEGINS = "{".charCodeAt(0);

/** The conversation that is open in an agent process. */
export interface HeldConversation {
	/** The agent's own id for the conversation. */
	readonly conversationId: string;
	readonly models: ModelChoice | undefined;
	/** The model that was in use when the conversation began. */
	readonly initialModel: string | undefined;
}

/** Receives an agent's messages during a turn. */
export interface TurnListener {
	onUpdate(received: ReceivedUpdate): void;
	onQuestion(question: AgentQuestion): Promise<RequestPermissionResponse>;
	/** Undefined if more updates may be read now; otherwise a promise that settles when they may. */
	ready(): Promise<void> | undefined;
}

export interface AgentStart {
	readonly profile: AgentLaunch;
	/** Absolute path of the command. */
	readonly command: string;
	/** All of the command's arguments. */
	readonly args: readonly string[];
	readonly environment: Readonly<Record<string, string>>;
	readonly workingDirectory: string;
	readonly label: string;
	readonly ledger: ProcessLedger;
	readonly bounds: AcpBounds;
	readonly log: AgentLog;
	/** The run that the agent is started for. */
	readonly runId?: RunId | undefined;
}

const REQUEST_PERMISSION = "session/request_permission";
const AUTH_REQUIRED = -32_000;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
const cancelled: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };

/** One agent process and the conversation with it, after its handshake. */
export class AgentConnection {
	readonly profile: AgentLaunch;
	readonly workingDirectory: string;
	/** The conversation that is open in this agent. */
	conversation: HeldConversation | undefined;
	/** Writes what the bridge's log says about the agent. */
	readonly report: AgentReport;
	readonly #group: ProcessGroup;
	readonly #wire: AgentWire;
	readonly #bounds: AcpBounds;
	readonly #tail: StderrTail;
	/** True once the bridge is ending the agent. */
	#isEnding = false;
	/** True if the agent kept running after its connection had ended, so that the bridge ended it. */
	#hasHungUp = false;
	#capabilities: AgentCapabilities = { loads: false, resumes: false, authMethods: [] };
	#listener: TurnListener | undefined;

	private constructor(group: ProcessGroup, start: AgentStart) {
		this.profile = start.profile;
		this.workingDirectory = start.workingDirectory;
		this.#group = group;
		this.#bounds = start.bounds;
		this.#tail = new StderrTail(start.bounds.stderrBytes, start.environment);
		group.errors.on("data", (bytes: Buffer) => this.#tail.append(bytes));
		this.report = new AgentReport(start.profile.providerId, start.runId, start.log);
		this.#wire = this.#openWire();
		this.#followDeath(start).catch((error: unknown) =>
			start.log.warn({ error, agent: start.label }, "an agent's process group could not be stopped"),
		);
	}

	/**
	 * Starts the agent and performs the handshake.
	 * @param stop aborts the start; the process group has been killed when this rejects
	 * @throws AgentFailure, Stopped; the ledger's error
	 */
	static async start(start: AgentStart, stop: AbortSignal): Promise<AgentConnection> {
		const { command, args, environment, workingDirectory, label, ledger, bounds } = start;
		const group = await ProcessGroup.start({ command, args, workingDirectory, environment, label }, ledger).catch((error) => {
			throw error instanceof SpawnError ? new AgentFailure("PROVIDER_ERROR", error.message, { cause: error }) : error;
		});
		const connection = new AgentConnection(group, start);
		try {
			const response = await connection.request("initialize", initializeParams, { ms: bounds.handshakeMs, stop });
			connection.#capabilities = readInitializeResponse(response);
			return connection;
		} catch (error) {
			await connection.kill();
			throw error;
		}
	}

	get capabilities(): AgentCapabilities {
		return this.#capabilities;
	}

	/** False as soon as the bridge ends the agent, because it may take a while to die, and must not get another run until then. */
	get alive(): boolean {
		return this.#group.running && !this.#wire.isClosed && !this.#isEnding;
	}

	/** Settles when nothing more can be sent to the agent. */
	get closed(): Promise<void> {
		return this.#wire.closed;
	}

	/** Called when the agent is used for another run. Discards the agent's earlier output, which says nothing about the new run. */
	begin(runId: RunId): void {
		this.report.begin(runId);
		this.#tail.clear();
	}

	/** Passes the agent's messages to a turn. Outside of a turn, they are dropped; the log and the next turn of this process say so. */
	attach(listener: TurnListener): Disposable {
		this.#listener = listener;
		return {
			[Symbol.dispose]: () => {
				if (this.#listener === listener) this.#listener = undefined;
			},
		};
	}

	/**
	 * Sends a protocol request. The answer is not validated.
	 * @throws AgentFailure for an error response, a dead agent, or no response within `ms`; Stopped
	 */
	async request(method: string, params: object, limit: { readonly ms?: number; readonly stop?: AbortSignal } = {}): Promise<unknown> {
		try {
			return await bounded(
				this.#wire.request(method, params),
				limit,
				(ms) => `${this.profile.label} did not answer ${method} within ${spanWords(ms)}.`,
			);
		} catch (error) {
			throw await this.#failure(error, method);
		}
	}

	/** Sends a notification, in order with requests and answers; it is dropped if the agent dies. */
	notify(method: string, params: object): void {
		this.#wire.notify(method, params);
	}

	/** Ends the agent gracefully, closing its stdin first. Resolves when its process group is gone or could not be ended. */
	async end(bounds: EndBounds = this.#bounds): Promise<void> {
		this.#isEnding = true;
		await this.#group.end(bounds);
		this.#wire.close();
	}

	/** The agent's processes; empty if they can't be listed. */
	processes(): Promise<readonly ProcessEntry[]> {
		return this.#group.processes();
	}

	/** Ends commands that the agent started after `since` (milliseconds since the epoch) and left running. Resolves as `kill` does. */
	async endCommands(since: number, seen: readonly ProcessEntry[]): Promise<boolean> {
		return await this.#group.endStartedSince(since, { leaderMs: COMMANDS_MS, terminatedMs: this.#bounds.terminatedMs }, seen);
	}

	/** Sends SIGKILL to the agent's process group. Resolves with true when it is gone, or with false if something may still be running. */
	async kill(): Promise<boolean> {
		this.#isEnding = true;
		const isGone = await this.#group.kill();
		this.#wire.close();
		return isGone;
	}

	#openWire(): AgentWire {
		return new AgentWire(this.#group.input, this.#group.output, {
			bounds: this.#bounds,
			ready: () => this.#listener?.ready(),
			onUpdate: (params) => this.#receive(decodeUpdate(params)),
			onRequest: (method, params) => this.#answer(method, params),
			onIgnoredAnswer: (why) => this.report.countAnswer(why),
			onGarbage: (line) => {
				this.report.countGarbage(line.length + 1);
				if (line[0] === OBJECT_BEGINS) this.report.countUnreadable();
				this.#tail.append(Buffer.concat([line.subarray(0, this.#bounds.stderrBytes), Buffer.from("\n")]));
			},
		});
	}

	/** Passes an update to the turn. Outside of a turn, it is dropped; late text and tool calls are noted. */
	#receive(received: ReceivedUpdate): void {
		const { update } = received;
		if (update.kind === "ignored" && update.isUnreadable === true) this.report.countUnreadable();
		if (this.#listener !== undefined) this.#listener.onUpdate(received);
		else if (update.kind === "message") this.#noteLate("text");
		else if (update.kind === "tool") this.#noteLate("tool_call", update.change.state);
	}

	/** Ends an agent that goes on working after a stop. Only the log says so: the next run has a new process. */
	#noteLate(what: "text" | "tool_call", state?: ToolCallState): void {
		const isWork = this.report.noteLate(what, state);
		if (!this.report.isStopped || this.#isEnding || !isWork) return;
		this.report.noteNotStopped();
		// If processes could not be ended, `#followDeath` logs that.
		this.kill().catch(() => undefined);
	}

	/**
	 * Answers a permission request.
	 * @throws RequestError for a malformed one, and for a request of any other kind, because the bridge offers agents nothing else
	 */
	async #answer(method: string, params: unknown): Promise<RequestPermissionResponse> {
		if (method !== REQUEST_PERMISSION)
			throw new RequestError({ code: METHOD_NOT_FOUND, message: `"Method not found": ${method}`, data: { method } });
		const question = decodePermission(params);
		if (question === undefined) {
			this.report.countUnreadable();
			throw new RequestError({ code: INVALID_PARAMS, message: "Invalid params: not a permission request" });
		}
		return this.#listener === undefined ? cancelled : this.#listener.onQuestion(question);
	}

	/** Cleans up a dead connection: ends a process whose connection has closed, and closes the connection of a process that has exited. */
	async #followDeath({ log, label }: Pick<AgentStart, "log" | "label">): Promise<void> {
		// `#isEnding` is read immediately, because a failure caused by the agent's death also ends the agent, which sets the flag.
		const died = await Promise.race([this.closed, this.#group.exited]).then(() => (this.#isEnding ? undefined : this.report.died()));
		if (died !== undefined) this.#hasHungUp = await this.#runsOn();
		const isGone = await this.#group.end({ inputClosedMs: 0, terminatedMs: this.#bounds.terminatedMs });
		if (!isGone) log.warn({ agent: label }, "processes that an agent started may still be running");
		await Promise.race([this.#group.drained, delay(DRAIN_MS, undefined, { ref: false })]);
		const { reason } = this.#wire;
		this.#wire.close();
		this.#group.discardOutput();
		if (died === undefined) this.report.finish();
		else died(await this.#exit(this.#group.exited), reason);
	}

	/**
	 * Waits a moment for an agent whose connection has ended to exit, and returns whether it is still running. An agent that broke the
	 * protocol counts as running and is given no time.
	 */
	async #runsOn(): Promise<boolean> {
		if (this.#wire.reason instanceof WireError) return true;
		await Promise.race([this.#group.exited, delay(OWN_EXIT_MS, undefined, { ref: false })]);
		return this.#group.running;
	}

	/** How the agent exited; undefined if it didn't exit on its own, or not in time. */
	async #exit(exited: Promise<ExitStatus | undefined>): Promise<ExitStatus | undefined> {
		const exit = await exited;
		return this.#hasHungUp ? undefined : exit;
	}

	async #failure(error: unknown, method: string): Promise<unknown> {
		if (error instanceof AgentFailure) return error;
		if (error instanceof RequestError) return this.#errorAnswer(error, method);
		if (!this.#wire.isClosed) return error;
		const { reason } = this.#wire;
		const { label } = this.profile;
		if (reason instanceof WireError)
			return new AgentFailure("PROVIDER_ERROR", this.#withTail(`${label} violated the protocol: ${reason.message}.`));
		const exit = await this.#exit(Promise.race([this.#group.drained, delay(EXIT_WAIT_MS, undefined, { ref: false })]));
		return new AgentFailure("PROVIDER_EXITED", this.#withTail(goneWords(label, exit, method, this.#tail.lastLines())));
	}

	#errorAnswer(error: RequestError, method: string): AgentFailure {
		const { label, command, args, login, signInVariables } = this.profile;
		const ways = { label, command: [command, ...args], login, authMethods: this.#capabilities.authMethods };
		const raw = `${method} was answered with error ${error.code}: ${this.#tail.cleaned(errorWords(error))}`;
		const mayBeSignIn = error.code === AUTH_REQUIRED;
		if ((mayBeSignIn && asksToSignIn(error, ways)) || lacksVariable(error, signInVariables))
			return new AgentFailure("PROVIDER_AUTH_REQUIRED", `${loginWords(ways)}\n${raw}`);
		const said = withFullStop(`${label} reported: ${this.#tail.cleaned(errorSentence(error))}`);
		const perhaps = mayBeSignIn ? perhapsLoginWords(ways) : undefined;
		return new AgentFailure("PROVIDER_ERROR", [said, ...(perhaps === undefined ? [] : [perhaps]), raw].join("\n"));
	}

	#withTail(sentence: string): string {
		const lines = this.#tail.lastLines();
		return lines === "" || sentence.includes(`: ${lines}`) ? sentence : `${sentence} Its last output:\n${lines}`;
	}
}
