import { existsSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ProcessLedger } from "../ports/agents/process-ledger.ts";
import type { Sandbox, SandboxOutcome, SandboxRequest } from "../ports/programs/sandbox.ts";
import { FrameProcess } from "../processes/frames/frame-process.ts";
import type { Inflow } from "../processes/frames/inflow.ts";
import { ProcessPool } from "../processes/frames/process-pool.ts";
import { ProgramRun } from "./engine/program-run.ts";
import { within } from "./within.ts";

export interface ProcessSandboxOptions {
	readonly ledger: ProcessLedger;
	readonly inflow: Inflow;
	/** How many programs may run at once. Any further program ends as `broken`. */
	readonly maxPrograms: number;
	/** The program's time zone, as a value of the variable `TZ`. Default: the system's. */
	readonly timeZone?: string;
	/** The script of the programs' process. Default: the built-in one. */
	readonly host?: URL;
	/** How long the process that is kept ready may be unused before it is ended. Default 5 minutes. */
	readonly idleMs?: number;
}

const PROGRAM_HOST = new URL("./engine/program-host.ts", import.meta.url);
/** The folder of the bridge's own modules. */
const OWN_MODULES = fileURLToPath(new URL("..", import.meta.url));
const IDLE_MS = 5 * 60_000;
/** How long a program's process may take to become ready for the next program. */
const READY_MS = 250;
/** The heap of Node around the engine, through which all texts pass. */
const HEAP_MIB = 128;
/** The stack of the process: less than the 8 MiB that systems give a main thread. The engine throws well before this stack is full. */
const STACK_KIB = 3900;

/**
 * Creates the sandbox: QuickJS in WebAssembly, in separate processes. A program can affect only its own process, which is killed if
 * necessary.
 */
export function createProcessSandbox(options: ProcessSandboxOptions): Sandbox {
	return new ProcessSandbox(options);
}

class ProcessSandbox implements Sandbox {
	readonly #options: ProcessSandboxOptions;
	readonly #pool: ProcessPool<FrameProcess>;
	readonly #closing = new AbortController();
	#running = 0;

	constructor(options: ProcessSandboxOptions) {
		this.#options = options;
		this.#pool = new ProcessPool({ start: () => FrameProcess.start(hostCommand(options), options), idleMs: options.idleMs ?? IDLE_MS });
	}

	prepare(): void {
		this.#pool.prepare();
	}

	async run(request: SandboxRequest): Promise<SandboxOutcome> {
		if (this.#running >= this.#options.maxPrograms) return { kind: "broken", cause: new Error("too many programs at once") };
		this.#running += 1;
		try {
			return await this.#run({ ...request, signal: AbortSignal.any([request.signal, this.#closing.signal]) });
		} catch (cause) {
			return { kind: "broken", cause };
		} finally {
			this.#running -= 1;
		}
	}

	async close(): Promise<void> {
		this.#closing.abort();
		await this.#pool.close();
	}

	async #run(request: SandboxRequest): Promise<SandboxOutcome> {
		if (request.signal.aborted) return { kind: "aborted" };
		const process = await this.#pool.take();
		const run = new ProgramRun(process, request);
		const outcome = await run.outcome();
		if (outcome.kind === "returned" || outcome.kind === "threw") this.#pool.giveBack(process, isReady(run));
		else this.#pool.end(process);
		return outcome;
	}
}

async function isReady(run: ProgramRun): Promise<boolean> {
	return (await within(run.ready, READY_MS)) === true;
}

/**
 * The command of a program's process. In addition to the engine's isolation, Node's permissions allow the process only to read our modules.
 * It has no access to other files, and cannot start processes, workers or addons.
 */
function hostCommand({ timeZone, host: url = PROGRAM_HOST }: ProcessSandboxOptions) {
	const host = fileURLToPath(url);
	return {
		command: process.execPath,
		args: [
			`--max-old-space-size=${HEAP_MIB}`,
			`--stack-size=${STACK_KIB}`,
			"--permission",
			...modulesOf(host).map((path) => `--allow-fs-read=${path}`),
			"--disable-warning=ExperimentalWarning",
			host,
		],
		workingDirectory: tmpdir(),
		environment: timeZone === undefined ? {} : { TZ: timeZone },
		label: "sandbox",
	};
}

/**
 * The paths that Node reads to load a file's modules: the bridge's source, the file's folder, and the package.json and installed packages
 * of each parent folder.
 */
function modulesOf(file: string): string[] {
	const readable = [OWN_MODULES, dirname(file)];
	for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
		const installed = join(folder, "node_modules");
		readable.push(join(folder, "package.json"));
		if (existsSync(installed)) readable.push(installed, realpathSync(installed));
	}
	return [...new Set(readable)];
}
