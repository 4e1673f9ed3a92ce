import { randomInt } from "node:crypto";
import type { ToolId } from "@xworkmate/contracts";
import type { CallPolicy } from "../ports/call-policy.ts";
import type { Clock } from "../ports/clock.ts";
import type { CheckedProgram } from "../ports/program-checker.ts";
import type { ProgramLog } from "../ports/program-log.ts";
import type { Parked } from "../ports/provider.ts";
import type { ProviderUpdate } from "../ports/run-event.ts";
import type { RunStep } from "../ports/run-step.ts";
import {
	type Sandbox,
	type SandboxOutcome,
	type SandboxRequest,
	type SandboxTool,
	type SandboxTools,
	typedCallBounds,
} from "../ports/sandbox.ts";
import type { ToolCatalogue, ToolHosts } from "../ports/tool-hosts.ts";
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
	/** How long a program that only waits for persons stays in its process. */
	readonly parkMs: number;
}

export interface ProgramRequest extends Pick<SandboxRequest, "print" | "limits" | "signal"> {
	readonly program: CheckedProgram;
	/** The tools that are not integrations'. */
	readonly builtIn: SandboxTools;
	readonly catalogue: ToolCatalogue;
	/** Absent: the program can call no integration. */
	readonly log?: ProgramLog;
	/** Present for a program that is run again. */
	readonly history?: ProgramHistory;
	/** Ends the program where it is, to go on later; calls that are at work are waited for. */
	readonly suspend?: AbortSignal;
	readonly show: (update: Extract<ProviderUpdate, { kind: "tool_call" }>) => void;
	/** A typed call began; its number among all calls. */
	readonly onTypedCall: (call: number) => void;
}

export type ProgramEnd = SandboxOutcome | Parked | { readonly kind: "mismatch"; readonly message: string };

/** The program's step for a program that begins, or the recorded one. */
type ProgramStep = Extract<RunStep, { kind: "program" }>;

/**
 * Runs a checked program with its tools. Its calls of integrations are recorded, so that it goes on after any end of this process, in the
 * state in which it was, and nothing that acted is done twice (docs/architecture.md#programs).
 */
export async function runProgram(deps: ProgramEngineDeps, request: ProgramRequest): Promise<ProgramEnd> {
	const { log, history, signal, suspend } = request;
	const inside = new AbortController();
	/** Ends the handlers that are at work. */
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
	const calls = new RecordedCalls({ program: step, replay: history?.replay, log, clock: deps.clock, onMismatch, onChange: look });
	using typed =
		log && new TypedCalls({ ...deps, log, history, signal: AbortSignal.any([signal, over.signal]), show: request.show, onChange: look });
	suspend?.addEventListener("abort", park);
	if (suspend?.aborted === true) park();
	try {
		const tools = { ...typedTools(step, request, calls, typed), ...builtInTools(request.builtIn, calls) };
		const { program, print, limits } = request;
		const ended = await deps.sandbox.run({
			program,
			tools,
			print,
			limits,
			time: calls.time,
			signal: AbortSignal.any([signal, inside.signal]),
		});
		if (mismatch === undefined && (ended.kind === "returned" || ended.kind === "threw")) calls.end();
		const isParked = mismatch === undefined && ended.kind === "aborted" && isParking && !signal.aborted;
		typed?.halt();
		if (!isParked) over.abort();
		await typed?.idle();
		if (mismatch !== undefined) return { kind: "mismatch", message: mismatch.message };
		if (!isParked) return ended;
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

function programStep({ clock }: ProgramEngineDeps, { program: { source }, catalogue }: ProgramRequest): ProgramStep {
	const tools = Object.fromEntries([...catalogue.tools].map(([name, { toolId }]): [string, ToolId] => [name, toolId]));
	const { registryHash } = catalogue;
	return { kind: "program", sourceHash: sha256Of(source), registryHash, clockMs: clock.now(), seed: randomInt(2 ** 32), source, tools };
}

/** The typed tools as the program knew them when it was checked; each call is made with the tool as it is now. */
function typedTools(
	step: ProgramStep,
	{ catalogue, onTypedCall }: ProgramRequest,
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
			call: async (input, call) => {
				onTypedCall(call);
				// The program's own process counts too, and answers what is beyond: only one that was taken over comes here.
				if (++made > typedCallBounds.all || calls.openTyped >= typedCallBounds.open)
					throw new Error("a program made more calls than it may");
				const carriedOut = (settle: Settle) => typed.carryOut({ call, name, toolId, tool: catalogue.tools.get(name), input }, settle);
				return calls.answer({ call, toolId, input, isTyped: true }, carriedOut);
			},
		};
	}
	return groups;
}

/** A call that blocks the program is made again; any other is recorded, since it decides what the program does next. */
function builtInTools(groups: SandboxTools, calls: RecordedCalls): SandboxTools {
	const recorded = (tool: SandboxTool): SandboxTool =>
		tool.mode === "blocking"
			? tool
			: {
					...tool,
					call: (input, call) =>
						calls.answer({ call, toolId: "time.wait", input, isTyped: false }, async (settle) =>
							settle((await tool.call(input, call)) as Parameters<typeof settle>[0], []),
						),
				};
	const entries = Object.entries(groups).map(([group, members]): [string, SandboxTools[string]] => [
		group,
		Object.fromEntries(Object.entries(members).map(([name, tool]) => [name, recorded(tool)])),
	]);
	return Object.fromEntries(entries);
}
