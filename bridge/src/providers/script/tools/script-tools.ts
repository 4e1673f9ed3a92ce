import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { artifactPathProblem } from "@xworkmate/contracts";
import type { z } from "zod";
import type { SandboxTools } from "../../../ports/sandbox.ts";
import { ScopeFileError, type ScopeFiles } from "./scope-files.ts";
import type { ScriptBudget } from "./script-budget.ts";
import { inputProblem, ListInput, pathOf, ReadInput, WaitInput, WriteInput, writtenBytes } from "./script-tool-input.ts";
import { shownPath } from "./shown-path.ts";
import { refusal, STOPPED, type ToolAnswer, type ToolCalls } from "./tool-calls.ts";
import type { WriteRecord } from "./write-record.ts";

const DISK_RETRY_MS = 500;

export interface ScriptToolsDeps {
	/** Absolute; shown as the location of what is written. */
	readonly artifactDirectory: string;
	readonly files: ScopeFiles;
	readonly budget: ScriptBudget;
	readonly calls: ToolCalls;
	readonly writes: WriteRecord;
}

/** The `tools` of a script, as `script-declarations.ts` promises them. Files block the program; waits do not. */
export function scriptTools(deps: ScriptToolsDeps): SandboxTools {
	return {
		files: {
			write: { mode: "blocking", call: (input) => writeFile(deps, input) },
			read: { mode: "blocking", call: (input) => readFile(deps, input) },
			list: { mode: "blocking", call: (input) => listFiles(deps, input) },
		},
		time: { wait: { mode: "concurrent", call: (input) => wait(deps, input) } },
	};
}

function writeFile(deps: ScriptToolsDeps, input: unknown): Promise<ToolAnswer> {
	const path = pathOf(input);
	const parsed = WriteInput.safeParse(input);
	const face = {
		title: `files.write ${path === undefined ? "" : shownPath(path)}`.trim(),
		toolKind: "edit" as const,
		input: JSON.stringify({ path, ...(parsed.success ? contentHead(parsed.data) : {}) }),
		...(path === undefined || artifactPathProblem(path) !== undefined ? {} : { locations: [{ path: join(deps.artifactDirectory, path) }] }),
	};
	return deps.calls.make(face, async () => {
		const answer = parsed.success ? await writeParsed(deps, parsed.data) : refusal("INVALID_INPUT", inputProblem(parsed.error));
		if (!answer.ok && answer.error.code === "INVALID_INPUT") {
			await deps.writes.refused(path ?? "(no path)", "write_refused", answer.error.message);
		}
		return answer;
	});
}

async function writeParsed(deps: ScriptToolsDeps, input: z.infer<typeof WriteInput>): Promise<ToolAnswer> {
	const { budget, writes } = deps;
	const bytes = writtenBytes(input);
	if (bytes === undefined) return refusal("INVALID_INPUT", "base64: must be base64 with its padding and nothing else");
	if (bytes.length > budget.limits.callBytes) budget.halt({ kind: "limit", limit: "callBytes" });
	if (!budget.spend("writtenBytes", bytes.length)) return STOPPED;
	try {
		const value = await writtenWhenSpace(deps, input.path, bytes);
		writes.written();
		return { ok: true, value };
	} catch (error) {
		if (!(error instanceof ScopeFileError)) throw error;
		if (error.code !== "STOPPED") await writes.refused(input.path, error.reason, error.message);
		return refusal(error.code, error.message);
	}
}

/** A full disk costs the program time alone, which its own limit bounds. @throws ScopeFileError */
async function writtenWhenSpace({ files, budget, writes }: ScriptToolsDeps, path: string, bytes: Buffer) {
	for (;;) {
		try {
			return await files.write(path, bytes, budget.signal);
		} catch (error) {
			if (!(error instanceof ScopeFileError) || error.code !== "DISK_FULL") throw error;
			await writes.waited();
			// The end of the run cut this short, and the next attempt reports it.
			await delay(DISK_RETRY_MS, undefined, { signal: budget.signal }).catch(() => undefined);
		}
	}
}

function readFile(deps: ScriptToolsDeps, input: unknown): Promise<ToolAnswer> {
	const parsed = ReadInput.safeParse(input);
	const path = parsed.success ? parsed.data.path : "";
	const face = { title: `files.read ${shownPath(path)}`.trim(), toolKind: "read" as const, input: JSON.stringify({ path }) };
	return deps.calls.make(face, () =>
		answered(parsed, ({ path }) => {
			const { readBytes, callBytes } = deps.budget.limits;
			return deps.files.read(path, Math.min(readBytes, callBytes));
		}),
	);
}

function listFiles(deps: ScriptToolsDeps, input: unknown): Promise<ToolAnswer> {
	const parsed = ListInput.safeParse(input);
	return deps.calls.make({ title: "files.list", toolKind: "read", input: "{}" }, () =>
		answered(parsed, async () => ({ files: await deps.files.list() })),
	);
}

function wait(deps: ScriptToolsDeps, input: unknown): Promise<ToolAnswer> {
	const parsed = WaitInput.safeParse(input);
	const title = parsed.success ? `time.wait ${parsed.data.ms} ms` : "time.wait";
	return deps.calls.make({ title, toolKind: "other", input: JSON.stringify(parsed.data ?? {}) }, () =>
		answered(parsed, async ({ ms }) => {
			await delay(ms, undefined, { signal: deps.budget.signal });
			return { ms };
		}),
	);
}

/** Turns what a tool returns or throws into its answer. What is not a known refusal stays a fault. */
async function answered<T>(parsed: z.ZodSafeParseResult<T>, work: (input: T) => Promise<unknown>): Promise<ToolAnswer> {
	if (!parsed.success) return refusal("INVALID_INPUT", inputProblem(parsed.error));
	try {
		return { ok: true, value: await work(parsed.data) };
	} catch (error) {
		if (error instanceof ScopeFileError) return refusal(error.code, error.message);
		if (error instanceof Error && error.name === "AbortError") return STOPPED;
		throw error;
	}
}

/** Enough of the content for a preview. */
function contentHead(input: z.infer<typeof WriteInput>): Record<string, string> {
	return "text" in input ? { text: input.text.slice(0, 2048).toWellFormed() } : { base64: input.base64.slice(0, 2048) };
}
