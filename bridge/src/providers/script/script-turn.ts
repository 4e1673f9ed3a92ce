import { type FailedCode, omitUndefined } from "@xworkmate/contracts";
import type { Logger } from "pino";
import type { Parked, ProviderTurn, TurnSink } from "../../ports/agents/provider.ts";
import type { CheckedProgram, ProgramChecker } from "../../ports/programs/program-checker.ts";
import type { ProgramLog } from "../../ports/programs/program-log.ts";
import { resultMessageId } from "../../ports/runs/result-message.ts";
import type { ProviderOutcome, ProviderUpdate } from "../../ports/runs/run-event.ts";
import type { ToolCatalogue } from "../../ports/tools/tool-hosts.ts";
import { type ProgramEnd, type ProgramEngineDeps, runProgram } from "../../programs/program-engine.ts";
import { ProgramHistory } from "../../programs/program-history.ts";
import { ResumeMismatch } from "../../programs/resume-mismatch.ts";
import type { SaidBefore } from "../../programs/said-before.ts";
import { checkProgram } from "../../tools/built-in/check-program.ts";
import { positioned } from "../../tools/built-in/positioned.ts";
import { ProgramTools } from "../../tools/built-in/program-tools.ts";
import { ScopeFiles } from "../../tools/built-in/scope-files.ts";
import { checkLimitMessage, limitMessage, type ScriptLimits } from "../../tools/built-in/script-limits.ts";
import { piecesOf } from "../preview.ts";
import { UpdateQueue } from "../update-queue.ts";
import { failureMessage } from "./script-messages.ts";
import { parsePrompt, type ScriptProgram } from "./script-program.ts";

const MAX_MESSAGES = 200;
/** How many updates may wait for the log before the program is paused. */
const MAX_BACKLOG = 64;
const MAX_DELTA_UNITS = 8192;

export interface ScriptTurnDeps extends ProgramEngineDeps {
	readonly checker: ProgramChecker;
	readonly limits: ScriptLimits;
	readonly log: Pick<Logger, "error" | "warn">;
}

/** A program that may run: it was checked just now, or it was checked and recorded earlier. */
interface ReadyProgram {
	readonly program: CheckedProgram;
	readonly asWritten: ScriptProgram;
	readonly catalogue: ToolCatalogue;
	readonly history?: ProgramHistory;
}

/** Runs the program of one turn. Rejects only if the run's log or its directory cannot be used. */
export async function runScriptTurn(
	deps: ScriptTurnDeps,
	turn: ProviderTurn,
	sink: TurnSink,
	stop: AbortSignal,
): Promise<ProviderOutcome | Parked> {
	const parsed = parsePrompt(turn.prompt);
	if (!parsed.ok) return failed("SCRIPT_INVALID", parsed.message);
	if (Buffer.byteLength(parsed.program.source) > deps.limits.programBytes) {
		return failed("LIMIT_EXCEEDED", limitMessage("programBytes", deps.limits));
	}
	deps.sandbox.prepare();
	try {
		using history = sink.program && (await ProgramHistory.read(sink.program));
		const ready = await readyProgram(deps, parsed.program, history, stop);
		if ("kind" in ready) return ready;
		await sink.handOver();
		await using run = await ScriptRun.open(deps, turn, sink, stop);
		return await run.execute(ready); // Awaited here, because otherwise the run would be disposed of while it is running.
	} catch (error) {
		if (error instanceof ResumeMismatch) return failed("RESUME_MISMATCH", error.message);
		throw error;
	}
}

/** Checks a program before any of it runs. A program that is run again was checked before its first run, against the tools of that time. */
async function readyProgram(
	deps: ScriptTurnDeps,
	asWritten: ScriptProgram,
	history: ProgramHistory | undefined,
	stop: AbortSignal,
): Promise<ReadyProgram | ProviderOutcome> {
	const catalogue = await deps.hosts.catalogue();
	if (history !== undefined) return { program: history.program, asWritten, catalogue, history };
	const check = await checkProgram(deps, asWritten, catalogue, stop);
	if (stop.aborted) return { kind: "cancelled", remote: false };
	if (check === undefined)
		return failed("INTERNAL", "The type checker is not available, so nothing was run; the bridge's log has the cause.");
	if (check.kind === "too_slow" || check.kind === "too_large") return failed("LIMIT_EXCEEDED", checkLimitMessage(check));
	if (check.kind === "invalid") return failed("SCRIPT_INVALID", failureMessage(check.problems, asWritten));
	return { program: check.program, asWritten, catalogue };
}

class ScriptRun implements AsyncDisposable {
	readonly #deps: ScriptTurnDeps;
	readonly #turn: ProviderTurn;
	readonly #program: ProgramLog | undefined;
	#said: SaidBefore | undefined;
	/** True once the program is parked. Updates that its calls send after that are shown when the program continues. */
	#isParked = false;
	readonly #tools: ProgramTools;
	readonly #stop: AbortSignal;
	readonly #updates: UpdateQueue;
	readonly #onStop = (): void => this.#tools.budget.halt({ kind: "stopped" });

	private constructor(deps: ScriptTurnDeps, turn: ProviderTurn, sink: TurnSink, stop: AbortSignal, files: ScopeFiles) {
		this.#deps = deps;
		this.#turn = turn;
		this.#program = sink.program;
		this.#stop = stop;
		this.#updates = new UpdateQueue(sink, MAX_BACKLOG);
		const { limits, log } = deps;
		this.#tools = new ProgramTools({ turn, sink, limits, show: (update) => this.#show(update), log }, files);
		void this.#updates.failed.then(this.#onStop);
		stop.addEventListener("abort", this.#onStop);
		if (stop.aborted) this.#onStop();
	}

	static async open(deps: ScriptTurnDeps, turn: ProviderTurn, sink: TurnSink, stop: AbortSignal): Promise<ScriptRun> {
		return new ScriptRun(deps, turn, sink, stop, await ScopeFiles.open(turn.artifactDirectory));
	}

	async execute({ program, asWritten, catalogue, history }: ReadyProgram): Promise<ProviderOutcome | Parked> {
		const { limits } = this.#deps;
		this.#said = history?.said;
		const ended = await runProgram(this.#deps, {
			program,
			builtIn: this.#tools.functions,
			catalogue,
			...omitUndefined({ log: this.#program, history, suspend: this.#turn.suspend }),
			print: (_level, text) => this.#print(text),
			show: (update) => void this.#show(update),
			onTypedCall: (call) => this.#tools.calls.noteCall(call),
			limits,
			signal: this.#tools.budget.signal,
		});
		this.#isParked = ended.kind === "parked";
		const outcome = await this.#outcome(ended, asWritten);
		await this.#updates.drained();
		return outcome;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#stop.removeEventListener("abort", this.#onStop);
		await this.#tools[Symbol.asyncDispose]();
	}

	async #print(text: string): Promise<void> {
		const line = `${text.toWellFormed()}\n`;
		if (!this.#tools.budget.spend("consoleLines", 1) || !this.#tools.budget.spend("outputBytes", Buffer.byteLength(line))) return;
		// Text after a call starts a new message, so that it appears below the call. After 200 calls, all text is one message.
		const made = Math.min(this.#tools.calls.made, MAX_MESSAGES);
		await this.#say(`${this.#turn.runId}-console${made === 0 ? "" : `-${made}`}`, line);
	}

	/** Sends a piece of a message in deltas of limited size. */
	async #say(messageId: string, text: string): Promise<void> {
		for (const piece of piecesOf(text, MAX_DELTA_UNITS)) await this.#show({ kind: "message_delta", messageId, text: piece });
	}

	/** Shows an update. Waits if the log is behind. */
	async #show(update: ProviderUpdate): Promise<void> {
		const said = this.#said === undefined ? update : this.#said.rest(update);
		if (said === undefined || this.#isParked) return;
		this.#updates.push(said);
		await this.#updates.ready();
	}

	async #outcome(ended: ProgramEnd, asWritten: ScriptProgram): Promise<ProviderOutcome | Parked> {
		const returned = ended.kind === "returned";
		// Unless the program returned, its open calls are stopped here. All calls end before the turn does.
		if (!returned) this.#tools.budget.halt({ kind: "stopped" });
		await this.#tools.settle();
		if (returned && ended.text !== undefined) await this.#sayResult(ended.text);
		return ended.kind === "parked" ? ended : this.#verdict(ended, asWritten);
	}

	/** Shows the result. A stop after the program has returned is too late: its output counts. */
	async #sayResult(text: string): Promise<void> {
		if (!this.#tools.budget.spend("outputBytes", Buffer.byteLength(text)) && this.#tools.budget.cause?.kind === "limit") return;
		await this.#say(resultMessageId(this.#turn.runId), text.toWellFormed());
	}

	#verdict(ended: Exclude<ProgramEnd, Parked>, asWritten: ScriptProgram): ProviderOutcome {
		const { limits, log } = this.#deps;
		const { cause } = this.#tools.budget;
		if (cause?.kind === "limit") return failed("LIMIT_EXCEEDED", limitMessage(cause.limit, limits));
		switch (ended.kind) {
			case "limit":
				return failed("LIMIT_EXCEEDED", limitMessage(ended.limit, limits));
			case "threw":
				return failed("SCRIPT_ERROR", positioned(ended.position, ended.message, asWritten));
			case "unreadable":
				return failed("SCRIPT_INVALID", positioned(ended.position, ended.message, asWritten));
			case "aborted":
				return { kind: "cancelled", remote: false };
			case "mismatch":
				return failed("RESUME_MISMATCH", ended.message);
			case "broken":
				log.error({ err: ended.cause, runId: this.#turn.runId }, "the sandbox failed");
				return failed("INTERNAL", "The sandbox failed; the bridge's log has the cause.");
			case "returned": {
				const failure = this.#tools.writes.failure;
				return failure === undefined ? { kind: "ended" } : failed("TOOL_FAILED", failure);
			}
		}
	}
}

function failed(code: FailedCode, message: string): ProviderOutcome {
	return { kind: "failed", code, message };
}
