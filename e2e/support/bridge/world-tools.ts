import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { TemporaryHome } from "../machine/temporary-home.ts";

const Effect = z.strictObject({
	tool: z.string(),
	n: z.number(),
	runId: z.string(),
	call: z.string(),
	key: z.string(),
	attempt: z.number(),
});
/** A line that a handler wrote when it acted. */
export type Effect = z.infer<typeof Effect>;

export const worldTools = {
	look: { risk: "read", idempotent: false, policy: undefined },
	make: { risk: "write", idempotent: false, policy: "allow" },
	ensure: { risk: "write", idempotent: true, policy: "allow" },
	destroy: { risk: "destructive", idempotent: false, policy: undefined },
	replace: { risk: "destructive", idempotent: true, policy: undefined },
} as const;
export type WorldTool = keyof typeof worldTools;

/**
 * The integration `world`. Its handlers wait `beforeMs`, act by adding a line to a file, wait `afterMs`, and then, if the input says `hold`,
 * for the file `go` in their data folder.
 */
export async function writeWorldTools(home: TemporaryHome): Promise<void> {
	const folder = join(home.xworkmate, "tools", "world");
	await mkdir(folder, { recursive: true });
	const tools = Object.entries(worldTools).map(([name, { risk, idempotent, policy }]) => {
		const own = policy === undefined ? "" : `policy: { default: "${policy}" }, `;
		return `export const ${name} = defineTool({ id: "world.thing.${name}", risk: "${risk}", idempotent: ${idempotent}, ${own}input, output, describe: ({ n }) => \`${name} \${n}\`, handler: acting("${name}") });`;
	});
	await writeFile(join(folder, "tools.ts"), [SHARED, ...tools, ""].join("\n"));
}

const SHARED = `import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { defineTool, type ToolContext } from "@xworkmate/tool";
import { z } from "zod";
const input = z.strictObject({ n: z.number(), beforeMs: z.number().optional(), afterMs: z.number().optional(), hold: z.boolean().optional() });
const output = z.strictObject({ n: z.number() });
const acting = (tool: string) => async ({ n, beforeMs, afterMs, hold }: z.output<typeof input>, ctx: ToolContext) => {
	if (beforeMs !== undefined) await delay(beforeMs);
	const { runId, toolCallId: call, idempotencyKey: key, attempt } = ctx;
	appendFileSync(join(ctx.dataFolder, "effects.jsonl"), JSON.stringify({ tool, n, runId, call, key, attempt }) + "\\n");
	if (afterMs !== undefined) await delay(afterMs);
	while (hold === true && !existsSync(join(ctx.dataFolder, "go"))) await delay(10, undefined, { signal: ctx.signal });
	return { n };
};`;

/** What the handlers did so far. */
export async function worldEffects(home: TemporaryHome): Promise<readonly Effect[]> {
	const text = await readFile(join(dataFolder(home), "effects.jsonl"), "utf8").catch((error: unknown) => {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
		throw error;
	});
	return text
		.split("\n")
		.slice(0, -1)
		.map((line) => Effect.parse(JSON.parse(line)));
}

/** Lets every handler that holds go on. */
export async function letGo(home: TemporaryHome): Promise<void> {
	await writeFile(join(dataFolder(home), "go"), "");
}

function dataFolder(home: TemporaryHome): string {
	return join(home.xworkmate, "tool-data", "world");
}
