import { type AssistantMetadata, type FailedCode, omitUndefined } from "@xworkmate/contracts";
import type { Logger } from "pino";
import { type CheckedProgram, CheckerUnavailableError, type CheckResult, type ProgramChecker } from "../../ports/program-checker.ts";
import type { ProgramLog } from "../../ports/program-log.ts";
import type { Parked, ProviderTurn, TurnSink } from "../../ports/provider.ts";
import type { ProviderOutcome, ProviderUpdate } from "../../ports/run-event.ts";
import type { ToolCatalogue } from "../../ports/tool-hosts.ts";
import { type ProgramEnd, type ProgramEngineDeps, runProgram } from "../../programs/program-engine.ts";
import { ProgramHistory } from "../../programs/program-history.ts";
import { ResumeMismatch } from "../../programs/resume-mismatch.ts";
import type { SaidBefore } from "../../programs/said-before.ts";
import { TIMED_OUT, within } from "../../sandbox/within.ts";
import { ToolCalls } from "../../tools/tool-calls.ts";
import { piecesOf } from "../preview.ts";
import { UpdateQueue } from "../update-queue.ts";
import { failureMessage, positioned } from "./script-messages.ts";
import { parsePrompt, type ScriptProgram } from "./script-program.ts";
import { ScopeFiles } from "./tools/scope-files.ts";
import { ScriptBudget } from "./tools/script-budget.ts";
import { checkLimitMessage, limitMessage, type ScriptLimits } from "./tools/script-limits.ts";
import { type ScriptContext, scriptTools } from "./tools/script-tools.ts";
import { WriteRecord } from "./tools/write-record.ts";

const SETTLE_MS = 5_000;
const MAX_MESSAGES = 200;
/** How many updates may wait for the log before the program is paused. */
const MAX_BACKLOG = 64;
const MAX_DELTA_UNITS = 8192;

export interface ScriptTurnDeps extends ProgramEngineDeps {
	readonly checker: ProgramChecker;
	readonly limits: ScriptLimits;
	readonly log: Pick<Logger, "error" | "warn">;
}

/** A program that may run: checked now, or checked before and recorded. */
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
		const ready = await readyProgram(deps, parsed.program, history, stop, sink.program?.record.input.assistant?.toolPolicy);
		if ("kind" in ready) return ready;
		await sink.handOver();
		await using run = await ScriptRun.open(deps, turn, sink, stop);
		return await run.execute(ready); // Awaited here, because otherwise the run would be disposed of while it is running.
	} catch (error) {
		if (error instanceof ResumeMismatch) return failed("RESUME_MISMATCH", error.message);
		throw error;
	}
}

/** A program is checked before any of it runs; one that is run again was checked then, against the tools that it knew. */
async function readyProgram(
	deps: ScriptTurnDeps,
	asWritten: ScriptProgram,
	history: ProgramHistory | undefined,
	stop: AbortSignal,
	rules: AssistantMetadata["toolPolicy"],
): Promise<ReadyProgram | ProviderOutcome> {
	const catalogue = await deps.hosts.catalogue();
	if (history !== undefined) return { program: history.program, asWritten, catalogue, history };
	const ruled = rulesOfNoTool(rules, catalogue);
	if (ruled.length > 0) return failed("SCRIPT_INVALID", `There is no tool ${ruled.join(", ")}, and this run has a rule for it.`);
	const check = await checkProgram(deps, asWritten, catalogue, stop);
	if (stop.aborted) return { kind: "cancelled", remote: false };
	if (check === undefined)
		return failed("INTERNAL", "The type checker is not available, so nothing was run; the bridge's log has the cause.");
	if (check.kind === "too_slow" || check.kind === "too_large") return failed("LIMIT_EXCEEDED", checkLimitMessage(check));
	if (check.kind === "invalid") return failed("SCRIPT_INVALID", failureMessage(check.problems, asWritten));
	return { program: check.program, asWritten, catalogue };
}

/** A rule for a tool that does not exist denies nothing: most likely its id is mistyped. */
function rulesOfNoTool(rules: AssistantMetadata["toolPolicy"] = {}, { tools }: ToolCatalogue): readonly string[] {
	const known = new Set<string>([...tools.values()].map(({ toolId }) => toolId));
	return Object.keys(rules).filter((toolId) => !known.has(toolId));
}

/** undefined: there was no check, because of a stop or for a reason that is in the log. */
async function checkProgram(
	deps: ScriptTurnDeps,
	program: ScriptProgram,
	catalogue: ToolCatalogue,
	stop: AbortSignal,
): Promise<CheckResult | undefined> {
	const declarations = scriptTools.declarationsWith(catalogue.declarations);
	const stopped = Promise.withResolvers<undefined>();
	const onStop = (): void => stopped.resolve(undefined);
	stop.addEventListener("abort", onStop);
	if (stop.aborted) onStop();
	try {
		return await Promise.race([deps.checker.check({ ...program, declarations }, stop), stopped.promise]);
	} catch (error) {
		if (stop.aborted) return undefined;
		if (!(error instanceof CheckerUnavailableError)) throw error;
		deps.log.error({ err: error }, "the type checker is not available");
		return undefined;
	} finally {
		stop.removeEventListener("abort", onStop);
	}
}

class ScriptRun implements AsyncDisposable {
	readonly #deps: ScriptTurnDeps;
	readonly #turn: ProviderTurn;
	readonly #program: ProgramLog | undefined;
	#said: SaidBefore | undefined;
	/** Ended where it was, so what its calls still say is said when it goes on. */
	#isParked = false;
	readonly #files: ScopeFiles;
	readonly #stop: AbortSignal;
	readonly #budget: ScriptBudget;
	readonly #updates: UpdateQueue;
	readonly #calls: ToolCalls<ScriptContext>;
	readonly #writes: WriteRecord;
	readonly #onStop = (): void => this.#budget.halt({ kind: "stopped" });

	private constructor(deps: ScriptTurnDeps, turn: ProviderTurn, sink: TurnSink, stop: AbortSignal, files: ScopeFiles) {
		this.#deps = deps;
		this.#turn = turn;
		this.#program = sink.program;
		this.#files = files;
		this.#stop = stop;
		this.#budget = new ScriptBudget(deps.limits);
		this.#updates = new UpdateQueue(sink, MAX_BACKLOG);
		void this.#updates.failed.then(this.#onStop);
		const show = (update: ProviderUpdate) => this.#show(update);
		this.#writes = new WriteRecord(sink, show);
		this.#calls = new ToolCalls({
			context: { artifactDirectory: turn.artifactDirectory, files, budget: this.#budget, writes: this.#writes },
			spend: () => this.#budget.spend("toolCalls", 1),
			show,
		});
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
			builtIn: scriptTools.hostFunctions((tool, passed, call) => this.#calls.invoke(tool, passed, call)),
			catalogue,
			...omitUndefined({ log: this.#program, history, suspend: this.#turn.suspend }),
			print: (_level, text) => this.#print(text),
			show: (update) => void this.#show(update),
			onTypedCall: (call) => this.#calls.noteCall(call),
			limits,
			signal: this.#budget.signal,
		});
		this.#isParked = ended.kind === "parked";
		const outcome = await this.#outcome(ended, asWritten);
		await this.#updates.drained();
		return outcome;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#stop.removeEventListener("abort", this.#onStop);
		// Leftovers of the staging folder are never artifacts, so they do not change how the run ended.
		await this.#files.close().catch((err: unknown) => this.#deps.log.warn({ err }, "a script's staging folder could not be removed"));
	}

	async #print(text: string): Promise<void> {
		const line = `${text.toWellFormed()}\n`;
		if (!this.#budget.spend("consoleLines", 1) || !this.#budget.spend("outputBytes", Buffer.byteLength(line))) return;
		// Text after a call starts a new message, so that it is shown below the call; output of a long loop stays one message.
		const made = Math.min(this.#calls.made, MAX_MESSAGES);
		await this.#say(`${this.#turn.runId}-console${made === 0 ? "" : `-${made}`}`, line);
	}

	/** Sends a piece of a message in deltas of limited size. */
	async #say(messageId: string, text: string): Promise<void> {
		for (const piece of piecesOf(text, MAX_DELTA_UNITS)) await this.#show({ kind: "message_delta", messageId, text: piece });
	}

	/** Resolves later if the log is behind. */
	async #show(update: ProviderUpdate): Promise<void> {
		const said = this.#said === undefined ? update : this.#said.rest(update);
		if (said === undefined || this.#isParked) return;
		this.#updates.push(said);
		await this.#updates.ready();
	}

	async #outcome(ended: ProgramEnd, asWritten: ScriptProgram): Promise<ProviderOutcome | Parked> {
		const returned = ended.kind === "returned";
		// However the sandbox ended, calls that are still open end now, before the turn does.
		if (!returned) this.#budget.halt({ kind: "stopped" });
		if ((await within(this.#calls.settled(), SETTLE_MS)) === TIMED_OUT) {
			this.#deps.log.warn({ runId: this.#turn.runId }, "a tool call of an ended script does not end");
		}
		if (returned && ended.text !== undefined) await this.#sayResult(ended.text);
		return ended.kind === "parked" ? ended : this.#verdict(ended, asWritten);
	}

	/** A stop after the program has returned is too late: its output counts. */
	async #sayResult(text: string): Promise<void> {
		if (!this.#budget.spend("outputBytes", Buffer.byteLength(text)) && this.#budget.cause?.kind === "limit") return;
		await this.#say(`${this.#turn.runId}-result`, text.toWellFormed());
	}

	#verdict(ended: Exclude<ProgramEnd, Parked>, asWritten: ScriptProgram): ProviderOutcome {
		const { limits, log } = this.#deps;
		const { cause } = this.#budget;
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
				const failure = this.#writes.failure;
				return failure === undefined ? { kind: "ended" } : failed("TOOL_FAILED", failure);
			}
		}
	}
}

function failed(code: FailedCode, message: string): ProviderOutcome {
	return { kind: "failed", code, message };
}
