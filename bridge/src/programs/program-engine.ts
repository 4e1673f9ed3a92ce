import { randomInt } from "node:crypto";
import { omitUndefined, type ToolCallId, type ToolId } from "@xworkmate/contracts";
import type { Parked } from "../ports/agents/provider.ts";
import type { Clock } from "../ports/clock.ts";
import type { CheckedProgram } from "../ports/programs/program-checker.ts";
import type { ProgramLog } from "../ports/programs/program-log.ts";
import {
	type ProgramClock,
	type Sandbox,
	type SandboxOutcome,
	type SandboxRequest,
	type SandboxTool,
	type SandboxTools,
	typedCallBounds,
} from "../ports/programs/sandbox.ts";
import type { ProviderUpdate } from "../ports/runs/run-event.ts";
import type { RunStep } from "../ports/runs/run-step.ts";
import type { CallPolicy } from "../ports/tools/call-policy.ts";
import type { ToolCatalogue, ToolHosts } from "../ports/tools/tool-hosts.ts";
import { failure } from "./call-receipts.ts";
import { sha256Of } from "./input-hash.ts";
import { ParkWatch } from "./park-watch.ts";
import type { ProgramHistory } from "./program-history.ts";
import { RecordedCalls, type Settle } from "./recorded-calls.ts";
import { ResumeMismatch } from "./resume-mismatch.ts";
import { TypedCalls } from "./typed-calls.ts";

export interface ProgramEngineDeps {
	readonly sandbox: Sandbox;
	readonly hosts: ToolHosts;
	readonly policy: CallPolicy;
	readonly clock: Clock;
	/** How long a program that only waits for the user keeps its process. */
	readonly parkMs: number;
}

export interface ProgramRequest extends Pick<SandboxRequest, "print" | "limits" | "signal"> {
	readonly program: CheckedProgram;
	/** The tools that do not belong to an integration. */
	readonly builtIn: SandboxTools;
	readonly catalogue: ToolCatalogue;
	/** Records the calls to integrations. Without it, the program cannot make any. */
	readonly log?: ProgramLog;
	/** Present for a program that is run again. */
	readonly history?: ProgramHistory;
	/** Ends the program where it is, so that it can continue later. Handlers that are running are completed before `runProgram` returns. */
	readonly suspend?: AbortSignal;
	readonly show: (update: Extract<ProviderUpdate, { kind: "tool_call" }>) => void;
	/** Called when a typed call begins, with its number among all calls. */
	readonly onTypedCall: (call: number) => void;
	/**
	 * Present for one of several programs of a run: how many calls the earlier programs made, and how many of those were typed. `until` is
	 * set for a program that had ended and is run again only for its files: the number of its last call; any further call ends it.
	 */
	readonly after?: { readonly calls: number; readonly typedCalls: number; readonly until?: number };
}

export type ProgramEnd = SandboxOutcome | Parked | { readonly kind: "mismatch"; readonly message: string };

/** The step that records a program, whether it was read from the log or is new. */
type ProgramStep = Extract<RunStep, { kind: "program" }>;

/**
 * Runs a checked program with its tools. Its calls to integrations are recorded, so that the program can continue in the same state however
 * this process ends, and nothing takes effect twice (docs/architecture.md#programs).
 */
export async function runProgram(deps: ProgramEngineDeps, request: ProgramRequest): Promise<ProgramEnd> {
	const { log, history, signal, suspend } = request;
	const inside = new AbortController();
	/** Aborted to end the handlers that are running. */
	const over = new AbortController();
	let mismatch: ResumeMismatch | undefined;
	let isParking = false;
	const step = history?.replay.program ?? programStep(deps, request);
	const look = (): void => watch.look(calls.isLive && calls.open > 0 && typed?.asking === calls.open);
	const park = (): void => {
		isParking = true;
		typed?.halt();
		inside.abort();
	};
	using watch = new ParkWatch(deps.clock, deps.parkMs, park);
	const onMismatch = (found: ResumeMismatch): void => {
		mismatch ??= found;
		inside.abort();
	};
	const { after } = request;
	const isRecorded = after !== undefined;
	const calls = new RecordedCalls({
		program: step,
		replay: history?.replay,
		log,
		clock: deps.clock,
		isRecorded,
		onMismatch,
		onChange: look,
	});
	using typed =
		log && new TypedCalls({ ...deps, log, history, signal: AbortSignal.any([signal, over.signal]), show: request.show, onChange: look });
	suspend?.addEventListener("abort", park);
	if (suspend?.aborted === true) park();
	try {
		const all = { ...typedTools(step, request, calls, typed), ...builtInTools(request.builtIn, calls, after?.calls ?? 0) };
		const tools = after?.until === undefined ? all : endedBeyond(all, after.until - after.calls, () => inside.abort());
		const { program, print, limits } = request;
		const ended = await deps.sandbox.run({
			program,
			tools,
			print,
			limits,
			time: timeAfter(calls.time, after?.calls ?? 0),
			signal: AbortSignal.any([signal, inside.signal]),
		});
		if (mismatch === undefined && (ended.kind === "returned" || ended.kind === "threw")) calls.end();
		const isParked = mismatch === undefined && ended.kind === "aborted" && isParking && !signal.aborted;
		typed?.halt();
		if (!isParked) over.abort();
		await typed?.idle();
		if (mismatch !== undefined) return { kind: "mismatch", message: mismatch.message };
		if (!isParked) {
			if (log !== undefined && after !== undefined && !signal.aborted) await closeCalls(log, calls);
			return ended;
		}
		log?.mark();
		await log?.durable();
		return { kind: "parked", waiting: calls.open };
	} catch (error) {
		if (error instanceof ResumeMismatch) return { kind: "mismatch", message: error.message };
		throw error;
	} finally {
		suspend?.removeEventListener("abort", park);
	}
}

/** The clock of a run's next program, whose calls are numbered after the `before` calls of earlier programs. */
function timeAfter(time: ProgramClock, before: number): ProgramClock {
	return before === 0 ? time : { ...time, delivering: (call) => time.delivering(call + before) };
}

/** The tools of a program that had ended after its `last` call: any further call ends it. */
function endedBeyond(groups: SandboxTools, last: number, end: () => void): SandboxTools {
	const bounded = (tool: SandboxTool): SandboxTool => ({
		...tool,
		call: (input, number) => {
			if (number <= last) return tool.call(input, number);
			end();
			return new Promise(() => undefined);
		},
	});
	const members = (group: SandboxTools[string]) => Object.fromEntries(Object.entries(group).map(([name, tool]) => [name, bounded(tool)]));
	return Object.fromEntries(Object.entries(groups).map(([name, group]) => [name, members(group)]));
}

/** Closes what a program left open when it ended: calls that were not started never start, and the user is no longer asked about them. */
async function closeCalls(log: ProgramLog, calls: RecordedCalls): Promise<void> {
	const open = calls.openTypedCalls;
	for (const call of open) {
		const toolCallId: ToolCallId = `call-${call}`;
		for (const record of log.pending.filter((pending) => pending.toolCallId === toolCallId)) log.withdraw(record);
		const standing = log.standing(toolCallId);
		if (standing !== undefined) {
			const { risk, toolHash, inputHash } = standing.requested;
			const facts = { type: "tool.call.denied", origin: "executed", toolCallId, ...omitUndefined({ risk, toolHash, inputHash }) } as const;
			const { toolId } = standing.requested;
			const decision = { by: "bridge", decision: "deny", reason: "withdrawn" } as const;
			log.write([], [{ ...facts, ...(toolId && { toolId }), decision }]);
		}
		calls.drop(call);
	}
	if (open.length > 0) await log.durable();
}

function programStep({ clock }: ProgramEngineDeps, { program: { source }, catalogue }: ProgramRequest): ProgramStep {
	const tools = Object.fromEntries([...catalogue.tools].map(([name, { toolId }]): [string, ToolId] => [name, toolId]));
	const { registryHash } = catalogue;
	return { kind: "program", sourceHash: sha256Of(source), registryHash, clockMs: clock.now(), seed: randomInt(2 ** 32), source, tools };
}

/** The typed tools as the program knew them when it was checked. Each call is made with the current version of the tool. */
function typedTools(
	step: ProgramStep,
	{ catalogue, onTypedCall, after = { calls: 0, typedCalls: 0 } }: ProgramRequest,
	calls: RecordedCalls,
	typed: TypedCalls | undefined,
): SandboxTools {
	if (typed === undefined) return {};
	const groups: Record<string, Record<string, SandboxTool>> = {};
	let made = 0;
	for (const [name, toolId] of Object.entries(step.tools)) {
		const [group = "", method = ""] = name.split(".");
		const members = groups[group] ?? {};
		groups[group] = members;
		members[method] = {
			mode: "typed",
			call: async (input, number) => {
				const call = number + after.calls;
				onTypedCall(call);
				// The program's own process also counts, and refuses calls beyond the limit, so only a compromised process gets here.
				if (++made > typedCallBounds.all || calls.openTyped >= typedCallBounds.open)
					throw new Error("a program made more calls than allowed");
				if (after.typedCalls + made > typedCallBounds.all) {
					return calls.answer({ call, toolId, input, isTyped: true }, (settle) => settle(tooMany, []));
				}
				const carriedOut = (settle: Settle) => typed.carryOut({ call, name, toolId, tool: catalogue.tools.get(name), input }, settle);
				return calls.answer({ call, toolId, input, isTyped: true }, carriedOut);
			},
		};
	}
	return groups;
}

const tooMany = failure("LIMIT_EXCEEDED", `the run has made ${typedCallBounds.all} calls, which is the limit`);

/**
 * The built-in tools. A call that blocks the program is made again after a restart. Any other is recorded, because what the program does
 * next may depend on when it is answered.
 */
function builtInTools(groups: SandboxTools, calls: RecordedCalls, before: number): SandboxTools {
	const recorded = (tool: SandboxTool): SandboxTool =>
		tool.mode === "blocking"
			? { ...tool, call: (input, number) => tool.call(input, number + before) }
			: {
					...tool,
					call: (input, number) => {
						const call = number + before;
						return calls.answer({ call, toolId: "time.wait", input, isTyped: false }, async (settle) =>
							settle((await tool.call(input, call)) as Parameters<typeof settle>[0], []),
						);
					},
				};
	const entries = Object.entries(groups).map(([group, members]): [string, SandboxTools[string]] => [
		group,
		Object.fromEntries(Object.entries(members).map(([name, tool]) => [name, recorded(tool)])),
	]);
	return Object.fromEntries(entries);
}
