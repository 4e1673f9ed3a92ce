import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { IntegrationId, RunId, type ToolCallId } from "@xworkmate/contracts";
import type { ProcessLedger } from "../../../src/ports/agents/process-ledger.ts";
import type { HostedCall, ToolHosts, TypedTool } from "../../../src/ports/tools/tool-hosts.ts";
import { Inflow } from "../../../src/processes/frames/inflow.ts";
import { openSqliteStore } from "../../../src/store/sqlite/index.ts";
import { type HomeTools, type OpenToolsOptions, openTools } from "../../../src/tools/integrations/open-tools.ts";

type Options = Partial<
	Pick<OpenToolsOptions, "acceptsAll" | "bounds" | "maxHosts" | "idleMs" | "waitMs" | "environment" | "examplesFolder">
>;

/** A home with tools, over a real store, real files and real processes. */
export interface HomeUnderTest extends AsyncDisposable {
	readonly path: string;
	tools: HomeTools;
	/** How many processes of tools there were at most at once. */
	readonly mostHosts: number;
	/** Pids of the processes of tools that live now. */
	hosts(): Promise<readonly number[]>;
	write(path: string, text: string): Promise<void>;
	/** The tool as the catalogue has it. */
	tool(name: string): Promise<TypedTool>;
	/** Ends the bridge's part, and opens it again over the same files. `beforeRead`: called before the tools are read. */
	reopen(options?: Options, beforeRead?: () => void): Promise<void>;
}

export async function openHome(options: Options = {}): Promise<HomeUnderTest> {
	const path = await mkdtemp(join(tmpdir(), "xworkmate tools-"));
	const bridgeHome = join(path, "bridge");
	await mkdir(bridgeHome);
	let store = openSqliteStore(bridgeHome);
	let mostHosts = 0;
	const counting: ProcessLedger = {
		add: async (entry) => {
			await store.processes.add(entry);
			mostHosts = Math.max(mostHosts, (await store.processes.list()).length);
		},
		remove: (pid) => store.processes.remove(pid),
		list: () => store.processes.list(),
	};
	const open = (given: Options) =>
		openTools({
			home: path,
			bridgeHome,
			store: store.tools,
			ledger: counting,
			inflow: new Inflow(2 ** 24),
			maxHosts: 8,
			acceptsAll: false,
			environment: {},
			log: { warn: () => undefined, error: () => undefined },
			...given,
			// A busy machine is no reason to fail; a test of a bound sets it.
			bounds: { startMs: 60_000, importMs: 60_000, examineMs: 30_000, ...given.bounds },
		});
	const home: HomeUnderTest = {
		path,
		tools: await open(options),
		get mostHosts() {
			return mostHosts;
		},
		hosts: async () => (await store.processes.list()).map(({ pid }) => pid),
		write: async (file, text) => {
			await mkdir(dirname(join(path, file)), { recursive: true });
			await writeFile(join(path, file), text);
		},
		tool: async (name) => {
			const tool = (await home.tools.hosts.catalogue()).tools.get(name);
			if (tool === undefined) throw new Error(`there is no tool ${name}`);
			return tool;
		},
		reopen: async (given = options, beforeRead) => {
			await home.tools[Symbol.asyncDispose]();
			store.close();
			store = openSqliteStore(bridgeHome);
			home.tools = await open(given);
			beforeRead?.();
			await home.tools.begin();
		},
		[Symbol.asyncDispose]: async () => {
			await home.tools[Symbol.asyncDispose]();
			store.close();
			await rm(path, { recursive: true, force: true });
		},
	};
	return home;
}

const HEAD = `import { defineTool, OutcomeUnknown, ToolFailed } from "@xworkmate/tool";
import { z } from "zod";
`;

/** A file with one tool, `say`, and what a test makes different. */
export function toolFile({
	id = "demo.word.say",
	method = "say",
	risk = "write",
	input = "z.strictObject({ text: z.string() })",
	output = "z.object({ said: z.string() })",
	handler = "async ({ text }, ctx) => ({ said: text })",
	more = "",
	head = "",
}: Partial<Readonly<Record<"id" | "method" | "risk" | "input" | "output" | "handler" | "more" | "head", string>>> = {}): string {
	return `${HEAD}${head}
export const ${method} = defineTool({ id: "${id}", risk: "${risk}", input: ${input}, output: ${output}, handler: ${handler}, ${more} });
`;
}

/** The home's integration `demo` with this file, loaded and accepted. */
export async function withDemo(text: string, options: Options = {}): Promise<HomeUnderTest> {
	const home = await openHome({ acceptsAll: true, ...options });
	await home.write("tools/demo/tools.ts", text);
	await home.tools.begin();
	return home;
}

let made = 0;

export function hostedCall(input: unknown = { text: "hello" }): HostedCall {
	made += 1;
	return { runId: RunId.parse(`run-${made}`), toolCallId: `call-${made}` as ToolCallId, idempotencyKey: `key-${made}`, attempt: 1, input };
}

export const never: Parameters<ToolHosts["call"]>[2] = new AbortController().signal;
export const demo = IntegrationId.parse("demo");
