import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { artifactPathProblem } from "@xworkmate/contracts";
import { z } from "zod";
import { defineTool, ToolRefusal } from "../define-tool.ts";
import { STOPPED } from "../tool-calls.ts";
import { ToolRegistry } from "../tool-registry.ts";
import { ScopeFileError, type ScopeFiles } from "./scope-files.ts";
import type { ScriptBudget } from "./script-budget.ts";
import { shownPath } from "./shown-path.ts";
import type { WriteRecord } from "./write-record.ts";

const DISK_RETRY_MS = 500;
/** Far above the length of any valid path. Longer text is not scanned character by character. */
const MAX_PATH = 4096;
const SHOWN_UNITS = 2048;

/** What the calls of one script share. */
export interface ScriptContext {
	/** Absolute path, shown as the location of written files. */
	readonly artifactDirectory: string;
	readonly files: ScopeFiles;
	readonly budget: ScriptBudget;
	readonly writes: WriteRecord;
}

const Path = z.string().max(MAX_PATH);
const AnyPath = z.object({ path: z.string() });
const WriteInput = z.union([
	z.strictObject({ path: Path, text: z.string().refine((text) => text.isWellFormed(), "must be well-formed Unicode") }),
	z.strictObject({ path: Path, base64: z.string() }),
]);
type WriteInput = z.infer<typeof WriteInput>;
const WrittenFile = z.object({ path: z.string(), sizeBytes: z.int() }).meta({ id: "WrittenFile" });

// File tools block the program, so a missing `await` makes no difference.
const writeTool = defineTool({
	id: "files.write",
	mode: "blocking",
	input: WriteInput,
	output: WrittenFile,
	describe(input, passed, { artifactDirectory }: ScriptContext) {
		const path = pathOf(passed);
		return {
			title: `files.write ${path === undefined ? "" : shownPath(path)}`.trim(),
			toolKind: "edit",
			input: JSON.stringify({ path, ...(input === undefined ? {} : contentHead(input)) }),
			...(path === undefined || artifactPathProblem(path) !== undefined ? {} : { locations: [{ path: join(artifactDirectory, path) }] }),
		};
	},
	async run(input, context) {
		const { budget, writes } = context;
		const bytes = bytesOf(input);
		if (bytes.length > budget.limits.callBytes) budget.halt({ kind: "limit", limit: "callBytes" });
		if (!budget.spend("writtenBytes", bytes.length)) throw STOPPED;
		const written = await writtenWhenSpace(context, input.path, bytes);
		writes.written();
		return written;
	},
	async refused(refusal, passed, { writes }) {
		if (refusal.code === STOPPED.code) return;
		const reason = refusal instanceof ScopeFileError ? refusal.reason : "write_refused";
		await writes.refused(pathOf(passed) ?? "(no path)", reason, refusal.message);
	},
});

const readTool = defineTool({
	id: "files.read",
	mode: "blocking",
	input: z.strictObject({ path: Path }),
	output: z.object({ path: z.string(), text: z.string(), sizeBytes: z.int() }),
	describe: (input) => {
		const path = input?.path ?? "";
		return { title: `files.read ${shownPath(path)}`.trim(), toolKind: "read", input: JSON.stringify({ path }) };
	},
	run: ({ path }, { files, budget: { limits } }: ScriptContext) => files.read(path, Math.min(limits.readBytes, limits.callBytes)),
});

const listTool = defineTool({
	id: "files.list",
	mode: "blocking",
	input: z.strictObject({}).optional(),
	output: z.object({ files: z.array(WrittenFile) }),
	describe: () => ({ title: "files.list", toolKind: "read", input: "{}" }),
	run: async (_input, { files }: ScriptContext) => ({ files: await files.list() }),
});

const waitTool = defineTool({
	id: "time.wait",
	mode: "concurrent",
	input: z.strictObject({
		ms: z
			.int()
			.min(0)
			.max(2 ** 31 - 1),
	}),
	output: z.object({ ms: z.int() }),
	describe: (input) => ({
		title: input === undefined ? "time.wait" : `time.wait ${input.ms} ms`,
		toolKind: "other",
		input: JSON.stringify(input ?? {}),
	}),
	async run({ ms }, { budget }: ScriptContext) {
		await delay(ms, undefined, { signal: budget.signal });
		return { ms };
	},
});

/** The `tools` of a script. */
export const scriptTools = new ToolRegistry([writeTool, readTool, listTool, waitTool]);

/** The path of an input that may otherwise be invalid, so that a refusal can name it. Cut off if it is too long. */
function pathOf(passed: unknown): string | undefined {
	return AnyPath.safeParse(passed).data?.path.slice(0, MAX_PATH);
}

/** The beginning of the content, enough for a preview. */
function contentHead(input: WriteInput): Record<string, string> {
	return "text" in input ? { text: input.text.slice(0, SHOWN_UNITS).toWellFormed() } : { base64: input.base64.slice(0, SHOWN_UNITS) };
}

/**
 * The content as bytes.
 * @throws ToolRefusal for base64 that is not in canonical form
 */
function bytesOf(input: WriteInput): Buffer {
	if ("text" in input) return Buffer.from(input.text);
	const bytes = Buffer.from(input.base64, "base64");
	if (bytes.toString("base64") === input.base64) return bytes;
	throw new ToolRefusal("INVALID_INPUT", "base64: must be padded base64 without other characters");
}

/**
 * Writes a file. A full disk only delays the program, up to its own time limit.
 * @throws ScopeFileError
 */
async function writtenWhenSpace({ files, budget, writes }: ScriptContext, path: string, bytes: Buffer) {
	for (;;) {
		try {
			return await files.write(path, bytes, budget.signal);
		} catch (error) {
			if (!(error instanceof ScopeFileError) || error.code !== "DISK_FULL") throw error;
			await writes.waited();
			// The run may end during this wait; the next attempt reports that.
			await delay(DISK_RETRY_MS, undefined, { signal: budget.signal }).catch(() => undefined);
		}
	}
}
